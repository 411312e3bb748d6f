import assert from 'node:assert/strict';
import {
  APPEND_BYTES_MAX,
  APPEND_EVENTS_MAX,
  EVENT_DATA_BYTES_MAX,
  EVENT_KEYS_MAX,
  EVENT_KEY_CHARACTERS_MAX,
  type EventStore,
  type EventToAppend,
  InvalidAppendError,
} from '../../src/storage/event-store.js';
import { newBatch, newEvent, newStream } from '../support/event-batches.js';
import type { Scenario } from '../support/scenarios.js';

export const appendLimitScenarios: readonly Scenario<EventStore>[] = [
  {
    name: 'what is at a limit is written, what is over it is refused before anything is written',
    async run(store) {
      const stream = newStream();
      const full = newBatch(APPEND_EVENTS_MAX);
      const large = newEvent({ data: jsonOfBytes(EVENT_DATA_BYTES_MAX) });
      const keys = Array.from({ length: EVENT_KEYS_MAX }, (_, index) =>
        `${index}`.padEnd(EVENT_KEY_CHARACTERS_MAX, 'k'),
      );
      assert.equal((await store.append(stream, 'noStream', full)).outcome, 'written');
      assert.equal((await store.append(stream, 99, [large])).outcome, 'written');
      assert.equal((await store.append(stream, 100, [newEvent({ keys })])).outcome, 'written');
      const quarter = newEvent({ data: jsonOfBytes(EVENT_DATA_BYTES_MAX - 10) });
      await refuses(store, stream, newBatch(APPEND_EVENTS_MAX + 1), /101/);
      await refuses(
        store,
        stream,
        [newEvent({ data: jsonOfBytes(EVENT_DATA_BYTES_MAX + 1) })],
        /262145/,
      );
      await refuses(
        store,
        stream,
        newBatch(4, { data: quarter.data }),
        new RegExp(`${APPEND_BYTES_MAX}`),
      );
      await refuses(store, stream, [newEvent({ keys: [...keys, 'one more'] })], /33 keys/);
      await refuses(
        store,
        stream,
        [newEvent({ keys: ['k'.repeat(EVENT_KEY_CHARACTERS_MAX + 1)] })],
        /513/,
      );
      assert.equal(await store.head(stream), 101);
    },
  },
  {
    name: 'the limit of the data counts bytes, not characters',
    async run(store) {
      const stream = newStream();
      const twoBytesEach = `"${'é'.repeat(EVENT_DATA_BYTES_MAX / 2)}"`;
      await refuses(store, stream, [newEvent({ data: twoBytesEach })], /262146/);
    },
  },
  {
    name: 'a batch that no store may write is refused with a clear error',
    async run(store) {
      const stream = newStream();
      const twin = newEvent();
      await refuses(store, stream, [], /not 0/);
      await refuses(store, stream, [twin, twin], /same id/);
      await refuses(store, stream, [newEvent({ eventId: 'no-uuid' })], /UUID/);
      await refuses(store, stream, [newEvent({ type: '' })], /type/);
      await refuses(store, stream, [newEvent({ recordedAtMs: 1.5 })], /1\.5/);
      await refuses(store, stream, [newEvent({ keys: [''] })], /key/);
      await refuses(store, '', [newEvent()], /name/);
      await assert.rejects(store.append(stream, -1, [newEvent()]), InvalidAppendError);
      assert.equal(await store.head(stream), 'noStream');
    },
  },
];

async function refuses(
  store: EventStore,
  stream: string,
  events: readonly EventToAppend[],
  message: RegExp,
): Promise<void> {
  const head = stream === '' ? 'noStream' : await store.head(stream);
  await assert.rejects(store.append(stream, head, events), (error: unknown) => {
    assert.ok(error instanceof InvalidAppendError, String(error));
    assert.match(error.message, message);
    return true;
  });
}

function jsonOfBytes(bytes: number): string {
  return `"${'x'.repeat(bytes - 2)}"`;
}
