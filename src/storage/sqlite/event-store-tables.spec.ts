import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { idsOf, newBatch, newEvent, newStream } from '../../../test/support/event-batches.js';
import { type TemporaryFolder, temporaryFolder } from '../../../test/support/temporary-folder.js';
import { connectToFile } from './connection.js';
import type { Connection } from './database-schema.js';
import { digestOf, hashOf } from './key-digest.js';
import { SqliteEventStore } from './sqlite-event-store.js';

jest.setTimeout(60_000);

/** Events up to `count`, each with a key that names its revision. */
async function appendKeyed(
  store: SqliteEventStore,
  stream: string,
  count: number,
  batch = 100,
  from = -1,
): Promise<void> {
  for (let head = from; head + 1 < count; head += batch) {
    const events = newBatch(Math.min(batch, count - head - 1)).map((one, index) => ({
      ...one,
      keys: [`id:${head + 1 + index}`],
    }));
    await store.append(stream, head < 0 ? 'noStream' : head, events);
  }
}

describe('the tables of the event store', () => {
  let folder: TemporaryFolder;
  let store: SqliteEventStore;
  let connection: Connection;

  beforeEach(async () => {
    folder = temporaryFolder();
    const file = `${folder.path}/events.sqlite`;
    store = await SqliteEventStore.open({ file });
    connection = connectToFile(file, 100);
  });
  afterEach(async () => {
    connection.close();
    await store.close();
    folder.remove();
  });

  it('hold (stream, revision) and the first id of a batch once, whoever writes', async () => {
    await store.append(newStream(), 'noStream', newBatch(2));
    const copy = (position: number, revision: number) =>
      connection.exec(
        `INSERT INTO events SELECT 10, stream, ${revision}, type, begins_batch, recorded_at_ms,
           event_id, keys, data, metadata FROM events WHERE position = ${position}`,
      );
    expect(() => copy(2, 0)).toThrow(/UNIQUE constraint failed: events.stream, events.revision/);
    expect(() => copy(1, 9)).toThrow(/UNIQUE constraint failed: events.event_id/);
  });

  it('find keys at every state of the index, whoever moved it and whatever was rolled back', async () => {
    const stream = newStream();
    const other = await SqliteEventStore.open({ file: `${folder.path}/events.sqlite` });
    const places = async (count: number) => {
      const keys = [...Array(count + 2).keys()].map((revision) => `id:${revision}`);
      const found: number[] = [];
      for (const key of keys) {
        for (const { revision } of await store.findByKeys(stream, [key])) found.push(revision);
      }
      return found;
    };
    for (const [count, writer] of [
      [300, store],
      [320, store],
      [610, store],
      [900, other],
      [930, store],
      [1_300, store],
    ] as const) {
      const head = await store.head(stream);
      await appendKeyed(writer, stream, count, 30, head === 'noStream' ? -1 : head);
      expect(await places(count)).toEqual([...Array(count).keys()]);
    }
    await other.close();
  });

  it('index keys in bulk, and take no entry of another key for a match', async () => {
    const stream = newStream();
    for (let head = -1; head < 299; head += 100) {
      const batch = newBatch(100).map((one, index) => ({
        ...one,
        keys: [`id:${head + 1 + index}`],
      }));
      await store.append(stream, head < 0 ? 'noStream' : head, batch);
    }
    const indexed = connection.prepare('SELECT count(*) FROM event_keys').pluck().get();
    expect(indexed).toBe(300);
    const collision = (hashOf(digestOf('id:other')) << 12n) | 5n;
    connection.prepare('INSERT INTO event_keys VALUES (1, 0, ?)').run(collision);
    expect(await store.findByKeys(stream, ['id:other'])).toEqual([]);
    const found = await store.findByKeys(stream, ['id:5', 'id:299']);
    expect(found.map(({ revision }) => revision)).toEqual([5, 299]);
  });

  it('find keys of streams that span several runs of the index', async () => {
    const stream = newStream();
    for (let head = -1; head < 8_999; head += 100) {
      const batch = newBatch(100).map((one, index) => ({
        ...one,
        keys: [`id:${head + 1 + index}`],
      }));
      await store.append(stream, head < 0 ? 'noStream' : head, batch);
    }
    const wanted = [0, 4_095, 4_096, 8_191, 8_192, 8_999];
    const found = await store.findByKeys(
      stream,
      wanted.map((at) => `id:${at}`),
    );
    expect(found.map(({ revision }) => revision)).toEqual(wanted);
    expect(connection.prepare('SELECT max(run) FROM event_keys').pluck().get()).toBe(2);
    const filters = connection.prepare('SELECT run FROM key_filters ORDER BY run').pluck();
    expect(filters.all()).toEqual([0, 1]);
  });

  it('find keys of runs that were full before runs had filters', async () => {
    const stream = newStream();
    await appendKeyed(store, stream, 8_200);
    connection.exec('DELETE FROM key_filters WHERE run = 0');
    const found = await store.findByKeys(stream, ['id:3', 'id:5000', 'id:8199', 'id:8200']);
    expect(found.map(({ revision }) => revision)).toEqual([3, 5_000, 8_199]);
  });

  it('filter a run that ends exactly where the index was caught up', async () => {
    const stream = newStream();
    await appendKeyed(store, stream, 4_096, 32);
    await appendKeyed(store, stream, 8_192, 32, 4_095);
    const filters = connection.prepare('SELECT run FROM key_filters ORDER BY run').pluck();
    expect(filters.all()).toEqual([0, 1]);
  });

  it('keep the newest snapshots, and older ones the farther apart the larger they are', async () => {
    const countOf = connection.prepare('SELECT count(*) FROM snapshots WHERE stream = ?').pluck();
    const [small, large] = [newStream(), newStream()];
    for (let revision = 64; revision <= 3_840; revision += 64) {
      const states = { [small]: `${revision}`, [large]: `"${'x'.repeat(10_000)}"` };
      await Promise.all(
        Object.entries(states).map(([stream, state]) =>
          store.saveSnapshot(stream, { revision, schemaVersion: 2, state }),
        ),
      );
    }
    expect(countOf.get(small)).toBe(60);
    expect(countOf.get(large)).toBe(23);
    for (const stream of [small, large]) {
      expect((await store.loadSnapshot(stream, 2))?.revision).toBe(3_840);
      expect((await store.loadSnapshot(stream, 2, 3_800))?.revision).toBe(3_776);
      const older = (await store.loadSnapshot(stream, 2, 2_000))?.revision ?? 0;
      expect(older).toBeGreaterThan(2_000 - 192);
    }
  });

  it('drop snapshots of shapes that no running version reads', async () => {
    const stream = newStream();
    for (const schemaVersion of [1, 2, 3]) {
      await store.saveSnapshot(stream, { revision: 8, schemaVersion, state: '{}' });
    }
    expect(await store.loadSnapshot(stream, 1)).toBeUndefined();
    expect((await store.loadSnapshot(stream, 2))?.revision).toBe(8);
  });

  it('wake a subscription of another connection, as of another process', async () => {
    const other = await SqliteEventStore.open({ file: `${folder.path}/events.sqlite` });
    const stop = new AbortController();
    const seen: string[] = [];
    const written = [newEvent(), newEvent()];
    const stream = newStream();
    for await (const page of other.subscribeAll(0n, { maxCount: 10, signal: stop.signal })) {
      seen.push(...idsOf(page.events));
      if (seen.length === 2) stop.abort();
      const next = written[seen.length];
      const expected = seen.length === 0 ? 'noStream' : 0;
      if (next) setTimeout(() => void store.append(stream, expected, [next]), 40);
    }
    expect(seen).toEqual(idsOf(written));
    await other.close();
  });
});
