import { describe, expect, it, jest } from '@jest/globals';
import { newEvent } from '../../../test/support/event-batches.js';
import { SealedStores } from '../../../test/support/sealed-stores.js';
import { appendSettled } from '../append-settled.js';
import { AppendUnknownError, type EventToAppend, type ExpectedRevision } from '../event-store.js';
import { MemoryCheckpointLog } from '../memory/memory-checkpoint-log.js';
import { MemoryEventStore } from '../memory/memory-event-store.js';
import { newKeyId, newSecret, sealed, sessionKey } from './session-secret.js';
import { verifyLog } from './verify-log.js';

/** `npm run test:crash` takes 1,000,000 and 5,000. */
const ENCRYPTIONS = Number(process.env.NONCES ?? 20_000);
const APPENDS = Number(process.env.AMBIGUOUS_APPENDS ?? 60);
const SAID = JSON.stringify({ content: [{ type: 'text', text: 'said' }] });
const NONCE_CHARACTERS = 16;
jest.setTimeout(60_000 + ENCRYPTIONS / 10 + APPENDS * 200);

/** Of which every other append is not answered, whether it was written or not. */
class SilentStore extends MemoryEventStore {
  readonly sent = new Map<string, Set<string>>();
  private count = 0;

  override async append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly EventToAppend[],
  ) {
    const name = `${stream}@${expected}`;
    const texts = this.sent.get(name) ?? new Set();
    this.sent.set(name, texts.add(JSON.stringify(events)));
    this.count += 1;
    if (this.count % 4 === 1) throw new AppendUnknownError('lost before it was written');
    const outcome = await super.append(stream, expected, events);
    if (this.count % 4 === 2) throw new AppendUnknownError('written, and not answered');
    return outcome;
  }
}

describe('encryption', () => {
  it(`repeats no nonce in ${ENCRYPTIONS} texts under one key`, () => {
    const { encryption } = sessionKey(newKeyId(), newSecret());
    const nonces = new Set<string>();
    for (let count = 0; count < ENCRYPTIONS; count += 1) {
      nonces.add(sealed(encryption, 'the same', 'there').slice(0, NONCE_CHARACTERS));
    }
    expect(nonces.size).toBe(ENCRYPTIONS);
  });
});

describe('an append whose outcome is not known', () => {
  it(`sends the identical bytes, and the chain holds (${APPENDS} of them)`, async () => {
    const store = new SilentStore();
    const stores = new SealedStores(store);
    const { events } = stores.open();
    let revision: ExpectedRevision = 'noStream';
    for (let count = 0; count < APPENDS; count += 1) {
      const batch = [newEvent({ data: SAID }), newEvent({ data: SAID })];
      const { outcome } = await appendSettled(events, 'session-acme.s1', revision, batch);
      expect(outcome.outcome).toBe('written');
      revision = await events.head('session-acme.s1');
    }
    expect([...store.sent.values()].filter((texts) => texts.size !== 1)).toEqual([]);
    const read = await stores.open().events.read('session-acme.s1', { from: 0, maxCount: 1_000 });
    expect(read.length).toBe(Math.min(1_000, APPENDS * 2));
    const found = await verifyLog(store, new MemoryCheckpointLog(), []);
    expect(found.broken).toBeUndefined();
  });
});
