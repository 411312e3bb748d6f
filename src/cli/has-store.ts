import { existsSync } from 'node:fs';
import type { Configuration } from '../config/configuration.js';
import { CommandLineError, EXIT } from './failure.js';
import { storageFiles } from '../storage/sqlite/storage-files.js';

/** @throws CommandLineError */
export function refuseMissingStore(configuration: Configuration): void {
  if (hasStore(configuration)) return;
  throw new CommandLineError(
    `there is no store in ${configuration.dataFolder}: HOLDFAST_DATA_DIR says where it is; ` +
      '`holdfast serve` or an import makes one',
    EXIT.notFound,
  );
}

/** Whether there are events to work on. Looking makes nothing. */
export function hasStore({ dataFolder, eventStoreUrl }: Configuration): boolean {
  return eventStoreUrl !== undefined || existsSync(storageFiles(dataFolder).events);
}
