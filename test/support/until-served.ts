import { setTimeout as sleep } from 'node:timers/promises';
import { allProjections } from '../../src/projections/all-projections.js';
import { servedPosition } from '../../src/projections/position-wait.js';
import type { ReadModelStore } from '../../src/storage/read-model-store.js';

/** Until every read model contains everything up to `position`: no projector has work left then. */
export async function untilServed(store: ReadModelStore, position: bigint): Promise<void> {
  for (const projection of allProjections) {
    while ((await servedPosition(store, projection)) < position) await sleep(50);
  }
}
