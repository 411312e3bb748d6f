import type Database from 'better-sqlite3';
import type { Snapshot } from '../event-store.js';
import type { Connection } from './database-schema.js';

const NEWEST_KEPT = 4;
/**
 * Besides the newest, one snapshot per so many revisions is kept for each started 4 KiB of it: a
 * fork in the middle folds few events, and snapshots stay a small share of what the events take.
 */
const REVISIONS_PER_KEPT = 64;
const BYTES_PER_STEP = 4_096;
/** Older ones were thinned out before. A session whose state has grown by much keeps some more. */
const THINNED_STEPS = 16;

interface ThinOut {
  readonly stream: string;
  readonly version: bigint;
  readonly revision: bigint;
  readonly spacing: bigint;
}

export class SnapshotTable {
  private readonly newest: Database.Statement<
    [string, bigint, bigint],
    { revision: number; state: string }
  >;
  private readonly save: Database.Statement<[string, bigint, bigint, string]>;
  private readonly dropOlderShapes: Database.Statement<[string, bigint]>;
  private readonly dropAll: Database.Statement<[string, bigint]>;
  private readonly thinOut: Database.Statement<[ThinOut]>;

  constructor(connection: Connection) {
    this.newest = connection.prepare(
      `SELECT revision, state FROM snapshots
       WHERE stream = ? AND schema_version = ? AND revision <= ?
       ORDER BY revision DESC LIMIT 1`,
    );
    this.save = connection.prepare('INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?)');
    this.dropOlderShapes = connection.prepare(
      'DELETE FROM snapshots WHERE stream = ? AND schema_version < ?',
    );
    this.dropAll = connection.prepare(
      'DELETE FROM snapshots WHERE stream = ? AND schema_version = ?',
    );
    this.thinOut = connection.prepare(
      `DELETE FROM snapshots AS old WHERE stream = @stream AND schema_version = @version
         AND revision BETWEEN @revision - ${THINNED_STEPS} * @spacing AND @revision
         AND revision NOT IN (
           SELECT revision FROM snapshots WHERE stream = @stream AND schema_version = @version
           ORDER BY revision DESC LIMIT ${NEWEST_KEPT})
         AND EXISTS (
           SELECT 1 FROM snapshots AS newer
           WHERE newer.stream = @stream AND newer.schema_version = @version
             AND newer.revision > old.revision
             AND newer.revision < (old.revision / @spacing + 1) * @spacing)`,
    );
  }

  load(stream: string, schemaVersion: number, maxRevision?: number): Snapshot | undefined {
    const most = BigInt(maxRevision ?? Number.MAX_SAFE_INTEGER);
    const row = this.newest.get(stream, BigInt(schemaVersion), most);
    return row && { revision: row.revision, schemaVersion, state: row.state };
  }

  /** Inside a write transaction. */
  drop(stream: string, schemaVersion: number): void {
    this.dropAll.run(stream, BigInt(schemaVersion));
  }

  /** Inside a write transaction. */
  store(stream: string, { revision, schemaVersion, state }: Snapshot): void {
    const version = BigInt(schemaVersion);
    const spacing = BigInt(REVISIONS_PER_KEPT * Math.ceil(state.length / BYTES_PER_STEP));
    this.save.run(stream, version, BigInt(revision), state);
    this.dropOlderShapes.run(stream, version - 1n);
    this.thinOut.run({ stream, version, revision: BigInt(revision), spacing });
  }
}
