/** Runs the end-to-end tests, unchanged, on other stores than the embedded ones. */
import { createHash } from 'node:crypto';
import type { MongoDouble } from './mongo-double/mongo-double.js';

let mongodb: Promise<MongoDouble> | undefined;

/**
 * What a program needs in its environment to keep what belongs to this folder in the stores that
 * STORES_UNDER_TEST names, separated by commas; nothing without it. `mongodb` is the double.
 */
export async function storesEnvironment(folder: string): Promise<Readonly<Record<string, string>>> {
  const wanted = (process.env['STORES_UNDER_TEST'] ?? '').split(',').filter((name) => name !== '');
  const environment: Record<string, string> = {};
  for (const name of wanted) {
    if (name !== 'mongodb') throw new Error(`STORES_UNDER_TEST names no store: ${name}`);
    // The tests of a file share it; it must not keep the process alive.
    mongodb ??= startMongoDouble();
    const database = createHash('sha256').update(folder).digest('hex').slice(0, 16);
    environment['HOLDFAST_MONGODB_URL'] = (await mongodb).url(`e2e_${database}`);
  }
  return environment;
}

/** Loads the double only here: it brings the driver, which few tests need. */
async function startMongoDouble(): Promise<MongoDouble> {
  const { MongoDouble } = await import('./mongo-double/mongo-double.js');
  const double = await new MongoDouble().start();
  return double.unref();
}
