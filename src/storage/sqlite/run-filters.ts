import type Database from 'better-sqlite3';
import type { Connection } from './database-schema.js';
import { filterOf, mayContain } from './key-filter.js';

const BYTES_IN_MEMORY_MAX = 32 * 1024 * 1024;

interface StreamFilters {
  /** By run; a run that was full before there were filters has none. */
  readonly filters: (Uint8Array | undefined)[];
  bytes: number;
}

/**
 * One filter for each full run of a stream's key index, written when the run is full. A long session
 * has many runs and nearly every key is new: without filters each look-up would ask every run.
 */
export class RunFilters {
  private readonly streams = new Map<bigint, StreamFilters>();
  private bytes = 0;
  private readonly add: Database.Statement<[bigint, bigint, Uint8Array]>;
  private readonly entriesOf: Database.Statement<[bigint, bigint], bigint>;
  private readonly from: Database.Statement<[bigint, bigint, bigint], [bigint, Uint8Array]>;

  constructor(
    connection: Connection,
    private readonly runBits: bigint,
  ) {
    this.add = connection.prepare('INSERT OR REPLACE INTO key_filters VALUES (?, ?, ?)');
    this.entriesOf = connection
      .prepare<[bigint, bigint], bigint>(
        'SELECT entry FROM event_keys WHERE stream = ? AND run = ?',
      )
      .pluck()
      .safeIntegers();
    this.from = connection
      .prepare<[bigint, bigint, bigint], [bigint, Uint8Array]>(
        'SELECT run, filter FROM key_filters WHERE stream = ? AND run >= ? AND run < ?',
      )
      .raw()
      .safeIntegers();
  }

  /** Inside a write transaction, once no key will be added to the run any more. */
  seal(stream: bigint, run: bigint): void {
    this.add.run(stream, run, filterOf(this.hashesIn(stream, Number(run))));
  }

  /** As the index has them now. */
  hashesIn(stream: bigint, run: number): readonly number[] {
    const entries = this.entriesOf.all(stream, BigInt(run));
    return entries.map((entry) => Number(entry >> this.runBits));
  }

  /** Runs from 0 up to the open one in which the key may be. */
  *runsWith(stream: bigint, openRun: number, hash: number): Iterable<number> {
    const { filters } = this.filtersOf(stream, openRun);
    for (let run = 0; run < openRun; run += 1) {
      const filter = filters[run];
      if (filter === undefined || mayContain(filter, hash)) yield run;
    }
    yield openRun;
  }

  private filtersOf(stream: bigint, openRun: number): StreamFilters {
    const known = this.streams.get(stream) ?? { filters: [], bytes: 0 };
    const first = known.filters.length;
    if (first >= openRun) return known;
    known.filters.length = openRun;
    for (const [run, filter] of this.from.all(stream, BigInt(first), BigInt(openRun))) {
      known.filters[Number(run)] = filter;
      known.bytes += filter.length;
      this.bytes += filter.length;
    }
    this.streams.delete(stream);
    this.streams.set(stream, known);
    this.dropOldest(stream);
    return known;
  }

  private dropOldest(except: bigint): void {
    for (const [stream, { bytes }] of this.streams) {
      if (this.bytes <= BYTES_IN_MEMORY_MAX || stream === except) return;
      this.streams.delete(stream);
      this.bytes -= bytes;
    }
  }
}
