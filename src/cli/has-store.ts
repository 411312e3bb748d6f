import { existsSync } from 'node:fs';
import type { Configuration } from '../config/configuration.js';
import { storageFiles } from '../storage/sqlite/storage-files.js';

/** Whether there are events to work on. Looking makes nothing. */
export function hasStore({ dataFolder, eventStoreUrl }: Configuration): boolean {
  return eventStoreUrl !== undefined || existsSync(storageFiles(dataFolder).events);
}
