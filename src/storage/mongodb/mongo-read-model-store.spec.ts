import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type MongoTestDatabase, doubleDatabase } from '../../../test/support/mongo-server.js';
import { InvalidQueryError, UnknownCollectionError } from '../read-model-store.js';
import type { MongoConnection } from './mongo-connection.js';
import { MongoReadModelStore } from './mongo-read-model-store.js';

describe('read models on MongoDB', () => {
  let database: MongoTestDatabase;
  let connection: MongoConnection;
  let store: MongoReadModelStore;

  beforeEach(async () => {
    database = await doubleDatabase();
    connection = await database.open();
    store = await MongoReadModelStore.open(connection);
    const indexes = [['tenantId', 'rank'], ['title']];
    await store.ensureCollections([{ name: 'sessions', indexes }]);
  });
  afterEach(() => database.remove());

  const write = (document: Record<string, unknown>, id = '1') =>
    store.write({
      projection: id,
      expectedPosition: 0n,
      nextPosition: 1n,
      writes: [{ collection: 'sessions', id, document }],
    });
  const collections = async (): Promise<readonly string[]> =>
    (await connection.data.listCollections().toArray())
      .map(({ name }) => String(name))
      .filter((name) => name.startsWith('documents.'));

  it('come back byte for byte, with what BSON would refuse or change', async () => {
    let deep: unknown = 'end';
    for (let level = 0; level < 200; level += 1) deep = [deep];
    const document = {
      z: 1,
      a: -0.5,
      $where: 'x',
      'a.b': 1,
      'nul\u0000key': 1,
      '': 'empty',
      half: '\ud800',
      deep,
      _id: 'other',
      large: 1e300,
      list: [1, 1.5, -9007199254740991],
    };
    await write(document);
    expect(JSON.stringify(await store.get('sessions', '1'))).toBe(JSON.stringify(document));
  });

  it('that are not there are asked for by many at once', async () => {
    const asked = Array.from({ length: 20 }, () => store.get('sessions', 'none'));
    expect(new Set(await Promise.all(asked))).toEqual(new Set([undefined]));
  });

  it('have an index for each list of fields, which ends with the id', async () => {
    const [name = ''] = await collections();
    const indexes = await connection.data.collection(name).listIndexes().toArray();
    expect(indexes.map(({ key }) => Object.keys(key as object))).toEqual([
      ['_id'],
      ['fields.tenantId', 'fields.rank', '_id'],
      ['fields.title', '_id'],
    ]);
  });

  it('stay far below the 16 MiB that a document may have, with the fields beside them', async () => {
    const title = 'x'.repeat(8 * 1024 * 1024);
    await expect(write({ title })).rejects.toThrow(InvalidQueryError);
    await expect(write({ title })).rejects.toThrow(/index shorter fields/);
    await write({ text: title });
    expect(await store.get('sessions', '1')).toEqual({ text: title });
  });

  it('tell that another process dropped a collection, or declared it anew', async () => {
    await write({ rank: 1 });
    const other = await MongoReadModelStore.open(await database.open());
    await other.dropCollection('sessions');
    await expect(store.get('sessions', '1')).rejects.toThrow(UnknownCollectionError);
    await store.ensureCollections([{ name: 'sessions', indexes: [['rank']] }]);
    await write({ rank: 2 }, '2');
    await other.dropCollection('sessions');
    await other.ensureCollections([{ name: 'sessions', indexes: [['rank']] }]);
    const sort = { field: 'rank', direction: 'ascending' } as const;
    const query = { filters: [], sort, limit: 1 };
    await expect(store.find('sessions', query)).rejects.toThrow(UnknownCollectionError);
    expect(await store.find('sessions', query)).toEqual({ documents: [] });
  });

  it('are not brought back by who writes to a dropped collection, and what it left is removed', async () => {
    const late = await MongoReadModelStore.open(await database.open());
    expect(await late.get('sessions', '1')).toBeUndefined();
    await store.dropCollection('sessions');
    await late.write({
      projection: 'late',
      expectedPosition: 0n,
      nextPosition: 1n,
      writes: [{ collection: 'sessions', id: '1', document: { rank: 1 } }],
    });
    await store.ensureCollections([{ name: 'sessions', indexes: [['rank']] }]);
    expect(await store.get('sessions', '1')).toBeUndefined();
    expect(await collections()).toHaveLength(2);
    await MongoReadModelStore.open(connection);
    expect(await collections()).toHaveLength(1);
  });
});
