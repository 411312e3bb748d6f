import { beforeEach, describe, expect, it } from '@jest/globals';
import type { HistoryReader } from '../../src/history/history-reader.js';
import type { FeedPage } from '../../src/history/event-feed.js';
import type { EventStore } from '../../src/storage/event-store.js';
import { newEvent } from '../support/event-batches.js';
import { countCrypto } from './counted-crypto.js';

const counts = countCrypto();
const { EventFeed } = await import('../../src/history/event-feed.js');
const { NewEvents } = await import('../../src/history/new-events.js');
const { EventCodec } = await import('../../src/storage/event-codec.js');
const { SealedStores } = await import('../support/sealed-stores.js');

const TENANT = 't';
const STREAM = 'session-t.s1';
const APPENDS = 12;

/** Followers of a tenant's log; the event store is asked for pages only through what is counted. */
class World {
  readonly stores = new SealedStores();
  readonly events: EventStore = this.stores.open().events;
  pagesRead = 0;
  private revision = -1;
  private readonly codec = new EventCodec();
  private readonly news = new NewEvents(this.events);
  private readonly feed = new EventFeed(
    Object.assign(Object.create(this.events) as EventStore, {
      readAll: (...given: Parameters<EventStore['readAll']>) => {
        this.pagesRead += 1;
        return this.events.readAll(...given);
      },
    }),
    this.codec,
    {} as HistoryReader,
    this.news,
  );

  async append(): Promise<void> {
    const content = [{ type: 'text', text: `said ${this.revision}` }];
    const event = newEvent({
      data: JSON.stringify({ inputId: 'i', content, author: 'u' }),
      metadata: JSON.stringify({ tenantId: TENANT, actor: 'a', commandType: 'C', commandId: 'c' }),
    });
    const expected = this.revision < 0 ? 'noStream' : this.revision;
    await this.events.append(STREAM, expected, [event]);
    this.revision += 1;
  }

  /** Who has read all that there is. */
  async followers(count: number): Promise<AsyncIterator<FeedPage>[]> {
    const after = await this.events.headPosition();
    const following: AsyncIterator<FeedPage>[] = [];
    for (let index = 0; index < count; index += 1) {
      const { pages } = this.feed.follow(await this.feed.ofTenant(TENANT, after, {}));
      const one = pages[Symbol.asyncIterator]();
      // There is nothing yet, and it comes at once.
      await one.next();
      following.push(one);
    }
    return following;
  }
}

beforeEach(() => {
  counts.opens = 0;
});

describe.each([1, 20])('an event that %d feeds follow', (followers) => {
  it('is opened once', async () => {
    const world = new World();
    await world.append();
    const following = await world.followers(followers);
    counts.opens = 0;
    for (let append = 0; append < APPENDS; append += 1) {
      const pages = following.map((one) => one.next());
      await world.append();
      const seen = (await Promise.all(pages)).map(({ value }) => (value as FeedPage).events);
      expect(seen.map((events) => events.map(({ event }) => JSON.stringify(event)))).toEqual(
        seen.map(() => [expect.stringContaining(`said ${append}`)]),
      );
      // One object for all of them, which nobody can change.
      const data = new Set(seen.flat().map(({ event }) => event.data));
      expect([data.size, ...[...data].map(Object.isFrozen)]).toEqual([1, true]);
    }
    expect(counts.opens).toBe(APPENDS);
    for (const one of following) await one.return?.();
  });

  it('costs nothing for those who ask for nothing more, and is there when they do', async () => {
    const world = new World();
    await world.append();
    const following = await world.followers(followers);
    const [pagesRead, one] = [world.pagesRead, following[0]!];
    counts.opens = 0;
    for (let append = 0; append < APPENDS; append += 1) await world.append();
    expect(world.pagesRead).toBe(pagesRead);
    const late: unknown[] = [];
    while (late.length < APPENDS) late.push(...((await one.next()).value as FeedPage).events);
    expect(counts.opens).toBeLessThanOrEqual(2 * APPENDS);
    expect(late).toHaveLength(APPENDS);
    for (const each of following) await each.return?.();
  });
});
