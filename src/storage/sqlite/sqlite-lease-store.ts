import type Database from 'better-sqlite3';
import { isGone } from '../instance-id.js';
import { type Lease, type LeaseStore, checkLease } from '../lease-store.js';
import { type Connect, openConnection } from './connection.js';
import type { Connection, DatabaseSchema } from './database-schema.js';
import { retryBusy } from './retry-busy.js';

export const leaseSchema: DatabaseSchema = {
  applicationId: 0x48_46_6c_31,
  migrations: [
    `CREATE TABLE leases (
       name TEXT PRIMARY KEY,
       holder TEXT NOT NULL,
       fence INTEGER NOT NULL,
       ttl_ms INTEGER NOT NULL,
       expires_at_ms INTEGER NOT NULL
     ) STRICT, WITHOUT ROWID`,
  ],
};

/** SQLite's clock: the same for all processes on the machine that may open the file. */
const NOW = "CAST(unixepoch('subsec') * 1000 AS INTEGER)";
/** A lease that ends later than its whole ttl from now was given before the clock was set back. */
const IS_LIVE = `expires_at_ms > ${NOW} AND expires_at_ms - ${NOW} <= ttl_ms`;
/** The first lease has fence 1. */
const NO_FENCE = 0;
const COLUMNS = 'name, holder, fence, expires_at_ms AS expiresAtMs';

interface LeaseValues {
  readonly name: string;
  readonly holder: string;
  readonly ttlMs: bigint;
}

export interface SqliteLeaseStoreOptions {
  readonly file: string;
  readonly connect?: Connect;
}

/**
 * A released lease keeps its row for long, so that late holders are told from the next ones. The
 * file is one machine's: what a process of it left when it was killed is free at once.
 */
export class SqliteLeaseStore implements LeaseStore {
  private readonly take: Database.Statement<[LeaseValues & { force: bigint; goneFence: bigint }]>;
  private readonly extend: Database.Statement<[LeaseValues & { fence: bigint }], Lease>;
  private readonly giveBack: Database.Statement<[string, string, bigint]>;
  private readonly drop: Database.Statement<[bigint]>;
  private readonly live: Database.Statement<[string], Lease>;
  private readonly stored: Database.Statement<[string], Lease>;

  private constructor(
    private readonly file: string,
    private readonly connection: Connection,
  ) {
    this.take = connection.prepare(
      `INSERT INTO leases VALUES (@name, @holder, 1, @ttlMs, ${NOW} + @ttlMs)
       ON CONFLICT (name) DO UPDATE SET
         fence = fence + (NOT (${IS_LIVE} AND holder = excluded.holder)),
         holder = excluded.holder,
         ttl_ms = excluded.ttl_ms,
         expires_at_ms = excluded.expires_at_ms
       WHERE @force OR NOT (${IS_LIVE}) OR holder = excluded.holder OR fence = @goneFence`,
    );
    this.extend = connection.prepare(
      `UPDATE leases SET ttl_ms = @ttlMs, expires_at_ms = ${NOW} + @ttlMs
       WHERE name = @name AND holder = @holder AND fence = @fence AND ${IS_LIVE}
       RETURNING ${COLUMNS}`,
    );
    // Without a ttl it has ended for good, also when the clock is set back.
    this.giveBack = connection.prepare(
      `UPDATE leases SET ttl_ms = 0, expires_at_ms = ${NOW}
       WHERE name = ? AND holder = ? AND fence = ?`,
    );
    this.drop = connection.prepare(`DELETE FROM leases WHERE expires_at_ms < ${NOW} - ?`);
    this.live = connection.prepare(`SELECT ${COLUMNS} FROM leases WHERE name = ? AND ${IS_LIVE}`);
    this.stored = connection.prepare(`SELECT ${COLUMNS} FROM leases WHERE name = ?`);
  }

  /** @throws StorageOpenError */
  static async open({ file, connect }: SqliteLeaseStoreOptions): Promise<SqliteLeaseStore> {
    const connection = await openConnection({
      file,
      connect,
      schema: leaseSchema,
      synchronous: 'full',
    });
    return new SqliteLeaseStore(file, connection);
  }

  async acquire(name: string, holder: string, ttlMs: number): Promise<Lease> {
    const lease = await this.taken(name, holder, ttlMs, {});
    if (lease.holder === holder || !isGone(lease.holder)) return lease;
    return this.taken(name, holder, ttlMs, { goneFence: lease.fence });
  }

  async seize(name: string, holder: string, ttlMs: number): Promise<Lease> {
    return this.taken(name, holder, ttlMs, { force: true });
  }

  async renew(
    name: string,
    holder: string,
    fence: number,
    ttlMs: number,
  ): Promise<Lease | undefined> {
    checkLease(name, holder, ttlMs);
    const values = { name, holder, ttlMs: BigInt(ttlMs), fence: BigInt(fence) };
    return retryBusy(this.file, () => this.extend.get(values));
  }

  async release(name: string, holder: string, fence: number): Promise<void> {
    await retryBusy(this.file, () => this.giveBack.run(name, holder, BigInt(fence)));
  }

  async forget(endedMsAgo: number): Promise<void> {
    await retryBusy(this.file, () => this.drop.run(BigInt(endedMsAgo)));
  }

  async current(name: string): Promise<Lease | undefined> {
    return retryBusy(this.file, () => this.live.get(name));
  }

  async close(): Promise<void> {
    this.connection.close();
  }

  /** Also when somebody has it: whoever it is, or the one with this fence. */
  private async taken(
    name: string,
    holder: string,
    ttlMs: number,
    { force = false, goneFence = NO_FENCE }: { force?: boolean; goneFence?: number },
  ): Promise<Lease> {
    checkLease(name, holder, ttlMs);
    const over = { force: force ? 1n : 0n, goneFence: BigInt(goneFence) };
    const values = { name, holder, ttlMs: BigInt(ttlMs), ...over };
    return retryBusy(this.file, () =>
      this.connection
        .transaction(() => {
          this.take.run(values);
          const lease = this.stored.get(name);
          if (lease === undefined) throw new Error(`lease ${name} vanished`);
          return lease;
        })
        .immediate(),
    );
  }
}
