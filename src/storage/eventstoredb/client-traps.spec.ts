import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import esdb from '@eventstore/db-client';
import { newBatch, newEvent, newStream, wholeStream } from '../../../test/support/event-batches.js';
import { EventStoreDbDouble } from '../../../test/support/eventstoredb/eventstoredb-double.js';
import { TcpFaultProxy } from '../../../test/support/tcp-fault-proxy.js';
import { AppendUnknownError, InvalidAppendError, StoreUnavailableError } from '../event-store.js';
import type { ConnectionTimes } from './connection-times.js';
import { EventStoreDbEventStore } from './eventstoredb-event-store.js';

/** What the client does that nobody expects, and that the adapter must not let through. */
describe('the traps of the EventStoreDB client', () => {
  let double: EventStoreDbDouble;
  const stores: EventStoreDbEventStore[] = [];

  beforeEach(async () => {
    double = await EventStoreDbDouble.start();
  });
  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close();
    double.stop();
    jest.restoreAllMocks();
  });

  function open(times: Partial<ConnectionTimes> = {}, url = double.url): EventStoreDbEventStore {
    const store = new EventStoreDbEventStore({ url, times });
    stores.push(store);
    return store;
  }

  it('data that is no JSON object settles the append, and comes back byte for byte', async () => {
    const store = open();
    const stream = newStream();
    const texts = ['not {json', '{"b":1,"a":2,"10":0,"9":0}', '{"n":1.0,"m":1e400}', 'null', '""'];
    await store.append(
      stream,
      'noStream',
      texts.map((data) => newEvent({ data, metadata: data })),
    );
    const stored = await wholeStream(store, stream);
    expect(stored.map(({ data }) => data)).toEqual(texts);
    expect(stored.map(({ metadata }) => metadata)).toEqual(texts);
  });

  it('a server that does not answer makes an append unknown, in a limited time', async () => {
    const store = open({ appendTryMs: 100, appendSettleMs: 300 });
    double.faults.plan = (operation) => (operation === 'append' ? 'silence' : undefined);
    const startedAtMs = performance.now();
    await expect(store.append(newStream(), 'noStream', newBatch(1))).rejects.toThrow(
      AppendUnknownError,
    );
    expect(performance.now() - startedAtMs).toBeLessThan(10_000);
  });

  it('an error on one connection does not settle the appends of another', async () => {
    const [one, other] = [open({ appendTryMs: 2_000 }), open()];
    double.faults.next('append', 'silence', 'requestLost');
    const [first, second] = [newStream(), newStream()];
    const slow = one.append(first, 'noStream', newBatch(1));
    await sleep(50);
    await other.append(second, 'noStream', newBatch(1));
    expect(await other.head(first)).toBe('noStream');
    await expect(slow).resolves.toMatchObject({ outcome: 'written', revision: 0 });
  });

  it('a conflict names the revision that the stream has', async () => {
    const store = open();
    const stream = newStream();
    await store.append(stream, 'noStream', newBatch(6));
    await expect(store.append(stream, 2, newBatch(1))).resolves.toEqual({
      outcome: 'refused',
      currentRevision: 5,
    });
  });

  it('a server that is away at the very first call gives a typed error, and is found later', async () => {
    const store = open();
    double.stop();
    const stream = newStream();
    await expect(store.append(stream, 'noStream', newBatch(1))).rejects.toThrow(AppendUnknownError);
    await double.restart();
    await expect(store.append(stream, 'noStream', newBatch(1))).resolves.toMatchObject({
      outcome: 'written',
    });
  }, 60_000);

  it('an id that is no UUID, or no event at all, is refused before the call', async () => {
    const store = open();
    for (const batch of [[], [newEvent({ eventId: 'no-uuid' })]]) {
      await expect(store.append(newStream(), 'noStream', batch)).rejects.toThrow(
        InvalidAppendError,
      );
    }
    expect(double.calls.seen).toEqual([]);
  });

  it('what is too large for the server is refused for good', async () => {
    const small = await EventStoreDbDouble.start({ appendBytesMax: 1_000 });
    const store = open({}, small.url);
    const data = JSON.stringify({ text: 'x'.repeat(2_000) });
    await expect(store.append(newStream(), 'noStream', [newEvent({ data })])).rejects.toThrow(
      InvalidAppendError,
    );
    small.stop();
  });

  it('a clock that is 15 seconds slow does not time appends out', async () => {
    const store = open();
    const real = Date.now;
    jest.spyOn(Date, 'now').mockImplementation(() => real() - 15_000);
    await expect(store.append(newStream(), 'noStream', newBatch(1))).resolves.toMatchObject({
      outcome: 'written',
    });
  });

  it('a closed store does not connect again', async () => {
    const store = open();
    const stream = newStream();
    await store.append(stream, 'noStream', newBatch(1));
    await store.close();
    const calls = double.calls.seen.length;
    for (const use of [
      () => store.append(stream, 0, newBatch(1)),
      () => store.head(stream),
      () => store.saveSnapshot(stream, { revision: 0, schemaVersion: 1, state: '{}' }),
    ]) {
      await expect(use()).rejects.toThrow(StoreUnavailableError);
    }
    expect(double.calls.seen).toHaveLength(calls);
  });

  it('closing ends at once, whatever is under way, and leaves no call open', async () => {
    const store = open();
    const stream = newStream();
    await store.append(stream, 'noStream', newBatch(50));
    const stop = new AbortController();
    for await (const page of store.subscribeAll(0n, { maxCount: 1, signal: stop.signal })) {
      if (page.events.length > 0) break;
    }
    double.faults.next('read', 'silence');
    const reason = store.head(stream).catch((error: unknown) => error);
    const startedAtMs = performance.now();
    await store.close();
    expect(await reason).toBeInstanceOf(StoreUnavailableError);
    expect(performance.now() - startedAtMs).toBeLessThan(1_500);
    await sleep(100);
    expect(double.calls.open.size).toBe(0);
  });

  it('a read that is cut in the middle is read again, whole', async () => {
    const store = open();
    const stream = newStream();
    await store.append(stream, 'noStream', newBatch(5));
    double.faults.next('read', 'cut');
    expect(await wholeStream(store, stream)).toHaveLength(5);
  });

  it('a read without an answer ends with a typed error', async () => {
    const store = open({ readSilenceMs: 100 });
    double.faults.next('read', 'silence');
    await expect(store.head(newStream())).rejects.toThrow(StoreUnavailableError);
  });

  it('a network that swallows everything ends calls in time, and is used again afterwards', async () => {
    const proxy = await TcpFaultProxy.start(double.port);
    const times = { appendTryMs: 200, appendSettleMs: 400, probeMs: 200, readSilenceMs: 200 };
    const store = open(times, `esdb://127.0.0.1:${proxy.port}?tls=false`);
    const stream = newStream();
    const batch = newBatch(1);
    await store.append(stream, 'noStream', newBatch(1));
    proxy.silence();
    await expect(store.append(stream, 0, batch)).rejects.toThrow(AppendUnknownError);
    await expect(store.append(stream, 0, batch)).rejects.toThrow(StoreUnavailableError);
    proxy.speak();
    let outcome: unknown;
    while (outcome === undefined) {
      outcome = await store.append(stream, 0, batch).catch(() => sleep(20));
    }
    expect(outcome).toMatchObject({ outcome: 'written', revision: 1 });
    expect(await wholeStream(store, stream)).toHaveLength(2);
    await proxy.stop();
  });

  it('a stream that somebody deleted for good is an error, not an empty stream', async () => {
    const store = open();
    const stream = newStream();
    await store.append(stream, 'noStream', newBatch(1));
    const client = esdb.EventStoreDBClient.connectionString(double.url);
    await client.tombstoneStream(stream);
    await client.dispose();
    await expect(store.head(stream)).rejects.toThrow(/is deleted/);
    await expect(store.append(stream, 0, newBatch(1))).rejects.toThrow(/deleted .* for good/);
  });

  it('what others write into a stream of Holdfast is named, not skipped', async () => {
    const store = open();
    const stream = newStream();
    const client = esdb.EventStoreDBClient.connectionString(double.url);
    await client.appendToStream(stream, esdb.jsonEvent({ type: 'Foreign', data: {} }));
    await client.dispose();
    await expect(wholeStream(store, stream)).rejects.toThrow(/was not written by Holdfast/);
  });
});
