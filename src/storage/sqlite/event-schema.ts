import type { DatabaseSchema } from './database-schema.js';

/**
 * Rows are small: names live in dictionaries, an event id takes 16 bytes, a key 16 (the first half
 * of its SHA-256). Small columns stand before the JSON, so that a scan over them does not touch it.
 *
 * Indexes by random values are what an append pays for: each entry dirties a page of its own. So
 * only the first id of a batch is indexed (ids of one batch derive from the same commands), and
 * `event_keys` is filled from the rows in bulk, see key-index.ts.
 */
export const eventSchema: DatabaseSchema = {
  applicationId: 0x48_46_65_31,
  migrations: [
    `CREATE TABLE streams (
       id INTEGER PRIMARY KEY,
       name TEXT NOT NULL UNIQUE,
       indexed_revision INTEGER NOT NULL DEFAULT -1
     ) STRICT;
     CREATE TABLE event_types (
       id INTEGER PRIMARY KEY,
       name TEXT NOT NULL UNIQUE
     ) STRICT;
     CREATE TABLE events (
       position INTEGER PRIMARY KEY,
       stream INTEGER NOT NULL,
       revision INTEGER NOT NULL,
       type INTEGER NOT NULL,
       begins_batch INTEGER NOT NULL,
       recorded_at_ms INTEGER NOT NULL,
       event_id BLOB NOT NULL,
       keys BLOB,
       data TEXT NOT NULL,
       metadata TEXT NOT NULL
     ) STRICT;
     CREATE UNIQUE INDEX event_revision ON events (stream, revision);
     CREATE UNIQUE INDEX event_id_of_batch ON events (event_id) WHERE begins_batch = 1;
     CREATE TABLE event_keys (
       stream INTEGER NOT NULL,
       run INTEGER NOT NULL,
       entry INTEGER NOT NULL,
       PRIMARY KEY (stream, run, entry)
     ) STRICT, WITHOUT ROWID;
     CREATE TABLE snapshots (
       stream TEXT NOT NULL,
       schema_version INTEGER NOT NULL,
       revision INTEGER NOT NULL,
       state TEXT NOT NULL
     ) STRICT;
     CREATE UNIQUE INDEX snapshot_revision ON snapshots (stream, schema_version, revision);`,
    `CREATE TABLE key_filters (
       stream INTEGER NOT NULL,
       run INTEGER NOT NULL,
       filter BLOB NOT NULL,
       PRIMARY KEY (stream, run)
     ) STRICT, WITHOUT ROWID;`,
    `CREATE TABLE store_identity (
       id INTEGER PRIMARY KEY CHECK (id = 1),
       store_id TEXT NOT NULL
     ) STRICT;
     INSERT INTO store_identity VALUES (1, lower(hex(randomblob(16))));`,
  ],
};
