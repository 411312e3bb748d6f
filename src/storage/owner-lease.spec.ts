import { describe, expect, it } from '@jest/globals';
import { MemoryLeaseStore } from './memory/memory-lease-store.js';
import { wheneverOwner } from './owner-lease.js';
import { pause } from './pause.js';

/** Two instances that want one lease; `working` says who works now. */
function instances(ttlMs: number) {
  const leases = new MemoryLeaseStore();
  const working = new Set<string>();
  const start = (holder: string) => {
    const stopping = new AbortController();
    const hears = { owner: () => undefined, failed: () => undefined };
    const wish = { name: 'projection:x', holder, ttlMs };
    const ended = wheneverOwner(leases, wish, stopping.signal, hears, async (signal) => {
      working.add(holder);
      await pause(60_000, signal);
      working.delete(holder);
    });
    const stop = async (): Promise<void> => {
      stopping.abort();
      await ended;
    };
    return { stop };
  };
  const until = async (holder: string): Promise<number> => {
    const startedMs = performance.now();
    while (!working.has(holder)) await pause(10);
    return performance.now() - startedMs;
  };
  return { leases, working, start, until };
}

describe('work that one instance does at a time', () => {
  it('is handed over at a shutdown, long before the lease would end', async () => {
    const { working, start, until } = instances(60_000);
    const one = start('one');
    await until('one');
    const other = start('other');
    await pause(50);
    expect([...working]).toEqual(['one']);
    await one.stop();
    expect(working.size).toBe(0);
    expect(await until('other')).toBeLessThan(10_000);
    await other.stop();
  });

  it('ends for the one that lost the lease, and another goes on', async () => {
    const { leases, working, start, until } = instances(300);
    const one = start('one');
    await until('one');
    const lease = await leases.seize('projection:x', 'other', 300);
    expect(lease.holder).toBe('other');
    while (working.has('one')) await pause(10);
    await leases.release('projection:x', 'other', lease.fence);
    await until('one');
    await one.stop();
  });
});
