import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import esdb from '@eventstore/db-client';
import { idsOf, newBatch, newStream } from '../../../test/support/event-batches.js';
import { EventStoreDbDouble } from '../../../test/support/eventstoredb/eventstoredb-double.js';
import type { AllPage } from '../event-store.js';
import type { ConnectionTimes } from './connection-times.js';
import { EventStoreDbEventStore } from './eventstoredb-event-store.js';

describe('subscriptions to EventStoreDB when calls fail', () => {
  let double: EventStoreDbDouble;
  const problems: string[] = [];
  const stores: EventStoreDbEventStore[] = [];

  beforeEach(async () => {
    double = await EventStoreDbDouble.start();
    problems.length = 0;
  });
  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close();
    double.stop();
  });

  function open(times: Partial<ConnectionTimes> = {}): EventStoreDbEventStore {
    const report = (problem: string) => problems.push(problem);
    const store = new EventStoreDbEventStore({ url: double.url, times, report });
    stores.push(store);
    return store;
  }

  /** Pages until these events came. */
  async function follow(
    store: EventStoreDbEventStore,
    count: number,
    options: { after?: bigint; maxCount?: number; onPage?: (page: AllPage) => unknown } = {},
  ): Promise<AllPage[]> {
    const { after = 0n, maxCount = 100, onPage } = options;
    const stop = new AbortController();
    const pages: AllPage[] = [];
    const filter = { streamPrefix: 'session-' };
    let events = 0;
    for await (const page of store.subscribeAll(after, { maxCount, signal: stop.signal, filter })) {
      pages.push(page);
      events += page.events.length;
      await onPage?.(page);
      if (events >= count) stop.abort();
    }
    return pages;
  }

  async function writeForeign(count: number, stream = 'other-1'): Promise<void> {
    const client = esdb.EventStoreDBClient.connectionString(double.url);
    for (let index = 0; index < count; index += 20) {
      const events = Array.from({ length: 20 }, () => esdb.jsonEvent({ type: 'T', data: {} }));
      await client.appendToStream(stream, events);
    }
    await client.dispose();
  }

  it('goes on where it was when it is dropped, refused, cut, or the server restarts', async () => {
    const store = open({ resubscribeMaxMs: 200 });
    const stream = newStream();
    const written = newBatch(40);
    await store.append(stream, 'noStream', written.slice(0, 10));
    let step = 0;
    const pages = await follow(store, 40, {
      maxCount: 10,
      onPage: async ({ events }) => {
        if (events.length === 0) return;
        step += 1;
        if (step === 1) double.dropCalls();
        if (step === 2) double.faults.next('subscribe', 'requestLost', 'cut');
        if (step === 2) double.dropCalls();
        if (step === 3) await double.restart();
        const head = await store.head(stream);
        if (head === 'noStream' || head >= 39) return;
        await store.append(stream, head, written.slice(head + 1, head + 11));
      },
    });
    expect(pages.flatMap(({ events }) => idsOf(events))).toEqual(idsOf(written));
    expect(problems.length).toBeGreaterThan(1);
  });

  it('makes a subscription anew that is never confirmed', async () => {
    const store = open({ confirmationMs: 100 });
    await store.append(newStream(), 'noStream', newBatch(1));
    double.faults.next('subscribe', 'silence');
    await follow(store, 1);
    expect(problems.join()).toMatch(/no answer to a subscription/);
  });

  it('makes a subscription anew that hears nothing, and is then past the events of others', async () => {
    const store = open({ subscriptionSilenceMs: 150 });
    const stream = newStream();
    await store.append(stream, 'noStream', newBatch(1));
    let foreign = false;
    const pages: AllPage[] = [];
    const stop = new AbortController();
    for await (const page of store.subscribeAll(0n, { maxCount: 10, signal: stop.signal })) {
      pages.push(page);
      if (!foreign) await writeForeign(20);
      foreign = true;
      if (page.next === double.log.records.at(-1)?.position) stop.abort();
    }
    expect(double.calls.countOf('subscribe')).toBeGreaterThan(1);
    expect(problems).toEqual([]);
  });

  it('never gives a position that is beyond an event which was not given yet', async () => {
    const store = open();
    const stream = newStream();
    await store.append(stream, 'noStream', newBatch(20));
    await writeForeign(2_000);
    await store.append(stream, 19, newBatch(20));
    await writeForeign(2_000, 'other-2');
    const own = await store.read(stream, { from: 0, maxCount: 100 });
    let given = 0;
    const pages = await follow(store, 40, {
      maxCount: 3,
      onPage: async (page) => {
        given += page.events.length;
        const before = own.filter(({ position }) => position <= page.next);
        expect(before).toHaveLength(given);
        await sleep(5);
      },
    });
    expect(given).toBe(40);
    const quiet = pages.filter(({ events }) => events.length === 0);
    expect(quiet.every(({ next }, index) => index === 0 || next > quiet[index - 1]!.next)).toBe(
      true,
    );
  });

  it('a consumer that fails gets its own error, whatever the server reports of positions meanwhile', async () => {
    const store = open();
    await store.append(newStream(), 'noStream', newBatch(20));
    await writeForeign(2_000);
    const failing = follow(store, 1_000, {
      maxCount: 3,
      onPage: async () => {
        await sleep(5);
        throw new Error('the consumer failed');
      },
    });
    await expect(failing).rejects.toThrow('the consumer failed');
    const pages = await follow(store, 20);
    expect(pages.flatMap(({ events }) => events)).toHaveLength(20);
  });

  it('moves over the events of others while it catches up', async () => {
    const store = open();
    await store.append(newStream(), 'noStream', newBatch(1));
    await writeForeign(4_000);
    const stop = new AbortController();
    let last: AllPage | undefined;
    for await (const page of store.subscribeAll(0n, { maxCount: 10, signal: stop.signal })) {
      last = page;
      if (page.caughtUp) stop.abort();
    }
    expect(last?.next).toBe(double.log.records.at(-1)?.position);
  });

  it('reads no further than the consumer asks', async () => {
    const store = open();
    const stream = newStream();
    const large = { data: JSON.stringify({ text: 'x'.repeat(50_000) }) };
    let head: number | 'noStream' = 'noStream';
    for (let index = 0; index < 24; index += 1) {
      const outcome = await store.append(stream, head, newBatch(10, large));
      head = outcome.outcome === 'written' ? outcome.revision : head;
    }
    let seen = 0;
    await follow(store, 240, {
      maxCount: 2,
      onPage: async ({ events }) => {
        seen += events.length;
        expect(events.length).toBeLessThanOrEqual(2);
        if (seen !== 2) return;
        await sleep(300);
        expect(double.calls.eventsSent).toBeLessThan(150);
      },
    });
    expect(seen).toBe(240);
    expect(double.calls.eventsSent).toBe(240);
  });

  it('says that a position is not one of this server, and does not try for ever', async () => {
    const store = open();
    await store.append(newStream(), 'noStream', newBatch(2));
    const wrong = (await store.headPosition()) - 1n;
    await expect(follow(store, 1, { after: wrong })).rejects.toThrow(/must be rebuilt/);
    expect(double.calls.countOf('subscribe')).toBe(1);
  });

  it('throws when the store is closed, and ends when it is told to', async () => {
    const store = open();
    await store.append(newStream(), 'noStream', newBatch(1));
    await expect(follow(store, 2, { onPage: () => store.close() })).rejects.toThrow(/closed/);
  });
});
