import type Database from 'better-sqlite3';
import { StorageOpenError } from '../storage-open-error.js';

export type Connection = Database.Database;

/** What a database file is for, and the steps that bring it to the newest version. */
export interface DatabaseSchema {
  /** Stands in the file's header, so that a file of another program is not taken for ours. */
  readonly applicationId: number;
  /** Step n leads from version n to n + 1. Steps are added, never edited. */
  readonly migrations: readonly string[];
}

const SCHEMA_TABLE = `CREATE TABLE store_schema (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  version INTEGER NOT NULL,
  opened_at_ms INTEGER NOT NULL
) STRICT`;

/**
 * Creates or migrates, and always writes one row: only after a write does SQLite tell the true
 * `synchronous` setting.
 */
export function applySchema(connection: Connection, schema: DatabaseSchema, file: string): void {
  connection
    .transaction(() => {
      const found = connection.pragma('application_id', { simple: true });
      const empty = connection.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() === 0;
      if (empty) {
        connection.pragma(`application_id = ${schema.applicationId}`);
        connection.exec(SCHEMA_TABLE);
        connection.exec('INSERT INTO store_schema VALUES (1, 0, 0)');
      } else if (found !== schema.applicationId) {
        throw new StorageOpenError(
          'otherProgram',
          `${file} belongs to another program or another part of Holdfast; choose another data ` +
            'folder, or move the file away',
        );
      }
      migrate(connection, schema, file);
    })
    .immediate();
}

function migrate(connection: Connection, schema: DatabaseSchema, file: string): void {
  const newest = schema.migrations.length;
  const version = schemaVersion(connection);
  if (version > newest) {
    throw new StorageOpenError(
      'newerSchema',
      `${file} has schema version ${version}, this Holdfast knows up to ${newest}; install the ` +
        'newer Holdfast again',
    );
  }
  for (const step of schema.migrations.slice(version)) connection.exec(step);
  connection
    .prepare('UPDATE store_schema SET version = ?, opened_at_ms = ?')
    .run(BigInt(newest), BigInt(Date.now()));
}

export function schemaVersion(connection: Connection): number {
  return connection.prepare('SELECT version FROM store_schema').pluck().get() as number;
}
