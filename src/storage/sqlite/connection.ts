import Database from 'better-sqlite3';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeFolderDurably } from '../files/durable-file.js';
import { folderFault } from '../files/folder-fault.js';
import { StorageOpenError } from '../storage-open-error.js';
import { type Connection, type DatabaseSchema, applySchema } from './database-schema.js';
import { isBusy, isDamaged, sqliteCode } from './sqlite-error.js';

export type Connect = (file: string, busyTimeoutMs: number) => Connection;

export interface ConnectionOptions {
  readonly file: string;
  readonly schema: DatabaseSchema;
  /** `full`: a commit survives power loss. `normal`: only for what can be rebuilt. */
  readonly synchronous: 'full' | 'normal';
  /** A statement blocks the event loop at most this long; behind it the caller waits and retries. */
  readonly busyTimeoutMs?: number;
  readonly connect?: Connect;
}

const BUSY_TIMEOUT_MS = 250;
const OPEN_WAIT_MS_MAX = 10_000;
const SYNCHRONOUS_FULL = 2;
const CACHE_KIBIBYTES = 32_000;

/**
 * Opens the file, creates what is missing, and proves that commits are durable.
 * @throws StorageOpenError
 */
export async function openConnection(options: ConnectionOptions): Promise<Connection> {
  const deadline = performance.now() + OPEN_WAIT_MS_MAX;
  await makeFolder(dirname(options.file));
  for (;;) {
    try {
      return openOnce(options);
    } catch (error) {
      if (!isBusy(error)) throw toOpenError(options.file, error);
      if (performance.now() > deadline) {
        throw new StorageOpenError(
          'inputOutput',
          `${options.file} stayed locked by another process for ${OPEN_WAIT_MS_MAX} ms; stop that ` +
            'process or try again',
          { cause: error },
        );
      }
      await sleep(5 + Math.random() * 20);
    }
  }
}

export const connectToFile: Connect = (file, busyTimeoutMs) =>
  new Database(file, { timeout: busyTimeoutMs });

function openOnce(options: ConnectionOptions): Connection {
  const { file, schema, synchronous, busyTimeoutMs, connect = connectToFile } = options;
  const connection = connect(file, busyTimeoutMs ?? BUSY_TIMEOUT_MS);
  try {
    const mode = connection.pragma('journal_mode = WAL', { simple: true });
    if (mode !== 'wal') {
      throw new StorageOpenError(
        'notDurable',
        `${file}: the file system does not allow SQLite's WAL mode (it answered ${String(mode)}); ` +
          'use a folder on a local disk',
      );
    }
    connection.pragma(`synchronous = ${synchronous.toUpperCase()}`);
    connection.pragma('temp_store = MEMORY');
    connection.pragma(`cache_size = -${CACHE_KIBIBYTES}`);
    applySchema(connection, schema, file);
    if (synchronous === 'full') verifySynchronousFull(connection, file);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/**
 * Call it after a write: switching to WAL lowers `synchronous` to NORMAL at the next statement,
 * and the pragma tells so only then (better-sqlite3 is built with DEFAULT_WAL_SYNCHRONOUS=1).
 */
export function verifySynchronousFull(connection: Connection, file: string): void {
  const actual = connection.pragma('synchronous', { simple: true });
  if (actual !== SYNCHRONOUS_FULL) {
    throw new StorageOpenError(
      'notDurable',
      `${file}: synchronous is ${String(actual)} instead of ${SYNCHRONOUS_FULL} (FULL), so a power ` +
        'cut could lose acknowledged events; use the better-sqlite3 that Holdfast was installed with',
    );
  }
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await makeFolderDurably(folder);
  } catch (error) {
    throw folderError(folder, error);
  }
}

export function folderError(folder: string, cause: unknown): StorageOpenError {
  const reason = folderFault(cause);
  return new StorageOpenError(
    'folderNotUsable',
    `the folder ${folder} cannot be created or written (${reason}); create it and make it ` +
      'writable for this user, or choose another folder',
    { cause },
  );
}

function toOpenError(file: string, error: unknown): unknown {
  const code = sqliteCode(error);
  if (error instanceof StorageOpenError || code === undefined) return error;
  if (isDamaged(error)) {
    return new StorageOpenError(
      code === 'SQLITE_NOTADB' ? 'notADatabase' : 'damaged',
      `${file} is not a sound SQLite database (${code}); restore it from a backup, or move it ` +
        'away to begin anew',
      { cause: error },
    );
  }
  if (/^SQLITE_(CANTOPEN|READONLY|PERM)/.test(code)) return folderError(dirname(file), error);
  return new StorageOpenError('inputOutput', `${file} cannot be opened (${code})`, {
    cause: error,
  });
}
