import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type AllFilter,
  type EventStore,
  type RecordedEvent,
} from '../../src/storage/event-store.js';
import { allBehind, idsOf, newBatch, newStream } from '../support/event-batches.js';
import { same } from '../support/same.js';
import type { Scenario } from '../support/scenarios.js';

export const readAllScenarios: readonly Scenario<EventStore>[] = [
  {
    name: 'all streams are read in the order of their commits, from a position on',
    async run(store) {
      const [one, other] = [newStream(), newStream()];
      const before = await store.headPosition();
      const batches = [newBatch(2), newBatch(1), newBatch(2)];
      const [first, second, third] = batches;
      assert.ok(first && second && third);
      await store.append(one, 'noStream', first);
      await store.append(other, 'noStream', second);
      const last = await store.append(one, 1, third);
      assert.ok(last.outcome === 'written');
      const events = await allBehind(store, before, 'session-contract.');
      const ours = events.filter(({ stream }) => stream === one || stream === other);
      same(idsOf(ours), idsOf(batches.flat()));
      assert.ok(last.position <= (await store.headPosition()));
      const rest = await allBehind(store, ours[2]?.position ?? 0n, one);
      same(idsOf(rest), idsOf(third));
    },
  },
  {
    name: 'a page passes over the events that its filter leaves out',
    async run(store) {
      const [one, other] = [newStream(), newStream()];
      const before = await store.headPosition();
      await store.append(one, 'noStream', newBatch(5));
      const last = await store.append(other, 'noStream', newBatch(1));
      const page = await store.readAll(before, 1_000, { streamPrefix: other });
      assert.equal(page.events.length, 1);
      assert.ok(last.outcome === 'written' && page.next >= last.position);
      same(await allBehind(store, page.next, one), []);
    },
  },
  {
    name: 'behind the newest event there is nothing, and the place to go on stays',
    async run(store) {
      const stream = newStream();
      const before = await store.headPosition();
      const last = await store.append(stream, 'noStream', newBatch(1));
      assert.ok(last.outcome === 'written' && last.position > before);
      assert.equal((await allBehind(store, before, stream)).length, 1);
      const page = await store.readAll(last.position, 10, { streamPrefix: stream });
      same(page.events, []);
      assert.ok(page.next >= last.position);
      assert.equal(page.caughtUp, true);
    },
  },
  {
    name: 'streams of every kind move the newest position, and are followed',
    async run(store) {
      for (const kind of ['session', 'tenant', 'budget', 'audit']) {
        const stream = newStream(kind);
        const after = await store.headPosition();
        const batch = newBatch(2);
        const last = await store.append(stream, 'noStream', batch);
        assert.ok(last.outcome === 'written' && last.position <= (await store.headPosition()));
        const events = await collect(store, stream, after, 2, {});
        same(idsOf(events), idsOf(batch));
      }
    },
  },
  {
    name: 'a subscription catches up and goes on live, each event once and in order',
    async run(store) {
      const stream = newStream();
      const after = await store.headPosition();
      const batches = [newBatch(3), newBatch(2), newBatch(1)];
      const [first, second, third] = batches;
      assert.ok(first && second && third);
      await store.append(stream, 'noStream', first);
      const following = collect(store, stream, after, 6);
      await sleep(20);
      await store.append(stream, 2, second);
      await sleep(20);
      await store.append(stream, 4, third);
      const events = await following;
      same(idsOf(events), idsOf(batches.flat()));
    },
  },
  {
    name: 'a subscription goes on from a position without gap or double',
    async run(store) {
      const stream = newStream();
      const after = await store.headPosition();
      const batch = newBatch(5);
      await store.append(stream, 'noStream', batch);
      const head = (await collect(store, stream, after, 2)).slice(0, 2);
      const tail = await collect(store, stream, head[1]?.position ?? 0n, 3);
      same(idsOf([...head, ...tail]), idsOf(batch));
    },
  },
  {
    name: 'a slow consumer misses nothing, and its next page is read when it asks',
    async run(store) {
      const stream = newStream();
      const after = await store.headPosition();
      const stop = new AbortController();
      const options = { maxCount: 2, signal: stop.signal, filter: { streamPrefix: stream } };
      const seen: string[] = [];
      const written = newBatch(9);
      await store.append(stream, 'noStream', written.slice(0, 1));
      for await (const page of store.subscribeAll(after, options)) {
        assert.ok(page.events.length <= 2);
        if (seen.length === 0) await store.append(stream, 0, written.slice(1));
        seen.push(...idsOf(page.events));
        if (seen.length === 9) stop.abort();
      }
      same(seen, idsOf(written));
    },
  },
  {
    name: 'a subscription with nothing to read says at once that it is caught up',
    async run(store) {
      const stop = new AbortController();
      const after = await store.headPosition();
      const pages = store.subscribeAll(after, { maxCount: 10, signal: stop.signal });
      let caughtUp = false;
      for await (const page of pages) {
        caughtUp = page.caughtUp;
        if (caughtUp) stop.abort();
      }
      assert.equal(caughtUp, true);
    },
  },
  {
    name: 'aborting ends a subscription that waits',
    async run(store) {
      const stream = newStream();
      const stop = new AbortController();
      const after = await store.headPosition();
      await store.append(stream, 'noStream', newBatch(1));
      let events = 0;
      const options = { maxCount: 10, signal: stop.signal, filter: { streamPrefix: stream } };
      for await (const page of store.subscribeAll(after, options)) {
        events += page.events.length;
        if (events === 1) setTimeout(() => stop.abort(), 30);
      }
      assert.equal(events, 1);
    },
  },
];

/** The first `count` events of the stream behind a position, as a subscription delivers them. */
async function collect(
  store: EventStore,
  stream: string,
  after: bigint,
  count: number,
  filter: AllFilter | undefined = { streamPrefix: stream },
): Promise<readonly RecordedEvent[]> {
  const stop = new AbortController();
  const events: RecordedEvent[] = [];
  for await (const page of store.subscribeAll(after, {
    maxCount: 2,
    signal: stop.signal,
    filter,
  })) {
    events.push(...page.events.filter((event) => event.stream === stream));
    if (events.length >= count) stop.abort();
  }
  return events;
}
