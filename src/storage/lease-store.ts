/**
 * Leases say when others may try; they are never a safety argument (the event store's expected
 * revision is). Expiry is judged on the store's clock.
 */
export interface Lease {
  readonly name: string;
  readonly holder: string;
  /**
   * Grows by one whenever the lease is taken anew: free, expired, or from another holder. A late
   * holder is recognised by it, also when it is the same process that let its lease expire.
   */
  readonly fence: number;
  readonly expiresAtMs: number;
}

export interface LeaseStore {
  /**
   * Takes the lease if it is free or expired; if `holder` has it already it is renewed with the
   * same fence. Answers the lease as it stands now; compare `holder` to see who has it.
   */
  acquire(name: string, holder: string, ttlMs: number): Promise<Lease>;

  /** Takes the lease whoever holds it; like `acquire` when it is free or already the holder's. */
  seize(name: string, holder: string, ttlMs: number): Promise<Lease>;

  /** Extends a lease that `holder` still has with this fence; undefined when lost or expired. */
  renew(name: string, holder: string, fence: number, ttlMs: number): Promise<Lease | undefined>;

  /** Gives it back; a lease held by somebody else stays as it is. */
  release(name: string, holder: string, fence: number): Promise<void>;

  /**
   * Forgets leases that ended longer ago than this, by expiry or release: the next one of the name
   * begins anew with the first fence. Long enough is when nobody is left who had one of them.
   */
  forget(endedMsAgo: number): Promise<void>;

  /** The live lease of this name, or undefined when it is free or expired. */
  current(name: string): Promise<Lease | undefined>;

  close(): Promise<void>;
}

export const LEASE_TTL_MS_MAX = 24 * 60 * 60 * 1000;

/** A ttl that is no whole number from 1 to LEASE_TTL_MS_MAX, or an empty name or holder. */
export class InvalidLeaseError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'InvalidLeaseError';
  }
}

export function checkLease(name: string, holder: string, ttlMs: number): void {
  if (name === '' || holder === '') {
    throw new InvalidLeaseError('a lease needs a name and a holder');
  }
  if (!Number.isInteger(ttlMs) || ttlMs < 1 || ttlMs > LEASE_TTL_MS_MAX) {
    throw new InvalidLeaseError(
      `lease ${name}: ttl ${ttlMs} ms is no whole number from 1 to ${LEASE_TTL_MS_MAX}`,
    );
  }
}
