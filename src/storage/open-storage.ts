import type { ArtifactHash, ArtifactStore } from './artifact-store.js';
import type { EventStore } from './event-store.js';
import { openEventStoreDb } from './eventstoredb/open-eventstoredb.js';
import { FileArtifactStore } from './files/file-artifact-store.js';
import { InstallationKeys } from './files/installation-keys.js';
import type { LeaseStore } from './lease-store.js';
import type { MongoStorage } from './mongodb/open-mongo-storage.js';
import { bindReadModels } from './read-model-binding.js';
import type { ReadModelStore } from './read-model-store.js';
import { refuseUnusableFolder } from './sqlite/data-folder.js';
import { SqliteEventStore } from './sqlite/sqlite-event-store.js';
import { SqliteLeaseStore } from './sqlite/sqlite-lease-store.js';
import { SqliteReadModelStore } from './sqlite/sqlite-read-model-store.js';
import { type StorageFiles, type StorageFolders, storageFiles } from './sqlite/storage-files.js';

export interface Storage {
  readonly events: EventStore;
  readonly readModels: ReadModelStore;
  readonly leases: LeaseStore;
  readonly artifacts: ArtifactStore;
  readonly keys: InstallationKeys;
  close(): Promise<void>;
}

export interface StoragePlaces extends StorageFolders {
  /** Events are kept there when it is set. */
  readonly eventStoreUrl?: string;
  /** Read models, leases, artifacts and the installation's keys are kept there when it is set. */
  readonly mongodbUrl?: string;
  /** Hears of what went wrong in a server and is tried again. */
  readonly report?: (problem: string) => void;
}

/** What Holdfast keeps besides the events. */
interface ReadSide {
  readonly readModels: ReadModelStore;
  readonly leases: LeaseStore;
  openArtifacts(hashOf: ArtifactHash): Promise<ArtifactStore>;
  close(): Promise<void>;
}

interface Closable {
  close(): Promise<void>;
}

/**
 * Everything Holdfast keeps. Several processes may open the same places. Missing folders, files,
 * collections and keys are made.
 * @throws StorageOpenError
 */
export async function openStorage(places: StoragePlaces): Promise<Storage> {
  const { dataDir, keysDir, eventStoreUrl, mongodbUrl, report } = places;
  const files = storageFiles(dataDir);
  await refuseUnusableFolder(dataDir);
  return openAll(async (keep) => {
    const mongo = mongodbUrl === undefined ? undefined : keep(await openMongo(mongodbUrl));
    const keys = await InstallationKeys.open(keysDir, dataDir, mongo?.secrets);
    const reads = mongo ?? keep(await openEmbeddedReads(files));
    const events: EventStore = keep(
      eventStoreUrl === undefined
        ? await SqliteEventStore.open({ file: files.events })
        : await openEventStoreDb({ url: eventStoreUrl, report }),
    );
    const place = mongodbUrl === undefined ? files.readModels : 'the MongoDB database';
    await bindReadModels(events, reads.readModels, place);
    const artifacts = await reads.openArtifacts(({ tenantId, sessionId }) =>
      keys.runningHmac(tenantId, sessionId),
    );
    return { events, readModels: reads.readModels, leases: reads.leases, artifacts, keys };
  });
}

/** The client is large: whoever does without it does not wait for it. */
async function openMongo(url: string): Promise<MongoStorage> {
  const { openMongoStorage } = await import('./mongodb/open-mongo-storage.js');
  return openMongoStorage({ url });
}

async function openEmbeddedReads(files: StorageFiles): Promise<ReadSide> {
  return openAll(async (keep) => ({
    readModels: keep(await SqliteReadModelStore.open({ file: files.readModels })),
    leases: keep(await SqliteLeaseStore.open({ file: files.leases })),
    openArtifacts: (hashOf) => FileArtifactStore.open(files.artifacts, hashOf),
  }));
}

/** What was kept is closed in reverse order, also when a later one cannot be opened. */
async function openAll<Opened>(
  open: (keep: <Store extends Closable>(store: Store) => Store) => Promise<Opened>,
): Promise<Opened & Closable> {
  const kept: Closable[] = [];
  const close = async (): Promise<void> => {
    for (const store of kept.splice(0).reverse()) await store.close();
  };
  try {
    const opened = await open((store) => {
      kept.push(store);
      return store;
    });
    return { ...opened, close };
  } catch (error) {
    await close();
    throw error;
  }
}
