import type { Collection, Document } from 'mongodb';
import { type Lease, type LeaseStore, checkLease } from '../lease-store.js';
import { isDuplicateKey, onMongo } from './mongo-error.js';
import { type MongoConnection, QUERY_MS_MAX } from './mongo-connection.js';

interface StoredLease {
  readonly _id: string;
  readonly holder: string;
  readonly fence: number;
  readonly ttlMs: number;
  readonly expiresAt: Date;
}

const TRIES = 5;

/** On the server's clock. A lease that lives longer than it may is from before a clock was set. */
const IS_LIVE: Document = {
  $and: [
    { $gt: ['$expiresAt', '$$NOW'] },
    { $lte: [{ $subtract: ['$expiresAt', '$$NOW'] }, '$ttlMs'] },
  ],
};

/** Ended now. Without a ttl it stays so, also when the server's clock is set back. */
const RELEASED: Document = { ttlMs: 0, expiresAt: '$$NOW' };

/** A released lease keeps its document for long, so that late holders are told from the next ones. */
export class MongoLeaseStore implements LeaseStore {
  private readonly leases: Collection<StoredLease>;

  constructor({ data }: MongoConnection) {
    this.leases = data.collection<StoredLease>('leases');
  }

  acquire(name: string, holder: string, ttlMs: number): Promise<Lease> {
    return this.taken(name, holder, ttlMs, false);
  }

  seize(name: string, holder: string, ttlMs: number): Promise<Lease> {
    return this.taken(name, holder, ttlMs, true);
  }

  async renew(
    name: string,
    holder: string,
    fence: number,
    ttlMs: number,
  ): Promise<Lease | undefined> {
    checkLease(name, holder, ttlMs);
    return onMongo(async () => {
      const stored = await this.leases.findOneAndUpdate(
        { _id: name, holder, fence, $expr: IS_LIVE },
        [{ $set: { ttlMs, expiresAt: { $add: ['$$NOW', ttlMs] } } }],
        { returnDocument: 'after' },
      );
      return stored === null ? undefined : leaseOf(stored);
    });
  }

  async release(name: string, holder: string, fence: number): Promise<void> {
    const mine = { _id: name, holder, fence };
    await onMongo(() => this.leases.updateOne(mine, [{ $set: RELEASED }]));
  }

  async forget(endedMsAgo: number): Promise<void> {
    const isOver = { $gt: [{ $subtract: ['$$NOW', '$expiresAt'] }, endedMsAgo] };
    await onMongo(() => this.leases.deleteMany({ $expr: isOver }));
  }

  async current(name: string): Promise<Lease | undefined> {
    return onMongo(async () => {
      const live = { _id: name, $expr: IS_LIVE };
      const stored = await this.leases.findOne(live, { maxTimeMS: QUERY_MS_MAX });
      return stored === null ? undefined : leaseOf(stored);
    });
  }

  /** The connection belongs to whoever opened it. */
  close(): Promise<void> {
    return Promise.resolve();
  }

  private async taken(name: string, holder: string, ttlMs: number, force: boolean): Promise<Lease> {
    checkLease(name, holder, ttlMs);
    const change = taking(holder, ttlMs, force);
    return onMongo(async () => {
      for (let tries = 1; ; tries += 1) {
        try {
          const options = { upsert: true, returnDocument: 'after' } as const;
          const stored = await this.leases.findOneAndUpdate({ _id: name }, change, options);
          if (stored === null) throw new Error(`lease ${name} vanished`);
          return leaseOf(stored);
        } catch (error) {
          // Two that insert it at once: now it is there.
          if (!isDuplicateKey(error) || tries === TRIES) throw error;
        }
      }
    });
  }
}

/** One step on the server, so that nobody can come between looking and taking. */
function taking(holder: string, ttlMs: number, force: boolean): Document[] {
  const wanted = { $literal: holder };
  const nextFence = { $add: [{ $ifNull: ['$fence', 0] }, 1] };
  const ifTaken = (taken: unknown, kept: string): Document => ({ $cond: ['$taken', taken, kept] });
  return [
    { $set: { live: IS_LIVE, own: { $eq: ['$holder', wanted] } } },
    { $set: { taken: { $or: [force, '$own', { $not: ['$live'] }] } } },
    {
      $set: {
        holder: ifTaken(wanted, '$holder'),
        fence: { $cond: [{ $and: ['$live', '$own'] }, '$fence', ifTaken(nextFence, '$fence')] },
        ttlMs: ifTaken(ttlMs, '$ttlMs'),
        expiresAt: ifTaken({ $add: ['$$NOW', ttlMs] }, '$expiresAt'),
      },
    },
    { $unset: ['live', 'own', 'taken'] },
  ];
}

function leaseOf({ _id: name, holder, fence, expiresAt }: StoredLease): Lease {
  return { name, holder, fence, expiresAtMs: expiresAt.getTime() };
}
