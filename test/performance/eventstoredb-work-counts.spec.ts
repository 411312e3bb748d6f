import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { EventStoreDbDouble } from '../support/eventstoredb/eventstoredb-double.js';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.js';
import { CountedApplication } from './counted-application.js';

jest.setTimeout(120_000);

/** What a command costs in calls where the log is a server's: each call is a way there and back. */
describe('the calls to EventStoreDB', () => {
  let folder: TemporaryFolder;
  let double: EventStoreDbDouble;
  let app: CountedApplication;

  beforeEach(async () => {
    folder = temporaryFolder();
    double = await EventStoreDbDouble.start();
    app = await CountedApplication.open(folder.path, { HOLDFAST_EVENTSTORE_URL: double.url });
  });
  afterEach(async () => {
    await app.close();
    double.stop();
    folder.remove();
  });

  it('are one append for a request of eleven events, and no event is read', async () => {
    const sessionId = await app.startSession();
    await app.turns(sessionId, 2);
    const [seen, sent] = [double.calls.seen.length, double.calls.eventsSent];
    await app.turn(sessionId);
    const methods = double.calls.seen.slice(seen).map(({ method }) => method);
    expect(methods.filter((method) => method === 'append')).toHaveLength(1);
    // The tail of the session's keys, and the tenant's stream: both are empty.
    expect(methods.filter((method) => method !== 'append').length).toBeLessThanOrEqual(2);
    expect(double.calls.eventsSent).toBe(sent);
  });

  it('to load a session are its snapshot and a few of its events', async () => {
    const sessionId = await app.startSession();
    await app.turns(sessionId, 30);
    const revision = (await app.restore(sessionId)).state.revision;
    const other = await CountedApplication.open(folder.path, {
      HOLDFAST_EVENTSTORE_URL: double.url,
    });
    const { eventsRead } = await other.counting(() => other.fork(sessionId, revision));
    await other.close();
    expect(eventsRead).toBeLessThanOrEqual(2 * 64);
  });
});
