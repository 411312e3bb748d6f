import type { ArtifactSealing } from '../artifact-sealing.js';
import { StoreUnavailableError } from '../event-store.js';
import type { CommonSecrets } from '../common-secrets.js';
import { MongoArtifactStore } from './mongo-artifact-store.js';
import { type MongoConnectionOptions, connectMongo, notReachable } from './mongo-connection.js';
import { MongoKeyStore } from './mongo-key-store.js';
import { MongoLeaseStore } from './mongo-lease-store.js';
import { MongoReadModelStore } from './mongo-read-model-store.js';
import { MongoSecrets } from './mongo-secrets.js';

export interface MongoStorage {
  readonly readModels: MongoReadModelStore;
  readonly leases: MongoLeaseStore;
  readonly secrets: CommonSecrets;
  readonly keyStore: MongoKeyStore;
  openArtifacts(sealing: ArtifactSealing): Promise<MongoArtifactStore>;
  close(): Promise<void>;
}

/**
 * All that Holdfast keeps besides the events, over one client.
 * @throws StorageOpenError
 */
export async function openMongoStorage(options: MongoConnectionOptions): Promise<MongoStorage> {
  const connection = await connectMongo(options);
  try {
    return {
      readModels: await MongoReadModelStore.open(connection),
      leases: new MongoLeaseStore(connection),
      secrets: new MongoSecrets(connection),
      keyStore: new MongoKeyStore(connection),
      openArtifacts: (sealing) => MongoArtifactStore.open(connection, sealing),
      close: () => connection.client.close(),
    };
  } catch (error) {
    await connection.client.close();
    throw error instanceof StoreUnavailableError ? notReachable(connection.client, error) : error;
  }
}
