import { access, constants, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { folderError } from './connection.js';

/**
 * Before anything is made: a start that must fail leaves nothing behind.
 * @throws StorageOpenError
 */
export async function refuseUnusableFolder(dataDir: string): Promise<void> {
  const fault = await dataFolderFault(dataDir);
  if (fault !== undefined) throw folderError(dataDir, fault);
}

/** Why the data folder can be neither used nor made; the folder that is there already is asked. */
export async function dataFolderFault(dataDir: string): Promise<Error | undefined> {
  for (let folder = resolve(dataDir); ; folder = dirname(folder)) {
    try {
      if (!(await stat(folder)).isDirectory()) {
        return Object.assign(new Error(folder), {
          code: folder === resolve(dataDir) ? 'EEXIST' : 'ENOTDIR',
        });
      }
      await access(folder, constants.W_OK | constants.X_OK);
      return undefined;
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'ENOENT') return error as Error;
    }
  }
}
