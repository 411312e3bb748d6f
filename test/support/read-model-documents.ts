import { randomUUID } from 'node:crypto';
import type {
  DocumentWrite,
  FindQuery,
  ReadModelDocument,
  ReadModelStore,
} from '../../src/storage/read-model-store.js';

export interface NewCollection {
  readonly name: string;
  write(writes: readonly DocumentWrite[]): Promise<void>;
}

/** A collection that no other test uses. */
export async function newCollection(
  store: ReadModelStore,
  indexes: readonly (readonly string[])[] = [['kind']],
): Promise<NewCollection> {
  const name = `c-${randomUUID()}`;
  await store.ensureCollections([{ name, indexes }]);
  return { name, write: (writes) => writeAll(store, writes) };
}

/** One batch under a projection of its own. */
export async function writeAll(
  store: ReadModelStore,
  writes: readonly DocumentWrite[],
): Promise<void> {
  await store.write({ projection: randomUUID(), expectedPosition: 0n, nextPosition: 1n, writes });
}

/** Writes documents under the ids given as keys. */
export async function writeDocuments(
  store: ReadModelStore,
  collection: string,
  documents: Readonly<Record<string, ReadModelDocument>>,
): Promise<void> {
  await writeAll(
    store,
    Object.entries(documents).map(([id, document]) => ({ collection, id, document })),
  );
}

/** Ids of all pages, in order. */
export async function documentsIn(
  store: ReadModelStore,
  collection: string,
  query: FindQuery,
): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let cursor = query.cursor, pages = 0; pages < 1_000; pages += 1) {
    const page = await store.find(collection, { ...query, cursor });
    ids.push(...page.documents.map(({ id }) => id));
    if (page.cursor === undefined) return ids;
    cursor = page.cursor;
  }
  throw new Error('the pages never end');
}
