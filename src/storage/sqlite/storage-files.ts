import { join } from 'node:path';

export interface StorageFolders {
  readonly dataDir: string;
  /** Outside `dataDir`. */
  readonly keysDir: string;
}

/** The wrapped secrets of sessions, beside the other keys. */
export function sessionKeysFile(keysDir: string): string {
  return join(keysDir, 'session-keys.sqlite');
}

export interface StorageFiles {
  readonly events: string;
  readonly readModels: string;
  readonly leases: string;
  readonly artifacts: string;
}

export function storageFiles(dataDir: string): StorageFiles {
  return {
    events: join(dataDir, 'events.sqlite'),
    readModels: join(dataDir, 'read-models.sqlite'),
    leases: join(dataDir, 'leases.sqlite'),
    artifacts: join(dataDir, 'artifacts'),
  };
}
