/** Where the suites of the MongoDB adapters find a server. */
import { randomBytes } from 'node:crypto';
import { MongoClient } from 'mongodb';
import {
  type MongoConnection,
  type MongoConnectionOptions,
  connectMongo,
} from '../../src/storage/mongodb/mongo-connection.js';
import { MongoDouble } from './mongo-double/mongo-double.js';

export interface MongoTestDatabase {
  readonly url: string;
  open(options?: Omit<MongoConnectionOptions, 'url'>): Promise<MongoConnection>;
  /** Closes what was opened, and drops the database. */
  remove(): Promise<void>;
}

export interface MongoTestServer {
  readonly name: string;
  /**
   * FerretDB has no update pipelines, and its updates are not atomic: it takes neither leases nor
   * two writers at once. It is no store for Holdfast, only a second opinion.
   */
  readonly ferretdb: boolean;
  database(): Promise<MongoTestDatabase>;
}

/** The doubles, and the server that MONGODB_URL names: a test variable, never the product's. */
export async function mongoTestServers(): Promise<readonly MongoTestServer[]> {
  const doubles = [true, false].map((replicaSet) => ({
    name: replicaSet ? 'the double as a replica set' : 'the double as a standalone server',
    ferretdb: false,
    database: () => doubleDatabase({ replicaSet }),
  }));
  const url = process.env['MONGODB_URL'];
  if (url === undefined || url === '') {
    say('MONGODB_URL is not set: the MongoDB adapters are tested against the double only');
    return doubles;
  }
  const client = new MongoClient(url, { serverSelectionTimeoutMS: 10_000 });
  const info = await client.db('admin').command({ buildInfo: 1 });
  await client.close();
  const ferretdb = 'ferretdbVersion' in info;
  const kind = ferretdb ? 'FerretDB' : 'MongoDB';
  say(`MONGODB_URL is a ${kind} that calls itself ${String(info['version'])}`);
  if (ferretdb) say('FerretDB: without leases, two writers at once, and the largest artifact');
  const name = `the ${kind} of MONGODB_URL`;
  return [...doubles, { name, ferretdb, database: async () => testDatabase(url) }];
}

/** A double with one database. */
export async function doubleDatabase(
  options: { readonly replicaSet: boolean } = { replicaSet: true },
): Promise<MongoTestDatabase & { readonly double: MongoDouble }> {
  const double = await new MongoDouble(options).start();
  const database = testDatabase(double.url(''));
  return {
    ...database,
    double,
    async remove() {
      await database.remove();
      await double.stop();
    },
  };
}

function testDatabase(serverUrl: string): MongoTestDatabase {
  const name = `holdfast_test_${randomBytes(6).toString('hex')}`;
  const url = serverUrl.replace(/^([^:]+:\/\/[^/?]+)(?:\/[^?]*)?/, `$1/${name}`);
  const opened: MongoConnection[] = [];
  return {
    url,
    async open(options = {}) {
      const connection = await connectMongo({ url, ...options });
      opened.push(connection);
      return connection;
    },
    async remove() {
      for (const { client } of opened) await client.close();
      const client = new MongoClient(url);
      await client.db(name).dropDatabase();
      await client.db(`${name}_keys`).dropDatabase();
      await client.close();
    },
  };
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
