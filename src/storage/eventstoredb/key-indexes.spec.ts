import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { newEvent, newStream } from '../../../test/support/event-batches.js';
import { EventStoreDbDouble } from '../../../test/support/eventstoredb/eventstoredb-double.js';
import { EventStoreDbEventStore } from './eventstoredb-event-store.js';
import { CHUNK_REVISIONS, KeyChunk, hashOfKey } from './key-chunk.js';
import { StreamKeyIndex } from './stream-key-index.js';

const word = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');

describe('the index of a stream', () => {
  it('finds what a look at every event finds, over full chunks and the open end', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(word, { maxLength: 3 }), { maxLength: 40 }),
        fc.nat(2 * CHUNK_REVISIONS + 20),
        fc.array(word, { maxLength: 4 }),
        (pattern, count, wanted) => {
          const index = new StreamKeyIndex([]);
          const keysAt = (revision: number) => pattern[revision % (pattern.length + 1)] ?? [];
          const revisions = Array.from({ length: count }, (_, revision) => revision);
          for (const revision of revisions) index.add(revision, keysAt(revision));
          expect(index.find(wanted)).toEqual(
            revisions.filter((revision) => keysAt(revision).some((key) => wanted.includes(key))),
          );
        },
      ),
      { numRuns: 40 },
    );
  });

  it('takes each revision once, and none out of order', () => {
    const index = new StreamKeyIndex([]);
    index.add(0, ['a']);
    index.add(0, ['b']);
    index.add(2, ['c']);
    expect(index.revision).toBe(0);
    expect(index.find(['a', 'b', 'c'])).toEqual([0]);
  });

  it('keeps two keys of one hash at their revisions', () => {
    const chunk = KeyChunk.of([
      { hash: 5, offset: 7 },
      { hash: 5, offset: 3 },
      { hash: 4, offset: 1 },
      { hash: 2 ** 48 - 1, offset: 511 },
    ]);
    const again = KeyChunk.from(chunk.bytes)!;
    expect(again.find(5)).toEqual([3, 7]);
    expect(again.find(2 ** 48 - 1)).toEqual([511]);
    expect(again.find(6)).toEqual([]);
    expect(KeyChunk.from(Buffer.alloc(9))).toBeUndefined();
    expect(hashOfKey('a')).not.toBe(hashOfKey('b'));
  });
});

describe('keys on EventStoreDB', () => {
  const EVENTS = 2 * CHUNK_REVISIONS + 100;
  let double: EventStoreDbDouble;
  let stream: string;
  const problems: string[] = [];
  const stores: EventStoreDbEventStore[] = [];

  beforeEach(async () => {
    double = await EventStoreDbDouble.start();
    stream = newStream();
    problems.length = 0;
  });
  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close();
    double.stop();
  });

  function open(): EventStoreDbEventStore {
    const report = (problem: string) => problems.push(problem);
    const store = new EventStoreDbEventStore({ url: double.url, report });
    stores.push(store);
    return store;
  }

  async function fill(store: EventStoreDbEventStore, to = EVENTS, from = 0): Promise<void> {
    for (let first = from; first < to; first += 100) {
      const batch = Array.from({ length: Math.min(100, to - first) }, (_, index) =>
        newEvent({ keys: [`id:${first + index}`, `hundred:${Math.floor((first + index) / 100)}`] }),
      );
      await store.append(stream, first === 0 ? 'noStream' : first - 1, batch);
    }
  }

  async function revisionsOf(store: EventStoreDbEventStore, ...keys: string[]): Promise<number[]> {
    return (await store.findByKeys(stream, keys)).map(({ revision }) => revision);
  }

  async function chunksStored(count: number): Promise<void> {
    while (double.log.recordsOf(`keys-${stream}`).length < count) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  it('another process reads the chunks and the tail, not the whole stream', async () => {
    const store = open();
    await store.findByKeys(stream, ['id:0']);
    await fill(store);
    expect(await revisionsOf(store, 'id:0', 'id:511', 'id:512', 'id:1123')).toEqual([
      0, 511, 512, 1_123,
    ]);
    await chunksStored(2);
    const other = open();
    const before = double.calls.eventsSent;
    expect(await revisionsOf(other, 'id:3', 'id:700', 'id:1100')).toEqual([3, 700, 1_100]);
    expect(double.calls.eventsSent - before).toBeLessThan(150);
    expect(await revisionsOf(other, 'hundred:9')).toHaveLength(100);
    expect(problems).toEqual([]);
  });

  it('a process that has the index reads nothing but what is new', async () => {
    const store = open();
    await fill(store, 300);
    await store.findByKeys(stream, ['id:0']);
    const before = double.calls.eventsSent;
    await fill(store, 400, 300);
    expect(await revisionsOf(store, 'id:9999')).toEqual([]);
    expect(double.calls.eventsSent).toBe(before);
    const other = open();
    await fill(other, 500, 400);
    expect(await revisionsOf(store, 'id:450')).toEqual([450]);
    expect(double.calls.eventsSent - before).toBeLessThan(110);
  });

  it('many who ask at once, and write meanwhile, all get the truth', async () => {
    const [store, other] = [open(), open()];
    await fill(store, 600);
    const asked = Array.from({ length: 20 }, (_, index) =>
      revisionsOf(index % 2 === 0 ? store : other, `id:${index * 30}`),
    );
    const [found] = await Promise.all([Promise.all(asked), fill(other, 700, 600)]);
    expect(found).toEqual(Array.from({ length: 20 }, (_, index) => [index * 30]));
    expect(await revisionsOf(store, 'id:699', 'id:0')).toEqual([0, 699]);
  });

  it('a chunk that could not be stored is stored by the next reader', async () => {
    const store = open();
    await store.findByKeys(stream, ['id:0']);
    await fill(store, 500);
    double.faults.plan = (operation, name) =>
      operation === 'append' && name.startsWith('keys-') ? 'requestLost' : undefined;
    await fill(store, 600, 500);
    while (problems.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(problems.join()).toMatch(/the index of keys was not stored/);
    double.faults.plan = () => undefined;
    await fill(store, EVENTS, 600);
    expect(await revisionsOf(open(), 'id:511', 'id:1000')).toEqual([511, 1_000]);
    await chunksStored(2);
  });

  it('a found key is the whole key, not its hash', async () => {
    const store = open();
    await store.append(stream, 'noStream', [newEvent({ keys: ['x'] }), newEvent({ keys: ['xx'] })]);
    expect(await revisionsOf(store, 'x')).toEqual([0]);
    expect(await revisionsOf(store, 'xxx', '')).toEqual([]);
  });
});
