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
}

interface StoredErasure {
  /** Its number. */
  readonly _id: number;
  readonly key: string;
}

const TRIES_MAX = 20;

/** In the database of the keys, so that a copy of the data opens nothing. */
export class MongoKeyStore implements KeyStore {
  private readonly keys: Collection<StoredKey>;
  private readonly erasures: Collection<StoredErasure>;

  constructor({ keys }: MongoConnection) {
    this.keys = keys.collection<StoredKey>('session_keys');
    this.erasures = keys.collection<StoredErasure>('session_key_erasures');
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
    const key = nameOf(owner);
    return onMongo(async () => {
      await this.keys.updateOne(
        { _id: key, wrapped: { $exists: true } },
        { $set: { erasedAtMs: atMs }, $unset: { wrapped: '' } },
      );
      if ((await this.keys.findOne({ _id: key })) !== null) await this.noteErasure(key);
    });
  }

  erasedAfter(number: number): Promise<readonly ErasedKey[]> {
    return onMongo(async () => {
      const found = await this.erasures
        .find({ _id: { $gt: number } }, { maxTimeMS: QUERY_MS_MAX })
        .sort({ _id: 1 })
        .limit(ERASED_PAGE)
        .toArray();
      return found.map(({ _id, key }) => {
        const [tenantId, sessionId] = JSON.parse(key) as [string, string];
        return { tenantId, sessionId, number: Number(_id) };
      });
    });
  }

  private async noteErasure(key: string): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      if ((await this.erasures.findOne({ key })) !== null) return;
      const [newest] = await this.erasures.find().sort({ _id: -1 }).limit(1).toArray();
      try {
        await this.erasures.insertOne({ _id: Number(newest?._id ?? 0) + 1, key });
        return;
      } catch (error) {
        // Another erasure took the number.
        if (!isDuplicateKey(error) || tries === TRIES_MAX) throw error;
      }
    }
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
