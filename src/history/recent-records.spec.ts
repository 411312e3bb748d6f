import { beforeEach, describe, expect, it } from '@jest/globals';
import { sessionStream } from '../identity/derived-ids.js';
import { newEvent } from '../../test/support/event-batches.js';
import { EventCodec } from '../storage/event-codec.js';
import { MemoryEventStore } from '../storage/memory/memory-event-store.js';
import { RecentRecords } from './recent-records.js';

const TENANT = 'default';
const LIMITS = { charactersMax: 3_000, streamCharactersMax: 2_000 };

class CountingStore extends MemoryEventStore {
  eventsRead = 0;

  override async read(...args: Parameters<MemoryEventStore['read']>) {
    const events = await super.read(...args);
    this.eventsRead += events.length;
    return events;
  }
}

describe('events read a second time', () => {
  let store: CountingStore;
  let recent: RecentRecords;

  beforeEach(() => {
    store = new CountingStore();
    recent = new RecentRecords(store, new EventCodec(), LIMITS);
  });

  async function append(sessionId: string, count: number, from = 0): Promise<void> {
    const events = Array.from({ length: count }, (_, index) =>
      newEvent({ data: JSON.stringify({ number: from + index, text: 'x'.repeat(80) }) }),
    );
    await store.append(
      sessionStream(TENANT, sessionId),
      from === 0 ? 'noStream' : from - 1,
      events,
    );
  }

  async function read(sessionId: string, from: number, to: number): Promise<readonly unknown[]> {
    store.eventsRead = 0;
    const records = await recent.read(TENANT, { sessionId, from, to });
    expect(records.map(({ revision }) => revision)).toEqual(range(from, to));
    return records.map(({ event }) => (event.data as unknown as { number: number }).number);
  }

  it('come from memory, and only what was added since is read', async () => {
    await append('a', 5);
    expect(await read('a', 0, 4)).toEqual([0, 1, 2, 3, 4]);
    expect(store.eventsRead).toBe(5);
    await append('a', 2, 5);
    expect(await read('a', 3, 6)).toEqual([3, 4, 5, 6]);
    expect(store.eventsRead).toBe(2);
    expect(await read('a', 1, 2)).toEqual([1, 2]);
    expect(store.eventsRead).toBe(0);
  });

  it('are read anew where they lie before what is kept, or apart from it', async () => {
    await append('a', 12);
    await read('a', 4, 6);
    expect(await read('a', 2, 5)).toEqual([2, 3, 4, 5]);
    expect(await read('a', 9, 11)).toEqual([9, 10, 11]);
    expect(store.eventsRead).toBe(3);
  });

  it('are forgotten, the stream that was longest unused first', async () => {
    for (const sessionId of ['a', 'b', 'c']) await append(sessionId, 10);
    for (const sessionId of ['a', 'b', 'a', 'c']) await read(sessionId, 0, 9);
    await read('a', 0, 9);
    expect(store.eventsRead).toBe(0);
    await read('b', 0, 9);
    expect(store.eventsRead).toBe(10);
  });

  it('of a stream that is too large for memory are not kept', async () => {
    await append('a', 40);
    await read('a', 0, 39);
    await read('a', 0, 39);
    expect(store.eventsRead).toBe(40);
  });

  it('are the same for readers that ask at the same time', async () => {
    await append('a', 8);
    const all = [0, 2, 4].map((from) => recent.read(TENANT, { sessionId: 'a', from, to: 7 }));
    const found = await Promise.all(all);
    expect(found.map((records) => records.map(({ revision }) => revision))).toEqual([
      range(0, 7),
      range(2, 7),
      range(4, 7),
    ]);
  });
});

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
