import { afterEach, describe, expect, it } from '@jest/globals';
import { doubleDatabase } from '../../../test/support/mongo-server.js';
import { ServerError, writeConflict } from '../../../test/support/mongo-double/server-errors.js';
import { StoreUnavailableError } from '../event-store.js';
import { PositionMismatchError, type BatchWrite } from '../read-model-store.js';
import type { StorageOpenError } from '../storage-open-error.js';
import { connectMongo } from './mongo-connection.js';
import { MongoLeaseStore } from './mongo-lease-store.js';
import { MongoReadModelStore } from './mongo-read-model-store.js';
import { openMongoStorage } from './open-mongo-storage.js';

type Database = Awaited<ReturnType<typeof doubleDatabase>>;

const SILENCE_MS_MAX = 300;
const cutAfter = { when: 'after', what: 'cut' } as const;

let database: Database | undefined;

afterEach(async () => {
  await database?.remove();
  database = undefined;
});

async function openReadModels(replicaSet = true): Promise<{
  readonly double: Database['double'];
  readonly store: MongoReadModelStore;
  readonly again: () => Promise<MongoReadModelStore>;
}> {
  const opened = (database ??= await doubleDatabase({ replicaSet }));
  const again = async (): Promise<MongoReadModelStore> =>
    MongoReadModelStore.open(await opened.open({ limits: { socketTimeoutMS: SILENCE_MS_MAX } }));
  const store = await again();
  await store.ensureCollections([{ name: 'sessions', indexes: [['rank']] }]);
  return { double: opened.double, store, again };
}

/** Documents a and b with the batch's number, from one position to the next. */
function batch(number: number): BatchWrite {
  const write = (id: string) => ({ collection: 'sessions', id, document: { rank: number } });
  return {
    projection: 'p',
    expectedPosition: BigInt(number - 1),
    nextPosition: BigInt(number),
    writes: [write('a'), write('b')],
  };
}

async function stateOf(store: MongoReadModelStore) {
  const position = await store.position('p');
  const found = await store.getMany('sessions', ['a', 'b']);
  return [position, found.get('a')?.['rank'], found.get('b')?.['rank']];
}

describe('a batch on a replica set', () => {
  it('is written once when the answer to its commit is lost', async () => {
    const { double, store } = await openReadModels();
    double.failNext('commitTransaction', cutAfter);
    await store.write(batch(1));
    expect(await stateOf(store)).toEqual([1n, 1, 1]);
    await expect(store.write(batch(1))).rejects.toThrow(PositionMismatchError);
  });

  it('is tried again after a conflict and after an unknown commit', async () => {
    const { double, store } = await openReadModels();
    double.failNext('update', { when: 'before', what: writeConflict() });
    const unknown = new ServerError(50, 'MaxTimeMSExpired', 'late', [
      'UnknownTransactionCommitResult',
    ]);
    double.failNext('commitTransaction', { when: 'before', what: unknown });
    await store.write(batch(1));
    expect(await stateOf(store)).toEqual([1n, 1, 1]);
  });

  it('leaves nothing when the connection breaks in the middle', async () => {
    const { double, store } = await openReadModels();
    const isDocuments = ({ update }: Readonly<Record<string, unknown>>) =>
      String(update).startsWith('documents.');
    const full = new ServerError(14_031, 'OutOfDiskSpace', 'no space left');
    double.failNext('update', { when: 'after', what: full, only: isDocuments });
    await expect(store.write(batch(1))).rejects.toThrow(StoreUnavailableError);
    expect(await stateOf(store)).toEqual([0n, undefined, undefined]);
    await store.write(batch(1));
    expect(await stateOf(store)).toEqual([1n, 1, 1]);
  });
});

describe('a batch on a standalone server', () => {
  const documents = ({ update }: Readonly<Record<string, unknown>>) =>
    String(update).startsWith('documents.');

  it('is completed by whoever looks next when its writer dies after deciding', async () => {
    const { double, store, again } = await openReadModels(false);
    await store.write(batch(1));
    double.failNext('update', { when: 'before', what: 'cut', only: documents });
    await expect(store.write(batch(2))).rejects.toThrow(StoreUnavailableError);
    const next = await again();
    expect(await stateOf(next)).toEqual([2n, 2, 2]);
    await next.write(batch(3));
    expect(await stateOf(next)).toEqual([3n, 3, 3]);
  });

  it('is completed before the next one when nobody looked in between', async () => {
    const { double, store } = await openReadModels(false);
    await store.write(batch(1));
    double.failNext('update', { when: 'before', what: 'cut', only: documents });
    await expect(store.write(batch(2))).rejects.toThrow(StoreUnavailableError);
    const other = { ...batch(3), writes: batch(3).writes.slice(1) };
    await store.write(other);
    expect(await stateOf(store)).toEqual([3n, 2, 3]);
  });

  it('is not there at all when its writer dies before deciding', async () => {
    const { double, store, again } = await openReadModels(false);
    await store.write(batch(1));
    const positions = ({ update }: Readonly<Record<string, unknown>>) => update === 'positions';
    double.failNext('update', { when: 'before', what: 'cut', only: positions });
    await expect(store.write(batch(2))).rejects.toThrow(StoreUnavailableError);
    expect(await stateOf(await again())).toEqual([1n, 1, 1]);
  });

  it('written late does not replace what a later one wrote, nor bring back what it deleted', async () => {
    const { double, store, again } = await openReadModels(false);
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    double.failNext('update', { when: 'before', what: held, only: documents });
    const late = store.write(batch(1)).catch((error: unknown) => error);
    const other = await again();
    while ((await other.position('p')) !== 1n) continue;
    const [first] = batch(2).writes;
    await other.write({
      ...batch(2),
      writes: [first!, { ...batch(2).writes[1]!, document: undefined }],
    });
    release();
    await late;
    expect(await stateOf(other)).toEqual([2n, 2, undefined]);
    const sort = { field: 'rank', direction: 'ascending' } as const;
    const page = await other.find('sessions', { filters: [], sort, limit: 10 });
    expect(page.documents.map(({ id }) => id)).toEqual(['a']);
  });
});

describe('a server that is silent, gone or slow', () => {
  it('ends each operation with an error in bounded time, and is used again when it is back', async () => {
    const { double, store } = await openReadModels();
    await store.write(batch(1));
    // The driver itself sends a read a second time.
    for (let times = 0; times < 2; times += 1) {
      double.failNext('find', { when: 'before', what: 'silence' });
    }
    const started = performance.now();
    await expect(store.get('sessions', 'a')).rejects.toThrow(StoreUnavailableError);
    expect(performance.now() - started).toBeLessThan(10 * SILENCE_MS_MAX);
    expect(await store.get('sessions', 'a')).toEqual({ rank: 1 });
    await double.stop();
    await double.start();
    expect(await store.get('sessions', 'a')).toEqual({ rank: 1 });
  });

  it('is named at the start, without its password', async () => {
    const url = 'mongodb://ada:geheim@127.0.0.1:1/holdfast';
    const limits = { serverSelectionTimeoutMS: 200 };
    const refusal = await connectMongo({ url, limits }).catch((error: unknown) => error);
    const { name, message } = refusal as StorageOpenError;
    expect(name).toBe('StorageOpenError');
    expect(message).toMatch(/^MongoDB at 127\.0\.0\.1:1 cannot be used .*HOLDFAST_MONGODB_URL$/);
    expect(message).not.toContain('geheim');
  });

  it.each(['mongodb://ada:ge@heim@host/x', 'mongodb://', 'mongodb://host/?noSuchOption=geheim'])(
    'at the address %s is refused in words, without the password',
    async (url) => {
      const refusal = await connectMongo({ url }).catch((error: unknown) => error);
      const { name, message } = refusal as StorageOpenError;
      expect(name).toBe('StorageOpenError');
      expect(message).toMatch(/^HOLDFAST_MONGODB_URL cannot be used/);
      expect(message).not.toMatch(/ge@heim|geheim/);
    },
  );
});

describe('leases', () => {
  it('are taken once when the answer is lost, because the driver sends it again', async () => {
    database = await doubleDatabase();
    const leases = new MongoLeaseStore(await database.open());
    database.double.failNext('findAndModify', cutAfter);
    expect((await leases.acquire('projector', 'a', 60_000)).fence).toBe(1);
    expect((await leases.acquire('projector', 'b', 60_000)).holder).toBe('a');
  });

  it('expire on the clock of the server, also after it was set back', async () => {
    database = await doubleDatabase();
    const leases = new MongoLeaseStore(await database.open());
    const { engine } = database.double;
    const old = await leases.acquire('projector', 'a', 60_000);
    engine.clockOffsetMs = 61_000;
    expect(await leases.renew('projector', 'a', old.fence, 60_000)).toBeUndefined();
    expect(await leases.acquire('projector', 'b', 60_000)).toMatchObject({ holder: 'b', fence: 2 });
    engine.clockOffsetMs = -3_600_000;
    expect(await leases.current('projector')).toBeUndefined();
    expect(await leases.acquire('projector', 'c', 60_000)).toMatchObject({ holder: 'c', fence: 3 });
  });

  it('take a holder whose name looks like a field of the server', async () => {
    database = await doubleDatabase();
    const leases = new MongoLeaseStore(await database.open());
    expect((await leases.acquire('projector', '$fence', 60_000)).holder).toBe('$fence');
  });
});

describe('what is opened', () => {
  it('agrees on each secret with all others, in a database beside the data', async () => {
    database = await doubleDatabase();
    const storages = await Promise.all(
      [1, 2, 3].map(() => openMongoStorage({ url: database?.url ?? '' })),
    );
    const proposals = storages.map(({ secrets }, index) => secrets.settle('api-key', `k${index}`));
    expect(new Set(await Promise.all(proposals)).size).toBe(1);
    for (const storage of storages) await storage.close();
    const { client, data, keys } = await database.open();
    expect(keys.databaseName).toBe(`${data.databaseName}_keys`);
    expect(await keys.collection('secrets').find().toArray()).toHaveLength(1);
    await client.close();
  });

  it('writes with majority and journal, whatever the address says', async () => {
    database = await doubleDatabase();
    const url = `${database.url}&w=1&journal=false&readPreference=secondary`;
    const { client, data, keys } = await connectMongo({ url });
    await client.close();
    for (const { writeConcern, readPreference, readConcern } of [data, keys]) {
      expect(writeConcern).toMatchObject({ w: 'majority', journal: true });
      expect(readPreference?.mode).toBe('primary');
      expect(readConcern?.level).toBe('majority');
    }
  });

  it('fails after it was closed, and says so', async () => {
    database = await doubleDatabase();
    const storage = await openMongoStorage({ url: database.url });
    await storage.close();
    await expect(storage.readModels.position('p')).rejects.toThrow(StoreUnavailableError);
  });
});
