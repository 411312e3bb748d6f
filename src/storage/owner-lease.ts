import type { LeaseStore } from './lease-store.js';
import { pause } from './pause.js';

export interface LeaseWish {
  readonly name: string;
  readonly holder: string;
  readonly ttlMs: number;
}

/** Who gives a lease back is followed by another instance so soon, however long the lease lives. */
const NEXT_TRY_MS_MAX = 2_000;

/** Owns the lease again and again, waiting while somebody else has it, until `stop` is aborted. */
export async function wheneverOwner(
  leases: LeaseStore,
  wish: LeaseWish,
  stop: AbortSignal,
  hears: {
    readonly owner: (owner: string | undefined) => void;
    readonly failed: (error: unknown) => void;
  },
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  while (!stop.aborted) {
    try {
      const owner = await whileOwner(leases, wish, stop, work);
      hears.owner(owner === wish.holder ? undefined : owner);
    } catch (error) {
      hears.failed(error);
    }
    await pause(Math.min(wish.ttlMs / 2, NEXT_TRY_MS_MAX), stop);
  }
}

/**
 * Does `work` while the lease is held. The signal that `work` gets is aborted when `stop` is, when
 * the lease is lost, and when it could not be renewed for its whole life.
 * @returns who has the lease: `holder` itself after the work is over, or somebody else at once.
 */
export async function whileOwner(
  leases: LeaseStore,
  wish: LeaseWish,
  stop: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<string> {
  const { name, holder, ttlMs } = wish;
  const lease = await leases.acquire(name, holder, ttlMs);
  if (lease.holder !== holder) return lease.holder;
  const ended = new AbortController();
  const end = (): void => ended.abort();
  if (stop.aborted) end();
  stop.addEventListener('abort', end, { once: true });
  const renewing = renew(leases, wish, lease.fence, ended);
  try {
    await work(ended.signal);
  } finally {
    end();
    stop.removeEventListener('abort', end);
    await renewing;
    await leases.release(name, holder, lease.fence).catch(() => undefined);
  }
  return holder;
}

/** Three tries per life of the lease; what the store cannot tell counts as lost when time is up. */
async function renew(
  leases: LeaseStore,
  { name, holder, ttlMs }: LeaseWish,
  fence: number,
  ended: AbortController,
): Promise<void> {
  let failures = 0;
  for (;;) {
    await pause(ttlMs / 3, ended.signal);
    if (ended.signal.aborted) return;
    try {
      if ((await leases.renew(name, holder, fence, ttlMs)) === undefined) return ended.abort();
      failures = 0;
    } catch {
      failures += 1;
      if (failures >= 3) return ended.abort();
    }
  }
}
