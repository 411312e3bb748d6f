import { describe, expect, it } from '@jest/globals';
import { newBatch } from '../../test/support/event-batches.js';
import { SealedStores } from '../../test/support/sealed-stores.js';
import type { EventStore } from '../storage/event-store.js';
import { MemoryCheckpointLog } from '../storage/memory/memory-checkpoint-log.js';
import { pause } from '../storage/pause.js';
import { verifyLog } from '../storage/sealed/verify-log.js';
import { CheckpointsInBackground } from './checkpoints-in-background.js';

const EVENTS = 2_500;
const PAGE_EVENTS = 500;

/** A log of which each page takes a while. */
function slow(store: EventStore, pageMs: number, pages: unknown[]): EventStore {
  return new Proxy(store, {
    get: (target, name: keyof EventStore) => {
      if (name !== 'readAll') return target[name].bind(target as never);
      return async (...asked: Parameters<EventStore['readAll']>) => {
        await pause(pageMs);
        pages.push(asked);
        return target.readAll(...asked);
      };
    },
  });
}

describe('checkpoints in the background', () => {
  it('do not hold up a shutdown: what is verified is signed, the rest at the next start', async () => {
    const stores = new SealedStores();
    const { events } = stores.open();
    for (let head = -1; head + 1 < EVENTS; head += 100) {
      await events.append('tenant-t', head < 0 ? 'noStream' : head, newBatch(100));
    }
    const log = new MemoryCheckpointLog();
    const pages: unknown[] = [];
    const alarms: unknown[] = [];
    const server = (pageMs: number, lastMsMax: number) => {
      const store = slow(stores.stored, pageMs, pages);
      const alarm = (name: unknown) => void alarms.push(name);
      return new CheckpointsInBackground(store, log, () => 1, alarm, lastMsMax);
    };

    const first = server(100, 50);
    first.onApplicationBootstrap();
    await pause(150);
    await first.beforeApplicationShutdown();
    expect(pages.length).toBeLessThan(EVENTS / PAGE_EVENTS);
    const verified = async () => verifyLog(stores.stored, log, await log.all());
    const uncovered = EVENTS - pages.length * PAGE_EVENTS;
    expect(await verified()).toMatchObject({ checkpoints: 2, uncovered });

    const next = server(1, 60_000);
    await next.beforeApplicationShutdown();
    expect(await verified()).toMatchObject({ checkpoints: 3, uncovered: 0, broken: undefined });
    expect(pages).toHaveLength(EVENTS / PAGE_EVENTS);
    expect(alarms).toEqual([]);
  });
});
