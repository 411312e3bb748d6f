import { existsSync, statSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { InstallationKeys } from '../files/installation-keys.js';
import { tableOf } from './collection-catalogue.js';
import { openConnection } from './connection.js';
import { type Connection, type DatabaseSchema, schemaVersion } from './database-schema.js';
import { eventSchema } from './event-schema.js';
import { readModelSchema } from './read-model-schema.js';
import { leaseSchema } from './sqlite-lease-store.js';
import { type StorageFolders, storageFiles } from './storage-files.js';

export interface DatabaseFacts {
  readonly name: 'events' | 'readModels' | 'leases';
  readonly file: string;
  readonly present: boolean;
  /** Why it cannot be opened, with what to do. */
  readonly problem?: string;
  readonly schemaVersion?: number;
  readonly newestSchemaVersion: number;
  readonly sqliteVersion?: string;
  readonly journalMode?: string;
  /** 2 is FULL, 1 is NORMAL; read after a write, as the stores use it. */
  readonly synchronous?: number;
  /** `ok`, or the first thing that is wrong. Absent when it was not asked for. */
  readonly quickCheck?: string;
  readonly sizeBytes: number;
  /** The write-ahead log beside the file. */
  readonly logBytes: number;
  readonly counts: Readonly<Record<string, number>>;
}

export interface StorageFacts {
  readonly databases: readonly DatabaseFacts[];
  readonly artifacts: {
    readonly folder: string;
    readonly count: number;
    readonly sizeBytes: number;
  };
  readonly keys: {
    readonly folder: string;
    readonly present: boolean;
    readonly problem?: string;
  };
}

interface Inspected {
  readonly name: DatabaseFacts['name'];
  readonly file: string;
  readonly schema: DatabaseSchema;
  readonly synchronous: 'full' | 'normal';
  readonly counts: (connection: Connection) => Readonly<Record<string, number>>;
}

/**
 * Looks at what is there and creates nothing; a problem is a fact here, not an error. The check of
 * a large database takes seconds per gigabyte and can be left out.
 */
export async function inspectStorage(
  { dataDir, keysDir }: StorageFolders,
  options: { readonly quickCheck: boolean } = { quickCheck: true },
): Promise<StorageFacts> {
  const files = storageFiles(dataDir);
  const inspected: readonly Inspected[] = [
    {
      name: 'events',
      file: files.events,
      schema: eventSchema,
      synchronous: 'full',
      counts: countEvents,
    },
    {
      name: 'readModels',
      file: files.readModels,
      schema: readModelSchema,
      synchronous: 'normal',
      counts: countDocuments,
    },
    {
      name: 'leases',
      file: files.leases,
      schema: leaseSchema,
      synchronous: 'full',
      counts: (connection) => ({ leases: numberFrom(connection, 'SELECT count(*) FROM leases') }),
    },
  ];
  const databases: DatabaseFacts[] = [];
  for (const one of inspected) databases.push(await inspectDatabase(one, options.quickCheck));
  return {
    databases,
    artifacts: { folder: files.artifacts, ...(await countArtifacts(files.artifacts)) },
    keys: await inspectKeys(keysDir, dataDir),
  };
}

async function inspectDatabase(one: Inspected, quickCheck: boolean): Promise<DatabaseFacts> {
  const { name, file, schema, synchronous } = one;
  const facts = {
    name,
    file,
    present: existsSync(file),
    newestSchemaVersion: schema.migrations.length,
    sizeBytes: sizeOf(file),
    logBytes: sizeOf(`${file}-wal`),
    counts: {},
  };
  if (!facts.present) return facts;
  let connection: Connection | undefined;
  try {
    connection = await openConnection({ file, schema, synchronous });
    return {
      ...facts,
      schemaVersion: schemaVersion(connection),
      sqliteVersion: connection.prepare('SELECT sqlite_version()').pluck().get() as string,
      journalMode: connection.pragma('journal_mode', { simple: true }) as string,
      synchronous: connection.pragma('synchronous', { simple: true }) as number,
      ...(quickCheck
        ? { quickCheck: connection.pragma('quick_check(1)', { simple: true }) as string }
        : {}),
      counts: one.counts(connection),
    };
  } catch (error) {
    return { ...facts, problem: (error as Error).message };
  } finally {
    connection?.close();
  }
}

function countEvents(connection: Connection): Readonly<Record<string, number>> {
  return {
    streams: numberFrom(connection, 'SELECT count(*) FROM streams'),
    // Events are never deleted, so the newest position is their number.
    events: numberFrom(connection, 'SELECT coalesce(max(position), 0) FROM events'),
    eventTypes: numberFrom(connection, 'SELECT count(*) FROM event_types'),
    snapshots: numberFrom(connection, 'SELECT count(*) FROM snapshots'),
  };
}

function countDocuments(connection: Connection): Readonly<Record<string, number>> {
  const names = connection.prepare('SELECT name FROM collections').pluck().all() as string[];
  return Object.fromEntries(
    names.map((name) => [name, numberFrom(connection, `SELECT count(*) FROM ${tableOf(name)}`)]),
  );
}

function numberFrom(connection: Connection, sql: string): number {
  return connection.prepare(sql).pluck().get() as number;
}

async function countArtifacts(folder: string): Promise<{ count: number; sizeBytes: number }> {
  const entries = existsSync(folder)
    ? await readdir(folder, { recursive: true, withFileTypes: true })
    : [];
  let count = 0;
  let sizeBytes = 0;
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    count += 1;
    sizeBytes += (await stat(join(entry.parentPath, entry.name))).size;
  }
  return { count, sizeBytes };
}

async function inspectKeys(folder: string, dataDir: string): Promise<StorageFacts['keys']> {
  if (!existsSync(folder)) return { folder, present: false };
  try {
    await InstallationKeys.check(folder, dataDir);
    return { folder, present: true };
  } catch (error) {
    return { folder, present: true, problem: (error as Error).message };
  }
}

function sizeOf(file: string): number {
  return existsSync(file) ? statSync(file).size : 0;
}
