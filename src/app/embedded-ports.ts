import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Configuration } from '../config/configuration.js';
import { openSqliteStorage } from '../storage/sqlite/open-sqlite-storage.js';
import type { StorageFolders } from '../storage/sqlite/storage-files.js';
import type { Ports } from './ports.js';

/** Everything in one data folder on this machine, secrets in the keys folder beside it. */
export async function openEmbeddedPorts(configuration: Configuration): Promise<Ports> {
  const storage = await openSqliteStorage(storageFolders(configuration));
  const { events, readModels, leases, artifacts, keys } = storage;
  return {
    events,
    readModels,
    leases,
    artifacts,
    hasher: (tenantId, sessionId, content) => keys.sessionHmac(tenantId, sessionId, content),
    isKey: (key) => keys.isApiKey(key),
    close: () => storage.close(),
  };
}

export function storageFolders({ dataFolder, keysFolder }: Configuration): StorageFolders {
  return { dataDir: dataFolder, keysDir: keysFolder };
}

export function keyFile({ keysFolder }: Configuration): string {
  return join(keysFolder, 'api-key');
}

export async function readApiKey(configuration: Configuration): Promise<string> {
  return (await readFile(keyFile(configuration), 'utf8')).trim();
}
