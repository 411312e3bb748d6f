import { existsSync } from 'node:fs';
import type { ArtifactSealing } from './artifact-sealing.js';
import type { ArtifactStore } from './artifact-store.js';
import type { EventStore } from './event-store.js';
import { FileArtifactStore } from './files/file-artifact-store.js';
import { InstallationKeys, refuseKeysInsideData } from './files/installation-keys.js';
import type { LeaseStore } from './lease-store.js';
import type { MongoStorage } from './mongodb/open-mongo-storage.js';
import type { KeyStore } from './key-store.js';
import { bindReadModels } from './read-model-binding.js';
import type { ReadModelStore } from './read-model-store.js';
import { artifactSealing } from './sealed/artifact-seal.js';
import { firstSessions, refuseLostKeys } from './sealed/lost-keys.js';
import { MovedKeyStore } from './sealed/moved-key-store.js';
import { SealedEventStore, beginningOf } from './sealed/sealed-event-store.js';
import { SealedReadModelStore } from './sealed/sealed-read-model-store.js';
import { SealedSessionEraser } from './sealed/sealed-session-eraser.js';
import type { SessionEraser } from './session-eraser.js';
import { SessionKeys } from './sealed/session-keys.js';
import { hasherOf } from './sealed/session-hasher.js';
import { refuseUnusableFolder } from './sqlite/data-folder.js';
import { SqliteEventStore } from './sqlite/sqlite-event-store.js';
import { SqliteKeyStore } from './sqlite/sqlite-key-store.js';
import { SqliteLeaseStore } from './sqlite/sqlite-lease-store.js';
import { SqliteReadModelStore } from './sqlite/sqlite-read-model-store.js';
import {
  type StorageFiles,
  type StorageFolders,
  sessionKeysFile,
  storageFiles,
} from './sqlite/storage-files.js';
import type { SessionHasher } from '../tokens.js';

export interface Storage {
  readonly events: EventStore;
  /** The events as they are stored: contents sealed, with the chain. */
  readonly sealedEvents: EventStore;
  readonly readModels: ReadModelStore;
  readonly leases: LeaseStore;
  readonly artifacts: ArtifactStore;
  readonly keys: InstallationKeys;
  readonly hasher: SessionHasher;
  readonly eraser: SessionEraser;
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
  openArtifacts(sealing: ArtifactSealing): Promise<ArtifactStore>;
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
    refuseKeysInsideData(keysDir, dataDir);
    const sealedEvents = keep<EventStore & Closable>(
      eventStoreUrl === undefined
        ? await SqliteEventStore.open({ file: files.events })
        : await openEvents(eventStoreUrl, report),
    );
    const sessions = await firstSessions(sealedEvents);
    const keys = await InstallationKeys.open(keysDir, dataDir, {
      shared: mongo?.secrets,
      mustBeThere: sessions.length > 0,
    });
    const reads = mongo ?? keep(await openEmbeddedReads(files));
    const keyStore = await openKeyStore(keysDir, mongo, keep);
    const place = mongodbUrl === undefined ? files.readModels : 'the MongoDB database';
    await bindReadModels(sealedEvents, reads.readModels, place);
    const sessionKeys = new SessionKeys({
      store: keyStore,
      wrapping: (tenantId) => keys.tenantKey(tenantId),
      beginningOf: (owner) => beginningOf(sealedEvents, owner),
    });
    await refuseLostKeys(sessions, sessionKeys, keysDir);
    const events = new SealedEventStore(sealedEvents, sessionKeys);
    const hasher = hasherOf(sessionKeys, keys);
    const artifacts = await reads.openArtifacts(artifactSealing(sessionKeys, keys));
    const { leases } = reads;
    const readModels = new SealedReadModelStore(reads.readModels, sessionKeys, keys.matchKey());
    const eraser = new SealedSessionEraser(keyStore, sessionKeys, artifacts, sealedEvents);
    return { events, sealedEvents, readModels, leases, artifacts, keys, hasher, eraser };
  });
}

/** Beside the other keys; keys of an embedded installation that moves are found there. */
async function openKeyStore(
  keysDir: string,
  mongo: MongoStorage | undefined,
  keep: <Store extends Closable>(store: Store) => Store,
): Promise<KeyStore> {
  const file = sessionKeysFile(keysDir);
  if (mongo === undefined) return keep(await SqliteKeyStore.open({ file }));
  if (!existsSync(file)) return mongo.keyStore;
  return new MovedKeyStore(mongo.keyStore, keep(await SqliteKeyStore.open({ file })));
}

/** The clients of servers are large: whoever does without them does not wait for them. */
async function openEvents(
  url: string,
  report: StoragePlaces['report'],
): Promise<EventStore & Closable> {
  const { openEventStoreDb } = await import('./eventstoredb/open-eventstoredb.js');
  return openEventStoreDb({ url, report });
}

async function openMongo(url: string): Promise<MongoStorage> {
  const { openMongoStorage } = await import('./mongodb/open-mongo-storage.js');
  return openMongoStorage({ url });
}

async function openEmbeddedReads(files: StorageFiles): Promise<ReadSide> {
  return openAll(async (keep) => ({
    readModels: keep(await SqliteReadModelStore.open({ file: files.readModels })),
    leases: keep(await SqliteLeaseStore.open({ file: files.leases })),
    openArtifacts: (sealing) => FileArtifactStore.open(files.artifacts, sealing),
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
