import type { DatabaseSchema } from './database-schema.js';

/** Besides these tables there is one of documents per collection, made when it is declared. */
export const readModelSchema: DatabaseSchema = {
  applicationId: 0x48_46_72_31,
  migrations: [
    `CREATE TABLE positions (
       projection TEXT PRIMARY KEY,
       position INTEGER NOT NULL
     ) STRICT, WITHOUT ROWID;
     CREATE TABLE collections (
       name TEXT PRIMARY KEY COLLATE NOCASE,
       indexes TEXT NOT NULL
     ) STRICT, WITHOUT ROWID;`,
  ],
};
