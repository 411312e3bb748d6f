import { describe, expect, it } from '@jest/globals';
import { EventCodec } from '../storage/event-codec.js';
import { MemoryEventStore } from '../storage/memory/memory-event-store.js';
import { EventFeed } from './event-feed.js';
import type { HistoryReader } from './history-reader.js';
import { NewEvents } from './new-events.js';

function feeds(openMsMax?: number): EventFeed {
  const store = new MemoryEventStore();
  const history = {} as HistoryReader;
  return new EventFeed(store, new EventCodec(), history, new NewEvents(store), openMsMax);
}

describe('a feed of what is yet to come', () => {
  it('ends after its time, so that its reader is let in again or not', async () => {
    const feed = feeds(50);
    const { pages, end } = feed.follow(await feed.ofTenant('acme', 0n, {}));
    const ends: boolean[] = [];
    for await (const { caughtUp } of pages) ends.push(caughtUp);
    expect(ends).toEqual([true]);
    end();
  });

  it('ends when its reader is gone, and when the server stops', async () => {
    const feed = feeds();
    const source = await feed.ofTenant('acme', 0n, {});
    const [left, served] = [feed.follow(source), feed.follow(source)];
    const iterators = [left, served].map(({ pages }) => pages[Symbol.asyncIterator]());
    for (const one of iterators) expect((await one.next()).done).toBe(false);
    left.end();
    expect((await iterators[0]!.next()).done).toBe(true);
    feed.beforeApplicationShutdown();
    expect((await iterators[1]!.next()).done).toBe(true);
  });
});
