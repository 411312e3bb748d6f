import { randomUUID } from 'node:crypto';
import { access, link, mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

export interface TemporaryWrite {
  /** Where the content stands until it is complete; on the same file system. */
  readonly temporaryFolder: string;
  readonly content: Uint8Array | string | AsyncIterable<Uint8Array>;
  readonly mode: number;
}

export interface DurableWrite extends TemporaryWrite {
  readonly file: string;
}

/** The complete file is there under its name, also after a power cut, when the promise resolves. */
export async function moveDurably(temporary: string, file: string): Promise<void> {
  await rename(temporary, file);
  await syncFolder(dirname(file));
}

/**
 * The file is there whole or not at all, also after a power cut, when the promise resolves. The
 * folders must exist; a file that exists stays as it is.
 * @returns whether this call made the file: of several processes exactly one does.
 */
export async function createDurably(write: DurableWrite): Promise<boolean> {
  const temporary = await writeTemporary(write);
  try {
    await link(temporary, write.file);
    return true;
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
    return false;
  } finally {
    await rm(temporary, { force: true });
    await syncFolder(dirname(write.file));
  }
}

/** The content, synced, under a name that nobody else uses; of a failed write nothing stays. */
export async function writeTemporary(write: TemporaryWrite): Promise<string> {
  const temporary = join(write.temporaryFolder, `incoming-${randomUUID()}`);
  const handle = await open(temporary, 'wx', write.mode);
  try {
    await writeFile(handle, write.content);
    await handle.sync();
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
  return temporary;
}

/** Creates missing folders, each entry synced, from the first that exists. */
export async function makeFolderDurably(folder: string, mode = 0o700): Promise<void> {
  // One by one: where no folder can be made (below /proc), Node's own `recursive` never ends.
  for (const missing of await missingFolders(folder)) {
    await mkdir(missing, { mode }).catch((error: unknown) => {
      if (!hasCode(error, 'EEXIST')) throw error;
    });
    await syncFolder(dirname(missing));
  }
}

/** From the first that is missing on. */
async function missingFolders(folder: string): Promise<readonly string[]> {
  const missing: string[] = [];
  for (let one = resolve(folder); ; one = dirname(one)) {
    try {
      await access(one);
      return missing;
    } catch (error) {
      if (!hasCode(error, 'ENOENT') || one === dirname(one)) throw error;
      missing.unshift(one);
    }
  }
}

/** Makes a new or renamed entry survive a power cut. Windows has no such call and needs none. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export function hasCode(error: unknown, code: string): boolean {
  return (error as NodeJS.ErrnoException | undefined)?.code === code;
}
