import { addTo, emptyFilter } from './key-filter.js';

/** As many as a run of turns has, with room for more. */
const KEYS_PER_RUN = 8_192;
const STREAMS_KEPT_MAX = 1_024;
/** Reading a run's entries pays off only for a stream that is asked again. */
const LOOK_UPS_BEFORE = 3;

interface OpenRun {
  readonly run: number;
  /** Up to which revision the filter holds the index's keys. */
  indexed: number;
  filter: Uint8Array | undefined;
  lookUps: number;
}

/**
 * Filters over the newest, still open run of the key index of the streams in use, kept in memory: nearly
 * every key that a command asks for is new, and is then told without a look at the index. Like the
 * filters of full runs they only save look-ups. A filter of another state of the index than is read
 * now (another process wrote) is made anew.
 */
export class OpenRunFilters {
  private readonly streams = new Map<bigint, OpenRun>();

  /** @param hashesOf the hashes of a stream's keys in a run, as the index has them now. */
  constructor(private readonly hashesOf: (stream: bigint, run: number) => readonly number[]) {}

  /** The filter for the keys of one command; undefined: the index has to be asked. */
  prepare(stream: bigint, run: number, indexed: number): Uint8Array | undefined {
    const known = this.streams.get(stream);
    if (known?.run === run && known.indexed === indexed && known.filter) return known.filter;
    const open = { run, indexed, filter: undefined, lookUps: (known?.lookUps ?? 0) + 1 };
    this.keep(stream, open);
    return open.lookUps < LOOK_UPS_BEFORE ? undefined : this.filled(stream, open);
  }

  /** After the index took up a stretch of the stream's keys: `hashes` are those of `run`. */
  noteIndexed(
    stream: bigint,
    { run, from, to }: { readonly run: number; readonly from: number; readonly to: number },
    hashes: readonly number[],
  ): void {
    const known = this.streams.get(stream);
    if (known?.filter === undefined || known.run !== run || known.indexed !== from) return;
    for (const hash of hashes) addTo(known.filter, hash);
    known.indexed = to;
  }

  /** What was noted may not be in the index after all. */
  forget(): void {
    this.streams.clear();
  }

  private filled(stream: bigint, open: OpenRun): Uint8Array {
    const filter = emptyFilter(KEYS_PER_RUN);
    for (const hash of this.hashesOf(stream, open.run)) addTo(filter, hash);
    open.filter = filter;
    return filter;
  }

  private keep(stream: bigint, open: OpenRun): void {
    this.streams.delete(stream);
    this.streams.set(stream, open);
    const [oldest] = this.streams.keys();
    if (this.streams.size > STREAMS_KEPT_MAX && oldest !== undefined) this.streams.delete(oldest);
  }
}
