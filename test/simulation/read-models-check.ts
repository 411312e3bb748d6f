import { canonicalJson } from '../../src/context/canonical-json.js';
import { allProjections } from '../../src/projections/all-projections.js';
import { BatchFold } from '../../src/projections/batch-fold.js';
import { openLiveGeneration } from '../../src/projections/generation.js';
import type { Projection } from '../../src/projections/projection.js';
import { SESSION_STREAMS } from '../../src/projections/projector.js';
import { EventCodec } from '../../src/storage/event-codec.js';
import { ListingReadModels } from '../projections/projection-world.js';
import type { SharedStores } from './faulty-stores.js';

const PAGE_EVENTS = 1_000;

/** The documents that were kept up to date under faults, against those of a rebuild. */
export async function checkReadModels(stores: SharedStores): Promise<string | undefined> {
  const rebuilt = new ListingReadModels();
  for (const projection of allProjections) {
    await fold(stores, stores.readModels, projection);
    await fold(stores, rebuilt, projection);
    const live = await documents(stores.readModels, projection);
    const anew = await documents(rebuilt, projection);
    const other = live.find((line, index) => line !== anew[index]);
    if (other !== undefined || live.length !== anew.length) {
      return `${projection.name}: ${other ?? 'documents are missing'}`;
    }
  }
  return undefined;
}

/** Up to the end of the log, from where these documents are. */
async function fold(
  { events }: SharedStores,
  readModels: ListingReadModels,
  projection: Projection,
): Promise<void> {
  const live = await openLiveGeneration(readModels, projection);
  const batch = new BatchFold(readModels, new EventCodec(), projection, live);
  await batch.open();
  const filter = { streamPrefix: SESSION_STREAMS };
  for (let caughtUp = false; !caughtUp;) {
    const page = await events.readAll(batch.position, PAGE_EVENTS, filter);
    await batch.apply(page.events, page.next);
    ({ caughtUp } = page);
  }
}

async function documents(store: ListingReadModels, projection: Projection): Promise<string[]> {
  const generation = await openLiveGeneration(store, projection);
  const lines: string[] = [];
  for (const { name } of projection.collections) {
    const collection = generation.collection(name);
    const ids = [...(store.ids.get(collection) ?? [])].sort();
    for (const [id, document] of await store.getMany(collection, ids)) {
      lines.push(`${name} ${id} ${canonicalJson(document)}`);
    }
  }
  return lines;
}
