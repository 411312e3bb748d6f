import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { doubleDatabase } from '../../../test/support/mongo-server.js';
import { ownerHash } from '../../../test/support/owner-hash.js';
import { ArtifactDamagedError, readArtifact } from '../artifact-store.js';
import { StoreUnavailableError } from '../event-store.js';
import { MemoryArtifactStore } from '../memory/memory-artifact-store.js';
import { MongoArtifactStore } from './mongo-artifact-store.js';
import type { MongoConnection } from './mongo-connection.js';

const owner = { tenantId: 'acme', sessionId: 's1' };
const content = Buffer.alloc(600_000, 'content ');

describe('artifacts in GridFS', () => {
  let database: Awaited<ReturnType<typeof doubleDatabase>>;
  let connection: MongoConnection;
  let store: MongoArtifactStore;

  const count = (collection: string) =>
    connection.data
      .collection(collection)
      .find()
      .toArray()
      .then((found) => found.length);

  beforeEach(async () => {
    database = await doubleDatabase();
    connection = await database.open();
    store = await MongoArtifactStore.open(connection, ownerHash);
  });
  afterEach(() => database.remove());

  it('are kept once, also when several put the same at once', async () => {
    await Promise.all([1, 2, 3].map(() => store.put(owner, content, 'text/plain')));
    expect(await count('artifacts.files')).toBe(1);
    expect(await count('artifacts.chunks')).toBe(3);
    expect(await count('artifact_uploads')).toBe(0);
  });

  it('larger than an answer of the server come in parts', async () => {
    const large = Buffer.alloc(20 * 1024 * 1024, 'large ');
    const { hash } = await store.put(owner, large, 'text/plain');
    const before = database.double.seen.filter((name) => name === 'getMore').length;
    const found = await readArtifact(store, owner, hash);
    expect(found?.equals(large)).toBe(true);
    const parts = database.double.seen.filter((name) => name === 'getMore').length - before;
    expect(parts).toBeGreaterThan(8);
  });

  it('are checked when read', async () => {
    const { hash } = await store.put(owner, content, 'text/plain');
    await connection.data.collection('artifacts.chunks').deleteOne({ n: 1 });
    await expect(readArtifact(store, owner, hash)).rejects.toThrow(ArtifactDamagedError);
  });

  it('that a crash left half written are not there, and their chunks go at a later start', async () => {
    const { hash } = await new MemoryArtifactStore(ownerHash).put(owner, content, 'text/plain');
    const isFile = ({ insert }: Readonly<Record<string, unknown>>) => insert === 'artifacts.files';
    for (let times = 0; times < 2; times += 1) {
      database.double.failNext('insert', { when: 'before', what: 'cut', only: isFile });
    }
    await expect(store.put(owner, content, 'text/plain')).rejects.toThrow(StoreUnavailableError);
    expect(await readArtifact(store, owner, hash)).toBeUndefined();
    expect(await count('artifacts.chunks')).toBe(3);
    await MongoArtifactStore.open(connection, ownerHash);
    expect(await count('artifacts.chunks')).toBe(3);
    const hoursAgo = new Date(Date.now() - 2 * 60 * 60 * 1000);
    await connection.data
      .collection('artifact_uploads')
      .updateOne({}, { $set: { startedAt: hoursAgo } });
    await MongoArtifactStore.open(connection, ownerHash);
    expect([await count('artifacts.chunks'), await count('artifact_uploads')]).toEqual([0, 0]);
    await store.put(owner, content, 'text/plain');
    expect(await readArtifact(store, owner, hash)).toEqual(content);
  });
});
