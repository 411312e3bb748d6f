import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { CommandApplication } from '../../test/support/command-application.js';
import { memoryPorts } from '../app/memory-ports.js';
import type { Ports } from '../app/ports.js';
import { sessionStream } from '../identity/derived-ids.js';
import { InvalidStreams } from '../projections/invalid-streams.js';
import { Projectors } from '../projections/projectors.js';
import { Reconciler } from './reconciler.js';
import { Sweep } from './sweep.js';

let ports: Ports;
let app: CommandApplication;
beforeEach(async () => {
  ports = memoryPorts();
  app = await CommandApplication.whole(ports);
});
afterEach(async () => {
  await app.close();
});

/** A session to which a newer version has appended an event of a type of its own. */
async function withEventOfANewerVersion(more: object): Promise<string> {
  const { sessionId, tenantId } = await app.wanted();
  const stream = sessionStream(tenantId, sessionId);
  const head = await ports.events.head(stream);
  const metadata = { tenantId, actor: 'newer', commandType: 'Freeze', commandId: 'f', ...more };
  const event = { type: 'SessionFrozen', data: '{}', metadata: JSON.stringify(metadata), keys: [] };
  const added = { ...event, eventId: randomUUID(), recordedAtMs: Date.now() };
  await ports.events.append(stream, head, [added]);
  return sessionId;
}

it('one that must not be passed over sets its session aside, and holds up nothing else', async () => {
  await withEventOfANewerVersion({});
  const required = await withEventOfANewerVersion({ required: true });
  // Waits until the read models know everything, which the event does not keep them from.
  const { findings, byClass } = await app.get(Sweep).all();
  expect(findings).toMatchObject([{ sessionId: required, what: 'damaged' }]);
  expect(byClass).toMatchObject({ scheduled: 1, waiting: 1 });
  await app.get(Reconciler).reconcileAll(new AbortController().signal);
  const invalid = await app.get(InvalidStreams).all();
  expect(invalid).toMatchObject([{ sessionId: required }]);
  expect(invalid[0]!.problem).toContain(
    'does not know SessionFrozen, which must not be passed over',
  );
  for (const { failure, quarantined } of await app.get(Projectors).status()) {
    expect([failure, quarantined]).toEqual([undefined, []]);
  }
});
