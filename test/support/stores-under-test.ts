/** Runs the end-to-end tests, unchanged, on other stores than the embedded ones. */
import { createHash } from 'node:crypto';
import type { EventStoreDbDouble } from './eventstoredb/eventstoredb-double.js';
import { atTheEnd } from './import-outside.js';
import type { MongoDouble } from './mongo-double/mongo-double.js';

type Environment = Readonly<Record<string, string>>;

/** What belongs to a folder stays together over restarts. */
const places = new Map<string, Promise<Environment>>();
const eventStores = new Map<string, EventStoreDbDouble>();
let mongodb: Promise<MongoDouble> | undefined;

/**
 * What a program needs in its environment to keep what belongs to this folder in the stores that
 * STORES_UNDER_TEST names, separated by commas; nothing without it. `eventstoredb` and `mongodb`
 * are the doubles, which stand until all of the test file is over.
 */
export function storesEnvironment(folder: string): Promise<Environment> {
  const known = places.get(folder) ?? newPlaces(folder);
  places.set(folder, known);
  return known;
}

/** The double that has this folder's events; none where they are in the folder. */
export async function eventStoreDoubleOf(folder: string): Promise<EventStoreDbDouble | undefined> {
  await storesEnvironment(folder);
  return eventStores.get(folder);
}

/** Where this folder's read side is; undefined where it is in the folder. */
export async function mongoUrlOf(folder: string): Promise<string | undefined> {
  return (await storesEnvironment(folder))['HOLDFAST_MONGODB_URL'];
}

async function newPlaces(folder: string): Promise<Environment> {
  const wanted = (process.env['STORES_UNDER_TEST'] ?? '').split(',').filter((name) => name !== '');
  const environment: Record<string, string> = {};
  for (const name of wanted) Object.assign(environment, await placeIn(name, folder));
  return environment;
}

async function startedMongo(double: MongoDouble): Promise<MongoDouble> {
  atTheEnd(() => double.stop());
  return double.start();
}

/** Loads a double only here: it brings its client, which few tests need. */
async function placeIn(name: string, folder: string): Promise<Environment> {
  switch (name) {
    case 'eventstoredb': {
      const { EventStoreDbDouble } = await import('./eventstoredb/eventstoredb-double.js');
      const double = await EventStoreDbDouble.start();
      atTheEnd(() => double.stop());
      eventStores.set(folder, double);
      return { HOLDFAST_EVENTSTORE_URL: double.url };
    }
    case 'mongodb': {
      const { MongoDouble } = await import('./mongo-double/mongo-double.js');
      mongodb ??= startedMongo(new MongoDouble());
      const database = createHash('sha256').update(folder).digest('hex').slice(0, 16);
      return { HOLDFAST_MONGODB_URL: (await mongodb).url(`e2e_${database}`) };
    }
    default:
      throw new Error(`STORES_UNDER_TEST names no store: ${name}`);
  }
}
