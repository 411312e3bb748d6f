import type { Collection } from 'mongodb';
import type { ArtifactOwner } from '../artifact-store.js';
import { ERASED_PAGE, type ErasedKey, type KeptKey, type KeyStore } from '../key-store.js';
import { type MongoConnection, QUERY_MS_MAX } from './mongo-connection.js';
import { isDuplicateKey, onMongo } from './mongo-error.js';

interface StoredKey {
  /** `[tenant, session]` as JSON. */
  readonly _id: string;
  readonly keyId: string;
  readonly wrapped?: string;
  readonly erasedAtMs?: number;
  readonly erasedNumber?: number;
}

const TRIES_MAX = 20;

/** In the database of the keys, so that a copy of the data opens nothing. */
export class MongoKeyStore implements KeyStore {
  private constructor(private readonly keys: Collection<StoredKey>) {}

  static async open({ keys }: MongoConnection): Promise<MongoKeyStore> {
    const collection = keys.collection<StoredKey>('session_keys');
    await onMongo(() =>
      collection.createIndex({ erasedNumber: 1 }, { unique: true, sparse: true, name: 'erased' }),
    );
    return new MongoKeyStore(collection);
  }

  find(owner: ArtifactOwner): Promise<KeptKey | undefined> {
    return onMongo(async () => {
      const found = await this.keys.findOne({ _id: nameOf(owner) }, { maxTimeMS: QUERY_MS_MAX });
      return found === null ? undefined : keptIn(found);
    });
  }

  keep(owner: ArtifactOwner, keyId: string, wrapped: string): Promise<KeptKey> {
    return onMongo(async () => {
      try {
        await this.keys.insertOne({ _id: nameOf(owner), keyId, wrapped });
        return { keyId, wrapped };
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
      const kept = await this.find(owner);
      if (kept === undefined) throw new Error(`the key of session ${owner.sessionId} vanished`);
      return kept;
    });
  }

  erase(owner: ArtifactOwner, atMs: number): Promise<void> {
    return onMongo(async () => {
      for (let tries = 1; ; tries += 1) {
        try {
          const [newest] = await this.keys
            .find({ erasedNumber: { $gte: 1 } })
            .sort({ erasedNumber: -1 })
            .limit(1)
            .toArray();
          const erasedNumber = Number(newest?.erasedNumber ?? 0) + 1;
          await this.keys.updateOne(
            { _id: nameOf(owner), wrapped: { $exists: true } },
            { $set: { erasedAtMs: atMs, erasedNumber }, $unset: { wrapped: '' } },
          );
          return;
        } catch (error) {
          // Another one took the number.
          if (!isDuplicateKey(error) || tries === TRIES_MAX) throw error;
        }
      }
    });
  }

  erasedAfter(number: number): Promise<readonly ErasedKey[]> {
    return onMongo(async () => {
      const found = await this.keys
        .find({ erasedNumber: { $gt: number } }, { maxTimeMS: QUERY_MS_MAX })
        .sort({ erasedNumber: 1 })
        .limit(ERASED_PAGE)
        .toArray();
      return found.map(({ _id, erasedNumber }) => {
        const [tenantId, sessionId] = JSON.parse(_id) as [string, string];
        return { tenantId, sessionId, number: Number(erasedNumber) };
      });
    });
  }

  /** The connection belongs to whoever opened it. */
  close(): Promise<void> {
    return Promise.resolve();
  }
}

function nameOf({ tenantId, sessionId }: ArtifactOwner): string {
  return JSON.stringify([tenantId, sessionId]);
}

function keptIn({ keyId, wrapped, erasedAtMs }: StoredKey): KeptKey {
  return wrapped === undefined ? { keyId, erasedAtMs: Number(erasedAtMs) } : { keyId, wrapped };
}
