import type Database from 'better-sqlite3';
import type { Snapshot } from '../event-store.js';
import type { Connection } from './database-schema.js';

const NEWEST_KEPT = 4;
/** Besides the newest, one snapshot per so many revisions is kept, for forks in the middle. */
const REVISIONS_PER_KEPT = 4096;

export class SnapshotTable {
  private readonly newest: Database.Statement<
    [string, bigint, bigint],
    { revision: number; state: string }
  >;
  private readonly save: Database.Statement<[string, bigint, bigint, string]>;
  private readonly thinOut: Database.Statement<[{ stream: string; version: bigint }]>;

  constructor(connection: Connection) {
    this.newest = connection.prepare(
      `SELECT revision, state FROM snapshots
       WHERE stream = ? AND schema_version = ? AND revision <= ?
       ORDER BY revision DESC LIMIT 1`,
    );
    this.save = connection.prepare('INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?)');
    this.thinOut = connection.prepare(
      `DELETE FROM snapshots AS old WHERE stream = @stream AND (
         schema_version < @version - 1
         OR schema_version = @version
           AND revision NOT IN (
             SELECT revision FROM snapshots WHERE stream = @stream AND schema_version = @version
             ORDER BY revision DESC LIMIT ${NEWEST_KEPT})
           AND EXISTS (
             SELECT 1 FROM snapshots AS newer
             WHERE newer.stream = @stream AND newer.schema_version = @version
               AND newer.revision > old.revision
               AND newer.revision / ${REVISIONS_PER_KEPT} = old.revision / ${REVISIONS_PER_KEPT}))`,
    );
  }

  load(stream: string, schemaVersion: number, maxRevision?: number): Snapshot | undefined {
    const most = BigInt(maxRevision ?? Number.MAX_SAFE_INTEGER);
    const row = this.newest.get(stream, BigInt(schemaVersion), most);
    return row && { revision: row.revision, schemaVersion, state: row.state };
  }

  /** Inside a write transaction. */
  store(stream: string, { revision, schemaVersion, state }: Snapshot): void {
    this.save.run(stream, BigInt(schemaVersion), BigInt(revision), state);
    this.thinOut.run({ stream, version: BigInt(schemaVersion) });
  }
}
