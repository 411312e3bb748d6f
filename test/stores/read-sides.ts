import Database from 'better-sqlite3';
import { canonicalJson } from '../../src/context/canonical-json.js';
import type { Json } from '../../src/domain/content.js';
import type { Generation } from '../../src/projections/generation.js';
import type { Projection } from '../../src/projections/projection.js';
import { storageFiles } from '../../src/storage/sqlite/storage-files.js';
import { type MongoTestDatabase, mongoTestServers } from '../support/mongo-server.js';

/** Where read models are kept, and all that is kept there. */
export interface ReadSide {
  readonly name: string;
  readonly mongodbUrl: string | undefined;
  /** A line for each document of the generation, sorted: collection, id, canonical JSON. */
  texts(projection: Projection, generation: Generation): Promise<readonly string[]>;
  remove(): Promise<void>;
}

/** SQLite in the data folder, the doubles, and the server of MONGODB_URL if it takes leases. */
export async function readSides(dataDir: string): Promise<readonly ReadSide[]> {
  const servers = (await mongoTestServers()).filter(({ ferretdb }) => !ferretdb);
  const mongo = servers.map(async ({ name, database }) => onMongo(name, await database()));
  return [onSqlite(dataDir), ...(await Promise.all(mongo))];
}

function onSqlite(dataDir: string): ReadSide {
  return {
    name: 'SQLite',
    mongodbUrl: undefined,
    async texts({ collections }, generation) {
      const file = new Database(storageFiles(dataDir).readModels, { readonly: true });
      const lines = collections.flatMap(({ name }) =>
        file
          .prepare<[], { id: string; document: string }>(
            `SELECT id, document FROM "documents:${generation.collection(name)}"`,
          )
          .all()
          .map(({ id, document }) => lineOf(name, id, document)),
      );
      file.close();
      return lines.sort();
    },
    remove: () => Promise.resolve(),
  };
}

export function onMongo(name: string, database: MongoTestDatabase): ReadSide {
  return {
    name,
    mongodbUrl: database.url,
    async texts({ collections }, generation) {
      const { client, data } = await database.open();
      const lines: string[] = [];
      for (const { name: collection } of collections) {
        const known = generation.collection(collection);
        const entry = await data.collection<{ _id: string }>('collections').findOne({
          _id: known.toLowerCase(),
        });
        const place = String((entry as { place?: unknown } | null)?.place);
        const found = await data.collection<{ _id: string; json?: string }>(place).find().toArray();
        for (const { _id, json } of found) {
          if (json !== undefined) lines.push(lineOf(collection, _id, json));
        }
      }
      await client.close();
      return lines.sort();
    },
    remove: () => database.remove(),
  };
}

function lineOf(collection: string, id: string, json: string): string {
  return `${collection} ${id} ${canonicalJson(JSON.parse(json) as Json)}`;
}
