import { FileArtifactStore } from '../files/file-artifact-store.js';
import { InstallationKeys } from '../files/installation-keys.js';
import { SqliteEventStore } from './sqlite-event-store.js';
import { SqliteLeaseStore } from './sqlite-lease-store.js';
import { SqliteReadModelStore } from './sqlite-read-model-store.js';
import { type StorageFolders, storageFiles } from './storage-files.js';

export interface SqliteStorage {
  readonly events: SqliteEventStore;
  readonly readModels: SqliteReadModelStore;
  readonly leases: SqliteLeaseStore;
  readonly artifacts: FileArtifactStore;
  readonly keys: InstallationKeys;
  close(): Promise<void>;
}

/**
 * Everything Holdfast keeps, in one data folder and one keys folder. Several processes may open
 * the same folders. Missing folders, files and keys are made.
 * @throws StorageOpenError
 */
export async function openSqliteStorage({
  dataDir,
  keysDir,
}: StorageFolders): Promise<SqliteStorage> {
  const files = storageFiles(dataDir);
  const opened: { close(): Promise<void> }[] = [];
  const close = async () => {
    for (const store of opened.splice(0).reverse()) await store.close();
  };
  const keep = <Store extends { close(): Promise<void> }>(store: Store): Store => {
    opened.push(store);
    return store;
  };
  try {
    const keys = await InstallationKeys.open(keysDir, dataDir);
    const events = keep(await SqliteEventStore.open({ file: files.events }));
    const readModels = keep(await SqliteReadModelStore.open({ file: files.readModels }));
    const leases = keep(await SqliteLeaseStore.open({ file: files.leases }));
    const artifacts = await FileArtifactStore.open(files.artifacts, ({ tenantId, sessionId }) =>
      keys.runningHmac(tenantId, sessionId),
    );
    return { events, readModels, leases, artifacts, keys, close };
  } catch (error) {
    await close();
    throw error;
  }
}
