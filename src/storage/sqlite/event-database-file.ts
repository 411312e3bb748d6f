import { setTimeout as sleep } from 'node:timers/promises';
import { StorageOpenError } from '../storage-open-error.js';
import { type Connect, openConnection } from './connection.js';
import type { Connection } from './database-schema.js';
import { EventDatabase } from './event-database.js';
import { eventSchema } from './event-schema.js';

export interface EventDatabaseOptions {
  readonly file: string;
  readonly busyTimeoutMs?: number;
  readonly connect?: Connect;
}

const CHECKPOINT_TRIES = 40;
const CHECKPOINT_WAIT_MS = 50;

/** @throws StorageOpenError */
export async function openEventDatabase(options: EventDatabaseOptions): Promise<EventDatabase> {
  return new EventDatabase(
    await openConnection({ ...options, schema: eventSchema, synchronous: 'full' }),
  );
}

/**
 * Opens the file again after an I/O error and checks it.
 *
 * After a failed fsync the kernel may hold pages that look written and are not on the disk, and
 * the next fsync succeeds without writing them. So what the log holds is copied into the database
 * and synced there before anything is answered from it.
 */
export async function reopenAfterFailure(options: EventDatabaseOptions): Promise<EventDatabase> {
  const database = await openEventDatabase(options);
  try {
    const verdict = database.connection.pragma('quick_check(1)', { simple: true });
    if (verdict !== 'ok') {
      throw new StorageOpenError(
        'damaged',
        `${options.file} is damaged (${String(verdict)}); restore it from a backup`,
      );
    }
    await emptyLog(database.connection, options.file);
    return database;
  } catch (error) {
    database.connection.close();
    throw error;
  }
}

async function emptyLog(connection: Connection, file: string): Promise<void> {
  for (let tries = 0; tries < CHECKPOINT_TRIES; tries += 1) {
    const [result] = connection.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[];
    if (result?.busy === 0) return;
    await sleep(CHECKPOINT_WAIT_MS);
  }
  throw new StorageOpenError(
    'inputOutput',
    `${file}: other processes kept its log in use, so it could not be synced again`,
  );
}
