import {
  type Db,
  type DbOptions,
  MongoClient,
  type MongoClientOptions,
  ReadConcern,
  WriteConcern,
} from 'mongodb';
import { StorageOpenError } from '../storage-open-error.js';

const DEFAULT_DATABASE = 'holdfast';
/** Per query, on the server. */
export const QUERY_MS_MAX = 10_000;

/** The driver waits for ever where nothing is said: for a silent server, in a full pool. */
const OPTIONS: MongoClientOptions = {
  appName: 'holdfast',
  connectTimeoutMS: 5_000,
  serverSelectionTimeoutMS: 5_000,
  waitQueueTimeoutMS: 5_000,
  // Above the longest that one operation may take.
  socketTimeoutMS: 15_000,
  useBigInt64: true,
};

/** Whatever the address says: what was written stays, and what is read was written. */
export const DURABLE = {
  readPreference: 'primary',
  writeConcern: new WriteConcern('majority', undefined, true),
} as const satisfies DbOptions;

export interface MongoConnectionOptions {
  readonly url: string;
  /** Other limits than the usual ones. */
  readonly limits?: Pick<MongoClientOptions, 'serverSelectionTimeoutMS' | 'socketTimeoutMS'>;
}

export interface MongoConnection {
  readonly client: MongoClient;
  /** The database that the address names, or `holdfast`. */
  readonly data: Db;
  /** Beside it, so that a copy of the data holds no key: its name and `_keys`. */
  readonly keys: Db;
  /** Whether several documents can change together: on replica sets and sharded clusters. */
  readonly transactions: boolean;
}

/** @throws StorageOpenError */
export async function connectMongo(options: MongoConnectionOptions): Promise<MongoConnection> {
  const { url, limits } = options;
  const client = clientOf(url, { ...OPTIONS, ...limits });
  try {
    await client.connect();
    const hello = await client.db('admin').command({ hello: 1 });
    if (hello['isWritablePrimary'] !== true) {
      throw new Error('it is no primary, so nothing can be written there');
    }
    const clustered = hello['setName'] !== undefined || hello['msg'] === 'isdbgrid';
    const name = databaseOf(url);
    const durable: DbOptions = clustered
      ? { ...DURABLE, readConcern: new ReadConcern('majority') }
      : DURABLE;
    return {
      client,
      data: client.db(name, durable),
      keys: client.db(`${name}_keys`, durable),
      transactions: clustered,
    };
  } catch (error) {
    await client.close();
    throw notReachable(client, error);
  }
}

function clientOf(url: string, options: MongoClientOptions): MongoClient {
  try {
    return new MongoClient(url, options);
  } catch (error) {
    // The driver's text may hold the whole address, with its password.
    const text = String((error as Error).message);
    const reason = text.includes('mongodb') ? 'it is no address of MongoDB' : text;
    throw new StorageOpenError(
      'badAddress',
      `HOLDFAST_MONGODB_URL cannot be used (${reason}); write it as ` +
        'mongodb://user:password@host:27017/database, with special characters percent-encoded',
    );
  }
}

function databaseOf(url: string): string {
  const named = /^[^:]+:\/\/[^/]+\/([^?]+)/.exec(url)?.[1];
  return named === undefined ? DEFAULT_DATABASE : decodeURIComponent(named);
}

export function notReachable(client: MongoClient, error: unknown): StorageOpenError {
  const hosts = client.options.hosts.map(String).join(', ') || client.options.srvHost;
  const reason = error instanceof Error ? error.message : String(error);
  return new StorageOpenError(
    'notReachable',
    `MongoDB at ${hosts} cannot be used (${reason}); start it, or correct HOLDFAST_MONGODB_URL`,
    { cause: error },
  );
}
