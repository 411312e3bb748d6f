import { expect } from '@jest/globals';
import { allProjections } from '../../src/projections/all-projections.js';
import { liveGeneration } from '../../src/projections/generation.js';
import { type RebuildProgress, rebuild } from '../../src/projections/rebuild.js';
import { EventCodec } from '../../src/storage/event-codec.js';
import type { Storage } from '../../src/storage/open-storage.js';
import type { ReadSide } from './read-sides.js';

/** Lines that only one of the two has. */
export function differing(some: readonly string[], others: readonly string[]): readonly string[] {
  const [one, other] = [new Set(some), new Set(others)];
  return [
    ...some.filter((line) => !other.has(line)),
    ...others.filter((line) => !one.has(line)),
  ].sort();
}

/** All documents of all read models; those in use are read while the new ones are made. */
export async function liveAndRebuilt(side: ReadSide, storage: Storage) {
  const live: string[] = [];
  const rebuilt: string[] = [];
  for (const projection of allProjections) {
    const { readModels } = storage;
    const before = await liveGeneration(readModels, projection);
    live.push(...(await side.texts(projection, before)));
    const heard: RebuildProgress[] = [];
    const served = new Set<number>();
    const report = await rebuild(
      projection,
      { ...storage, codec: new EventCodec(), now: Date.now },
      {
        instanceId: 'rebuild',
        leaseTtlMs: 60_000,
        batchEventsMax: 100,
        graceMs: 0,
        onProgress: (progress) => {
          heard.push(progress);
          void liveGeneration(readModels, projection).then(({ number }) => served.add(number));
        },
      },
    );
    expect(heard.at(-1)).toMatchObject({ fraction: 1, remainingMs: 0 });
    expect(served.has(before.number)).toBe(true);
    const after = await liveGeneration(readModels, projection);
    expect(after.number).toBe(report.generation);
    rebuilt.push(...(await side.texts(projection, after)));
  }
  return [live, rebuilt] as const;
}
