import {
  PositionMismatchError,
  type CollectionDefinition,
  type ReadModelStore,
} from '../storage/read-model-store.js';
import type { Projection } from './projection.js';

/** One complete set of a projection's collections: the live one is served. */
export interface Generation {
  readonly number: number;
  /** Under which the store keeps its position. */
  readonly positionName: string;
  collection(name: string): string;
}

export const QUARANTINE = 'quarantine';
/** Which event the documents go up to: another log can be told from this one. */
export const APPLIED = 'applied';

const POINTERS: CollectionDefinition = { name: 'projection_pointers', indexes: [] };
const OWN: readonly CollectionDefinition[] = [
  { name: QUARANTINE, indexes: [['stream']] },
  { name: APPLIED, indexes: [] },
];

export function generationOf(projection: Projection, number: number): Generation {
  const { name, version } = projection;
  const prefix = name.replaceAll('-', '_');
  return {
    number,
    positionName: `${name}@${version}.${number}`,
    collection: (collection) =>
      `${prefix}_${collection.replaceAll('-', '_')}_v${version}_g${number}`,
  };
}

function pointerId({ name, version }: Projection): string {
  return `${name}@${version}`;
}

/** Which generation is served. The pointer belongs to a version: an older server keeps its own. */
export async function liveGeneration(
  store: ReadModelStore,
  projection: Projection,
): Promise<Generation> {
  const pointer = await store.get(POINTERS.name, pointerId(projection));
  return generationOf(projection, (pointer?.['generation'] as number | undefined) ?? 1);
}

/** Serves `next` from now on; false when somebody else has flipped the pointer meanwhile. */
export async function flipGeneration(
  store: ReadModelStore,
  projection: Projection,
  from: Generation,
  next: Generation,
): Promise<boolean> {
  const id = pointerId(projection);
  const flips = await store.position(`pointer:${id}`);
  if ((await liveGeneration(store, projection)).number !== from.number) return false;
  try {
    await store.write({
      projection: `pointer:${id}`,
      expectedPosition: flips,
      nextPosition: BigInt(next.number),
      writes: [{ collection: POINTERS.name, id, document: { generation: next.number } }],
    });
    return true;
  } catch (error) {
    if (error instanceof PositionMismatchError) return false;
    throw error;
  }
}

export async function createGeneration(
  store: ReadModelStore,
  projection: Projection,
  generation: Generation,
): Promise<void> {
  const own = [...projection.collections, ...OWN].map((definition) => ({
    name: generation.collection(definition.name),
    indexes: definition.indexes,
    content: definition.content,
  }));
  await store.ensureCollections([POINTERS, ...own]);
}

export async function dropGeneration(
  store: ReadModelStore,
  projection: Projection,
  generation: Generation,
): Promise<void> {
  for (const { name } of [...projection.collections, ...OWN]) {
    await store.dropCollection(generation.collection(name));
  }
  await store.dropPosition(generation.positionName);
}

/** Creates what the live generation needs and answers it. */
export async function openLiveGeneration(
  store: ReadModelStore,
  projection: Projection,
): Promise<Generation> {
  await store.ensureCollections([POINTERS]);
  const live = await liveGeneration(store, projection);
  await createGeneration(store, projection, live);
  return live;
}
