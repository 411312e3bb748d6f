import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { RecordedEvent } from '../../src/storage/event-store.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import type { CountedApplication as Application } from './counted-application.js';
import { type CryptoCounts, countCrypto } from './counted-crypto.js';

const counts = countCrypto();
const { CountedApplication } = await import('./counted-application.js');

jest.setTimeout(120_000);

/** The chain's value before an event, and what the store keeps of it beside its data. */
const LINK = /^[0-9a-f]{64}\d+:\[/;
const IDS_PER_EVENT_MAX = 3;
const RESULT = /r{4000}/;

describe('to record a turn', () => {
  const folder = temporaryFolder();
  let app: Application;
  let turn: { readonly stored: readonly RecordedEvent[]; readonly did: CryptoCounts };

  beforeAll(async () => {
    app = await CountedApplication.open(folder.path);
    const sessionId = await app.startSession();
    await app.turns(sessionId, 2);
    const stream = app.stream(sessionId);
    const from = 1 + Number(await app.ports.sealedEvents.head(stream));
    Object.assign(counts, { seals: 0, opens: 0, hashed: [], keyedHashed: [] });
    await app.turn(sessionId);
    const did = { ...counts };
    turn = { stored: await app.ports.sealedEvents.read(stream, { from, maxCount: 100 }), did };
  });
  afterAll(async () => {
    await app.close();
    folder.remove();
  });

  it('each event with content is sealed once, and none is opened', () => {
    const sealed = turn.stored.filter(({ data }) => data.includes('"sealed":'));
    expect([turn.stored.length, sealed.length]).toEqual([11, 5]);
    expect([turn.did.seals, turn.did.opens]).toEqual([sealed.length, 0]);
  });

  it('each event is hashed once as it is stored, and linked once to the one before it', () => {
    const { hashed } = turn.did;
    for (const { data } of turn.stored) {
      expect(hashed.filter((text) => text.includes(data))).toEqual([data]);
    }
    expect(hashed.filter((text) => LINK.test(text))).toHaveLength(turn.stored.length);
    // What is left makes ids of a few names each.
    const ids = hashed.length - 2 * turn.stored.length;
    expect(ids).toBeLessThanOrEqual(IDS_PER_EVENT_MAX * turn.stored.length);
  });

  it('each content is hashed once under the key of its session, and never without a key', () => {
    expect(turn.did.keyedHashed.filter((text) => RESULT.test(text))).toHaveLength(1);
    expect(turn.did.keyedHashed.length).toBeLessThanOrEqual(turn.stored.length);
    expect(turn.did.hashed.filter((text) => RESULT.test(text))).toEqual([]);
  });

  it('nothing is opened for whoever reads on without looking into it', async () => {
    const [first] = turn.stored;
    counts.opens = 0;
    const { events } = await app.ports.events.readAll(first!.position - 1n, 11);
    expect([events.length, counts.opens]).toEqual([11, 0]);
    const result = events.find(({ type }) => type === 'ToolResultRecorded');
    expect([RESULT.test(result!.data), counts.opens]).toEqual([true, 1]);
  });
});
