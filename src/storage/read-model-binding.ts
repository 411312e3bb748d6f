import type { EventStore } from './event-store.js';
import {
  type CollectionDefinition,
  PositionMismatchError,
  type ReadModelStore,
} from './read-model-store.js';
import { StorageOpenError } from './storage-open-error.js';

const BINDING: CollectionDefinition = { name: 'event_store', indexes: [] };
const ID = 'store';

/**
 * Read models hold positions of one log: on another they would show what never happened there.
 * The first process that opens both binds them to each other.
 * @param place of the read models, for people.
 * @throws StorageOpenError when they were made from another event store.
 */
export async function bindReadModels(
  events: EventStore,
  readModels: ReadModelStore,
  place: string,
): Promise<void> {
  const storeId = await events.storeId();
  await readModels.ensureCollections([BINDING]);
  const bound = (await boundTo(readModels)) ?? (await bind(readModels, storeId));
  if (bound === storeId) return;
  throw new StorageOpenError(
    'otherEventStore',
    `the read models in ${place} were made from another event store (${bound}) than the one that ` +
      `is configured (${storeId}); correct HOLDFAST_EVENTSTORE_URL, or begin with empty read ` +
      'models: another database in HOLDFAST_MONGODB_URL or, without it, another HOLDFAST_DATA_DIR',
  );
}

async function boundTo(readModels: ReadModelStore): Promise<string | undefined> {
  const found = await readModels.get(BINDING.name, ID);
  return found?.['storeId'] as string | undefined;
}

async function bind(readModels: ReadModelStore, storeId: string): Promise<string | undefined> {
  try {
    await readModels.write({
      projection: BINDING.name,
      expectedPosition: 0n,
      nextPosition: 1n,
      writes: [{ collection: BINDING.name, id: ID, document: { storeId } }],
    });
    return storeId;
  } catch (error) {
    if (!(error instanceof PositionMismatchError)) throw error;
    return boundTo(readModels);
  }
}
