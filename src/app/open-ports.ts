import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import type { Configuration } from '../config/configuration.js';
import { openStorage } from '../storage/open-storage.js';
import { CheckpointFiles } from '../storage/files/checkpoint-files.js';
import { StorageOpenError } from '../storage/storage-open-error.js';
import type { StorageFolders } from '../storage/sqlite/storage-files.js';
import { keyCheckOf } from '../transfer/transfer-file.js';
import type { Ports } from './ports.js';

/** The stores that the configuration names; without any, all is in one data folder. */
export async function openPorts(configuration: Configuration): Promise<Ports> {
  const { eventStoreUrl, mongodbUrl } = configuration;
  const log = new Logger('Storage');
  const report = (problem: string): void => log.warn(problem);
  const folders = storageFolders(configuration);
  const storage = await openStorage({ ...folders, eventStoreUrl, mongodbUrl, report });
  const { events, sealedEvents, readModels, leases, artifacts, keys, hasher, eraser } = storage;
  const checkpoints = await CheckpointFiles.open(folders.keysDir, configuration.checkpointCopy);
  return {
    events,
    sealedEvents,
    readModels,
    leases,
    artifacts,
    eraser,
    checkpoints,
    hasher,
    transferMark: keyCheckOf((...what) => keys.sessionHmac(...what)),
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

/** @throws StorageOpenError before the first start, which makes the key. */
export async function readApiKey(configuration: Configuration): Promise<string> {
  const file = keyFile(configuration);
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (cause) {
    throw new StorageOpenError(
      'badKeyFile',
      `there is no key to read at ${file}: the first start makes it (holdfast serve)`,
      { cause },
    );
  }
}
