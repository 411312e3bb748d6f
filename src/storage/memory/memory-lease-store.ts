import { type Lease, type LeaseStore, checkLease } from '../lease-store.js';

/** Leases in this process's memory, on the clock that is given. */
export class MemoryLeaseStore implements LeaseStore {
  private readonly leases = new Map<string, Lease>();

  constructor(private readonly now: () => number = Date.now) {}

  async acquire(name: string, holder: string, ttlMs: number): Promise<Lease> {
    checkLease(name, holder, ttlMs);
    const live = this.live(name);
    return live !== undefined && live.holder !== holder ? live : this.take(name, holder, ttlMs);
  }

  async seize(name: string, holder: string, ttlMs: number): Promise<Lease> {
    checkLease(name, holder, ttlMs);
    return this.take(name, holder, ttlMs);
  }

  async renew(
    name: string,
    holder: string,
    fence: number,
    ttlMs: number,
  ): Promise<Lease | undefined> {
    checkLease(name, holder, ttlMs);
    const live = this.live(name);
    if (live?.holder !== holder || live.fence !== fence) return undefined;
    return this.take(name, holder, ttlMs);
  }

  async release(name: string, holder: string, fence: number): Promise<void> {
    const stored = this.leases.get(name);
    if (stored?.holder === holder && stored.fence === fence) {
      this.leases.set(name, { ...stored, expiresAtMs: this.now() });
    }
  }

  async forget(endedMsAgo: number): Promise<void> {
    const before = this.now() - endedMsAgo;
    for (const [name, { expiresAtMs }] of this.leases) {
      if (expiresAtMs < before) this.leases.delete(name);
    }
  }

  async current(name: string): Promise<Lease | undefined> {
    return this.live(name);
  }

  async close(): Promise<void> {
    this.leases.clear();
  }

  private live(name: string): Lease | undefined {
    const stored = this.leases.get(name);
    return stored !== undefined && stored.expiresAtMs > this.now() ? stored : undefined;
  }

  private take(name: string, holder: string, ttlMs: number): Lease {
    const kept = this.live(name)?.holder === holder;
    const fence = (this.leases.get(name)?.fence ?? 0) + (kept ? 0 : 1);
    const lease = Object.freeze({ name, holder, fence, expiresAtMs: this.now() + ttlMs });
    this.leases.set(name, lease);
    return lease;
  }
}
