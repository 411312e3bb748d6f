import { describe, expect, it } from '@jest/globals';
import { ProjectionWorld, TENANT } from '../../test/projections/projection-world.js';
import { inputAccepted, sessionStarted } from '../../test/projections/session-events.js';
import { EventCodec } from '../storage/event-codec.js';
import { MemoryEventStore } from '../storage/memory/memory-event-store.js';
import { pause } from '../storage/pause.js';
import { EventFeed, FeedBrokenOffError } from './event-feed.js';
import type { HistoryReader } from './history-reader.js';
import { FEEDS_OPEN_MAX } from './feed-slots.js';
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

describe('an export', () => {
  const EVENTS = 40;

  /** Its first page has 8 events. */
  async function exported(openMsMax?: number) {
    const world = new ProjectionWorld();
    await world.append('s1', [sessionStarted('s1'), ...inputs(EVENTS - 1)]);
    const { events, codec } = world;
    const history = {} as HistoryReader;
    const feed = new EventFeed(events, codec, history, new NewEvents(events), openMsMax);
    const { pages, end } = feed.toTheEnd(await feed.ofTenant(TENANT, 0n, {}));
    return { feed, pages: pages[Symbol.asyncIterator](), end };
  }

  const inputs = (count: number) =>
    Array.from({ length: count }, (_, index) => inputAccepted(`i${index}`, 'x'));

  it.each(['the server stops', 'its reader is gone'])('is no whole one when %s', async (why) => {
    const { feed, pages, end } = await exported();
    expect((await pages.next()).value.events).toHaveLength(8);
    if (why === 'the server stops') feed.beforeApplicationShutdown();
    else end();
    await expect(pages.next()).rejects.toThrow(FeedBrokenOffError);
  });

  it('that was read to its end takes no place any more, nor one that failed', async () => {
    const world = new ProjectionWorld();
    await world.append('s1', [sessionStarted('s1')]);
    const { events, codec } = world;
    const feed = new EventFeed(events, codec, {} as HistoryReader, new NewEvents(events));
    for (let time = 0; time < FEEDS_OPEN_MAX; time += 1) {
      const source = await feed.ofTenant(TENANT, 0n, {});
      for await (const page of feed.toTheEnd(source).pages) expect(page.events).toHaveLength(1);
      const readPage = () => Promise.reject(new Error('away'));
      const failing = feed.follow({ ...source, readPage }).pages[Symbol.asyncIterator]();
      await expect(failing.next()).rejects.toThrow('away');
    }
  });

  it('has its time for each page: who reads on is not cut off, who does not is', async () => {
    const { pages } = await exported(100);
    let count = 0;
    for (let next = await pages.next(); next.done !== true; next = await pages.next()) {
      count += next.value.events.length;
      await pause(60);
    }
    expect(count).toBe(EVENTS);
    const stalled = await exported(50);
    await stalled.pages.next();
    await pause(100);
    await expect(stalled.pages.next()).rejects.toThrow(FeedBrokenOffError);
  });
});
