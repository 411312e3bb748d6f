import type Database from 'better-sqlite3';
import type { Connection } from './database-schema.js';
import { digestOf, hashNumberOf, hashOf, splitDigests } from './key-digest.js';
import { mayContain } from './key-filter.js';
import { OpenRunFilters } from './open-run-filters.js';
import { RecentKeys } from './recent-keys.js';
import { RunFilters } from './run-filters.js';

/** So many events of a stream stay unindexed before their keys are added in one go. */
export const INDEX_EVERY_EVENTS = 256;
/**
 * Revisions per run: 4,096. Hashes are sorted within a run only, so that adding keys touches the
 * pages of the newest run and not of the whole stream. A full run gets a filter, so that a look-up
 * asks few of them.
 */
const RUN_BITS = 12n;
const RUN_MASK = (1n << RUN_BITS) - 1n;

type KeyRow = [revision: bigint, digests: Uint8Array];

/**
 * Finds events by key. An index by hash dirties one page per key, which would double the cost of an
 * append. So the keys stand in the event's row; the index is behind by up to a few hundred events
 * (`streams.indexed_revision`) and is caught up in bulk, inside some later append's transaction. The
 * rest is looked up in memory, which is filled from the rows.
 *
 * An index entry is 48 bits of the key's digest and the revision's place in its run, in one
 * integer. The whole digest in the event's row decides, so a collision of entries is no match.
 */
export class KeyIndex {
  private readonly due = new Set<bigint>();
  private readonly recent: RecentKeys;
  private readonly indexedAndHead: Database.Statement<[bigint], [bigint, bigint | null]>;
  private readonly filters: RunFilters;
  private readonly openRuns: OpenRunFilters;
  private readonly entries: Database.Statement<[bigint, bigint, bigint, bigint], bigint>;
  private readonly digestsAt: Database.Statement<[bigint, bigint], Uint8Array | null>;
  private readonly rowsBehind: Database.Statement<[bigint, bigint, bigint], KeyRow>;
  private readonly addEntries: Database.Statement<[bigint, bigint, string]>;
  private readonly setIndexed: Database.Statement<[bigint, bigint]>;

  constructor(connection: Connection) {
    this.indexedAndHead = connection
      .prepare<[bigint], [bigint, bigint | null]>(
        `SELECT indexed_revision, (SELECT max(revision) FROM events WHERE stream = streams.id)
         FROM streams WHERE id = ?`,
      )
      .raw()
      .safeIntegers();
    this.filters = new RunFilters(connection, RUN_BITS);
    this.openRuns = new OpenRunFilters((stream, run) => this.filters.hashesIn(stream, run));
    this.entries = connection
      .prepare<[bigint, bigint, bigint, bigint], bigint>(
        'SELECT entry FROM event_keys WHERE stream = ? AND run = ? AND entry BETWEEN ? AND ?',
      )
      .pluck()
      .safeIntegers();
    this.digestsAt = connection
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
    this.addEntries = connection.prepare(
      'INSERT OR IGNORE INTO event_keys SELECT ?, ?, value FROM json_each(?)',
    );
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
    const openRun = Number(indexed >> RUN_BITS);
    const open = indexed < 0n ? undefined : this.openRuns.prepare(stream, openRun, Number(indexed));
    for (const digest of keys.map(digestOf)) {
      if (indexed >= 0n) this.addIndexed(found, stream, { openRun, open }, digest);
      const recent = this.recent.revisionsWith(stream, Number(indexed), Number(head), digest);
      for (const revision of recent) found.add(revision);
    }
    return [...found].sort((one, other) => one - other);
  }

  /** After an append: whether its stream's newest keys should get into the index soon. */
  noteAppended(stream: bigint, indexed: number, head: number): void {
    if (head - indexed >= INDEX_EVERY_EVENTS) this.due.add(stream);
  }

  /** After a transaction that indexed streams was rolled back. */
  forget(): void {
    this.openRuns.forget();
  }

  /** Inside a write transaction: indexes one stream that is due; false when none was. */
  catchUpOne(): boolean {
    const [stream] = this.due;
    if (stream === undefined) return false;
    this.due.delete(stream);
    const [indexed, head] = this.indexedAndHead.get(stream) ?? [-1n, null];
    // No head, or nothing new: the append that reported it was rolled back.
    if (head === null || head <= indexed) return true;
    for (const [run, entries] of entriesByRun(this.rowsBehind.all(stream, indexed, head))) {
      this.addEntries.run(stream, run, `[${entries.sort().join(',')}]`);
      const hashes = [...entries].map((entry) => Number(entry >> RUN_BITS));
      const stretch = { run: Number(run), from: Number(indexed), to: Number(head) };
      this.openRuns.noteIndexed(stream, stretch, hashes);
    }
    const openRun = (head + 1n) >> RUN_BITS;
    for (let run = (indexed + 1n) >> RUN_BITS; run < openRun; run += 1n) {
      this.filters.seal(stream, run);
    }
    this.setIndexed.run(head, stream);
    return true;
  }

  private addIndexed(
    revisions: Set<number>,
    stream: bigint,
    { openRun, open }: { readonly openRun: number; readonly open: Uint8Array | undefined },
    digest: string,
  ): void {
    const hash = hashNumberOf(digest);
    const lowest = BigInt(hash) << RUN_BITS;
    for (const place of this.filters.runsWith(stream, openRun, hash)) {
      if (place === openRun && open !== undefined && !mayContain(open, hash)) continue;
      const run = BigInt(place);
      for (const entry of this.entries.all(stream, run, lowest, lowest | RUN_MASK)) {
        const revision = (run << RUN_BITS) | (entry & RUN_MASK);
        if (this.carries(stream, revision, digest)) revisions.add(Number(revision));
      }
    }
  }

  private carries(stream: bigint, revision: bigint, digest: string): boolean {
    const digests = this.digestsAt.get(stream, revision);
    return digests !== undefined && digests !== null && splitDigests(digests).includes(digest);
  }
}

function entriesByRun(rows: readonly KeyRow[]): Map<bigint, BigInt64Array> {
  const runs = new Map<bigint, bigint[]>();
  for (const [revision, digests] of rows) {
    const run = revision >> RUN_BITS;
    const entries = runs.get(run) ?? [];
    runs.set(run, entries);
    for (const digest of splitDigests(digests)) {
      entries.push((hashOf(digest) << RUN_BITS) | (revision & RUN_MASK));
    }
  }
  return new Map([...runs].map(([run, entries]) => [run, BigInt64Array.from(entries)]));
}
