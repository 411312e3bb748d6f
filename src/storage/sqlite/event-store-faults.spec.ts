import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { idsOf, newBatch, newStream, wholeStream } from '../../../test/support/event-batches.js';
import { type Faults, faultyConnect } from '../../../test/support/faulty-connect.js';
import { type TemporaryFolder, temporaryFolder } from '../../../test/support/temporary-folder.js';
import { AppendUnknownError, StoreUnavailableError } from '../event-store.js';
import { connectToFile } from './connection.js';
import { SqliteEventStore } from './sqlite-event-store.js';

jest.setTimeout(60_000);

describe('the event store on SQLite, when the disk fails', () => {
  let folder: TemporaryFolder;
  let faults: Faults;
  let store: SqliteEventStore;

  beforeEach(async () => {
    folder = temporaryFolder();
    faults = { connections: [] };
    const file = `${folder.path}/events.sqlite`;
    store = await SqliteEventStore.open({ file, connect: faultyConnect(faults) });
  });
  afterEach(async () => {
    await store.close();
    folder.remove();
  });

  it('calls an I/O error at commit unknown, for all that waited, and goes on', async () => {
    const work = [1, 2, 3].map((count) => ({ stream: newStream(), batch: newBatch(count) }));
    const appendAll = () =>
      Promise.allSettled(work.map(({ stream, batch }) => store.append(stream, 'noStream', batch)));
    faults.commit = 'failsBeforeIt';
    for (const outcome of await appendAll()) {
      expect(outcome.status).toBe('rejected');
      expect((outcome as PromiseRejectedResult).reason).toBeInstanceOf(AppendUnknownError);
    }
    for (const outcome of await appendAll()) {
      expect(outcome).toMatchObject({ value: { outcome: 'written', repeated: false } });
    }
    for (const { stream, batch } of work) {
      expect(idsOf(await wholeStream(store, stream))).toEqual(idsOf(batch));
    }
    expect(faults.connections).toHaveLength(2);
  });

  it('finds the batch that was written although its fsync failed, and writes it once', async () => {
    const stream = newStream();
    const batch = newBatch(3, { keys: ['call:1'] });
    faults.commit = 'failsAfterIt';
    await expect(store.append(stream, 'noStream', batch)).rejects.toThrow(AppendUnknownError);
    expect(await store.head(stream)).toBe(2);
    const again = await store.append(stream, 'noStream', batch);
    expect(again).toMatchObject({ outcome: 'written', repeated: true, revision: 2 });
    expect(idsOf(await wholeStream(store, stream))).toEqual(idsOf(batch));
    expect(await store.findByKeys(stream, ['call:1'])).toHaveLength(3);
  });

  it('syncs what it finds after a failed fsync before it answers from it', async () => {
    const stream = newStream();
    faults.commit = 'failsAfterIt';
    await expect(store.append(stream, 'noStream', newBatch(1))).rejects.toThrow(AppendUnknownError);
    await store.head(stream);
    const connection = faults.connections[1];
    expect(connection?.pragma('wal_checkpoint(NOOP)')).toEqual([
      { busy: 0, log: 0, checkpointed: 0 },
    ]);
  });

  it('says that it is unavailable until it can be opened again, and then serves', async () => {
    const stream = newStream();
    const batch = newBatch(1);
    faults.commit = 'failsBeforeIt';
    faults.open = 'fails';
    await expect(store.append(stream, 'noStream', batch)).rejects.toThrow(AppendUnknownError);
    await expect(store.head(stream)).rejects.toThrow(StoreUnavailableError);
    await expect(store.append(stream, 'noStream', batch)).rejects.toThrow(StoreUnavailableError);
    faults.open = undefined;
    const again = await store.append(stream, 'noStream', batch);
    expect(again).toMatchObject({ outcome: 'written', repeated: false });
  });

  it('refuses appends on a full disk, keeps what it acknowledged, and goes on by itself', async () => {
    const connection = faults.connections[0];
    connection?.pragma('max_page_count = 60');
    const stream = newStream();
    const large = { data: JSON.stringify({ text: 'x'.repeat(20_000) }), keys: ['call:x'] };
    const acknowledged: string[] = [];
    let refused: ReturnType<typeof newBatch> = [];
    let reason: unknown;
    while (reason === undefined) {
      const batch = newBatch(2, large);
      const head = acknowledged.length - 1;
      await store.append(stream, head < 0 ? 'noStream' : head, batch).then(
        () => acknowledged.push(...idsOf(batch)),
        (error: unknown) => {
          reason = error;
          refused = batch;
        },
      );
    }
    expect(reason).toBeInstanceOf(StoreUnavailableError);
    expect((reason as StoreUnavailableError).retryAfterSeconds).toBeGreaterThan(0);
    expect((reason as StoreUnavailableError).message).toMatch(/disk is full/);
    expect(acknowledged.length).toBeGreaterThan(2);
    expect(idsOf(await wholeStream(store, stream))).toEqual(acknowledged);

    connection?.pragma('max_page_count = 1000000');
    const again = await store.append(stream, acknowledged.length - 1, refused);
    expect(again).toMatchObject({ outcome: 'written', repeated: false });
    expect(idsOf(await wholeStream(store, stream))).toEqual([...acknowledged, ...idsOf(refused)]);
    expect(await store.findByKeys(stream, ['call:x'])).toHaveLength(acknowledged.length + 2);
    expect(connection?.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(faults.connections).toHaveLength(1);
  });

  it('waits for another process that holds the lock, without an error', async () => {
    const other = connectToFile(`${folder.path}/events.sqlite`, 100);
    other.exec('BEGIN IMMEDIATE');
    setTimeout(() => other.exec('ROLLBACK'), 700);
    const outcome = await store.append(newStream(), 'noStream', newBatch(1));
    expect(outcome.outcome).toBe('written');
    other.close();
  });
});
