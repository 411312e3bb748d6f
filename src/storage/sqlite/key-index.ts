import type Database from 'better-sqlite3';
import { hash } from 'node:crypto';
import type { Connection } from './database-schema.js';
import { DIGEST_BYTES, RecentKeys } from './recent-keys.js';

/** So many events of a stream stay unindexed before their keys are added in one go. */
export const INDEX_EVERY_EVENTS = 256;
/**
 * Revisions per run. Hashes are sorted within a run only, so that adding keys touches the pages
 * of the newest run and not of the whole stream; a look-up asks every run.
 */
const RUN_REVISIONS_LOG2 = 12n;

type KeyRow = [revision: bigint, keys: Uint8Array];

/**
 * Finds events by key. An index by hash dirties one page per key, which would double the cost of an
 * append. So the keys stand in the event's row; the index is behind by up to a few hundred events
 * (`streams.indexed_revision`) and is caught up in bulk, inside some later append's transaction. The
 * rest is looked up in memory, which is filled from the rows. A row's digest (128 bits of SHA-256)
 * decides, so a collision of the index's 48-bit hashes is no match.
 */
export class KeyIndex {
  private readonly due = new Map<bigint, number>();
  private readonly recent: RecentKeys;
  private readonly indexedAndHead: Database.Statement<[bigint], [bigint, bigint | null]>;
  private readonly inRun: Database.Statement<[bigint, bigint, bigint], bigint>;
  private readonly keysAt: Database.Statement<[bigint, bigint], Uint8Array | null>;
  private readonly rowsBehind: Database.Statement<[bigint, bigint, bigint], KeyRow>;
  private readonly addKey: Database.Statement<[bigint, bigint, bigint, bigint]>;
  private readonly setIndexed: Database.Statement<[bigint, bigint]>;

  constructor(connection: Connection) {
    this.indexedAndHead = connection
      .prepare<[bigint], [bigint, bigint | null]>(
        `SELECT indexed_revision, (SELECT max(revision) FROM events WHERE stream = streams.id)
         FROM streams WHERE id = ?`,
      )
      .raw()
      .safeIntegers();
    this.inRun = connection
      .prepare<[bigint, bigint, bigint], bigint>(
        'SELECT revision FROM event_keys WHERE stream = ? AND run = ? AND hash = ?',
      )
      .pluck()
      .safeIntegers();
    this.keysAt = connection
      .prepare<[bigint, bigint], Uint8Array | null>(
        'SELECT keys FROM events WHERE stream = ? AND revision = ?',
      )
      .pluck();
    this.rowsBehind = connection
      .prepare<[bigint, bigint, bigint], KeyRow>(
        `SELECT revision, keys FROM events
         WHERE stream = ? AND revision > ? AND revision <= ? AND keys IS NOT NULL`,
      )
      .raw()
      .safeIntegers();
    this.addKey = connection.prepare('INSERT OR IGNORE INTO event_keys VALUES (?, ?, ?, ?)');
    this.setIndexed = connection.prepare('UPDATE streams SET indexed_revision = ? WHERE id = ?');
    this.recent = new RecentKeys((stream, behind, to) =>
      this.rowsBehind.all(stream, BigInt(behind), BigInt(to)),
    );
  }

  /** Revisions of the stream that carry any of the keys, ascending. */
  revisionsWith(stream: bigint, keys: readonly string[]): readonly number[] {
    const [indexed, head] = this.indexedAndHead.get(stream) ?? [-1n, null];
    if (head === null) return [];
    const found = new Set<number>();
    for (const key of keys) {
      const digest = digestOf(key);
      this.lookUp(stream, indexed, digest, found);
      this.recent.addTo(found, stream, Number(indexed), Number(head), digest);
    }
    return [...found].sort((one, other) => one - other);
  }

  noteAppended(stream: bigint, indexedRevision: number, head: number): void {
    if (head - indexedRevision >= INDEX_EVERY_EVENTS) this.due.set(stream, head);
  }

  /** Inside a write transaction: indexes one stream that is due; false when none was. */
  catchUpOne(): boolean {
    const next = this.due.entries().next();
    if (next.done) return false;
    const [stream, to] = next.value;
    this.due.delete(stream);
    const [indexed, head] = this.indexedAndHead.get(stream) ?? [-1n, null];
    // The append that reported it may have been rolled back.
    const upTo = head === null ? -1n : head < BigInt(to) ? head : BigInt(to);
    if (upTo <= indexed) return true;
    const entries = this.rowsBehind.all(stream, indexed, upTo).flatMap(hashesOfRow);
    entries.sort((one, other) => (one.hash < other.hash ? -1 : 1));
    for (const { hash: hashed, revision } of entries) {
      this.addKey.run(stream, revision >> RUN_REVISIONS_LOG2, hashed, revision);
    }
    this.setIndexed.run(upTo, stream);
    return true;
  }

  private lookUp(stream: bigint, indexed: bigint, digest: Buffer, found: Set<number>): void {
    if (indexed < 0n) return;
    const hashed = hashOfDigest(digest);
    for (let run = indexed >> RUN_REVISIONS_LOG2; run >= 0n; run -= 1n) {
      for (const revision of this.inRun.all(stream, run, hashed)) {
        const digests = this.keysAt.get(stream, revision);
        if (digests && containsDigest(digests, digest)) found.add(Number(revision));
      }
    }
  }
}

export function digestOf(key: string): Buffer {
  return hash('sha256', key, 'buffer').subarray(0, DIGEST_BYTES);
}

export function digestsOf(keys: readonly string[]): Buffer | null {
  if (keys.length === 0) return null;
  const [only] = keys;
  return keys.length === 1 && only !== undefined
    ? digestOf(only)
    : Buffer.concat(keys.map(digestOf));
}

function hashesOfRow([revision, keys]: KeyRow): { hash: bigint; revision: bigint }[] {
  const entries: { hash: bigint; revision: bigint }[] = [];
  for (let offset = 0; offset < keys.length; offset += DIGEST_BYTES) {
    const digest = Buffer.from(keys.buffer, keys.byteOffset + offset, DIGEST_BYTES);
    entries.push({ hash: hashOfDigest(digest), revision });
  }
  return entries;
}

/** 48 bits: SQLite stores such an integer in 6 bytes. */
function hashOfDigest(digest: Buffer): bigint {
  return BigInt(digest.readIntBE(0, 6));
}

function containsDigest(digests: Uint8Array, digest: Buffer): boolean {
  for (let offset = 0; offset < digests.length; offset += DIGEST_BYTES) {
    if (digest.equals(digests.subarray(offset, offset + DIGEST_BYTES))) return true;
  }
  return false;
}
