import { describe, expect, it } from '@jest/globals';
import { EventCodec } from '../storage/event-codec.js';
import { eventId, sessionStream } from '../identity/derived-ids.js';
import { MemoryEventStore } from '../storage/memory/memory-event-store.js';
import { NewEvents } from './new-events.js';

const TENANT = 'acme';
const codec = new EventCodec();

/** Counts how many follow the log. */
class WatchedStore extends MemoryEventStore {
  following = 0;
  begun = 0;

  override async *subscribeAll(...parameters: Parameters<MemoryEventStore['subscribeAll']>) {
    this.following += 1;
    this.begun += 1;
    try {
      yield* super.subscribeAll(...parameters);
    } finally {
      this.following -= 1;
    }
  }
}

async function append(store: MemoryEventStore, sessionId: string): Promise<void> {
  const event = { type: 'SessionLabelled', data: { set: {}, removed: [] } } as const;
  const metadata = { tenantId: TENANT, actor: 'a', commandType: 'C', commandId: 'c' };
  const id = eventId(TENANT, sessionId, 'C', 'c', 0);
  const encoded = codec.encode({ eventId: id, event, metadata, recordedAtMs: 0 });
  await store.append(sessionStream(TENANT, sessionId), 'noStream', [encoded]);
}

const soon = () => new Promise((resolve) => setTimeout(resolve, 20));
const never = new AbortController().signal;

describe('those who wait for new events', () => {
  it('are woken by what they wait for, and by nothing else', async () => {
    const store = new MemoryEventStore();
    const news = new NewEvents(store);
    const one = await news.watch({ stream: sessionStream(TENANT, 'one') });
    const other = await news.watch({ stream: sessionStream(TENANT, 'other') });
    const all = await news.watch({ tenantId: TENANT });
    const foreign = await news.watch({ tenantId: 'umbrella' });
    const counts = [one, other, all, foreign].map(({ changes }) => changes.changeCount);
    await append(store, 'one');
    await one.changes.wait(counts[0]!, never);
    await soon();
    const after = [one, other, all, foreign].map(({ changes }) => changes.changeCount);
    expect(after.map((count, index) => count - counts[index]!)).toEqual([1, 0, 1, 0]);
    for (const watch of [one, other, all, foreign]) watch.close();
  });

  it('miss nothing that is written once they may begin to read', async () => {
    const store = new MemoryEventStore();
    const news = new NewEvents(store);
    for (let round = 0; round < 50; round += 1) {
      const watch = await news.watch({ stream: sessionStream(TENANT, `s${round}`) });
      const count = watch.changes.changeCount;
      await append(store, `s${round}`);
      await watch.changes.wait(count, never);
      expect(watch.changes.changeCount).toBe(count + 1);
      watch.close();
    }
  });

  it('cost one reading of the log together, and none when they are gone', async () => {
    const store = new WatchedStore();
    const news = new NewEvents(store);
    const topics = Array.from({ length: 20 }, (_, index) => ({ stream: `session-acme.s${index}` }));
    const watches = await Promise.all(topics.map((topic) => news.watch(topic)));
    await soon();
    expect([store.following, store.begun]).toEqual([1, 1]);
    for (const watch of watches) watch.close();
    await soon();
    expect(store.following).toBe(0);
    const again = await news.watch(topics[0]!);
    await append(store, 's0');
    await again.changes.wait(0, never);
    again.close();
  });

  it('have the newest page from memory if they have seen all before, and forget it with a session', async () => {
    const store = new MemoryEventStore();
    const news = new NewEvents(store);
    await append(store, 'before');
    const watch = await news.watch({ tenantId: TENANT });
    const count = watch.changes.changeCount;
    await append(store, 'one');
    await watch.changes.wait(count, never);
    const seen = (after: bigint, tenantId = TENANT) =>
      news.pageAfter(after, sessionStream(tenantId, ''))?.events.map(({ position }) => position);
    expect([seen(1n), seen(2n)]).toEqual([[2n], []]);
    expect(seen(1n, 'umbrella')).toEqual([]);
    // What stands elsewhere in the log is the store's to read.
    expect([seen(0n), seen(3n)]).toEqual([undefined, undefined]);
    news.forget(sessionStream(TENANT, 'before'));
    expect(seen(1n)).toEqual([2n]);
    news.forget(sessionStream(TENANT, 'one'));
    expect([seen(1n), seen(2n)]).toEqual([undefined, undefined]);
    watch.close();
  });
});
