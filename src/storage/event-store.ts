/**
 * The port behind which all session facts are kept. An adapter stores bytes: it knows streams,
 * revisions and positions, and nothing of what an event means.
 *
 * Streams are named `session-<tenant>.<sessionId>`; a revision counts from 0 within its stream;
 * a position orders all events of the store, without gaps in visibility.
 */

/** What the writer believes the stream's last revision to be. "Any" does not exist on purpose. */
export type ExpectedRevision = number | 'noStream';

export interface EventToAppend {
  /** UUID in lower case, derived from the command, so that a repeated append is recognised. */
  readonly eventId: string;
  readonly type: string;
  /** JSON text of the event's data. */
  readonly data: string;
  /** JSON text of the event's metadata. */
  readonly metadata: string;
  /** Milliseconds since the epoch, on the server's clock. Never used for ordering. */
  readonly recordedAtMs: number;
  /** Ids under which `findByKeys` finds this event again: at most 32, each 1 to 512 characters. */
  readonly keys: readonly string[];
}

export interface RecordedEvent {
  readonly eventId: string;
  readonly stream: string;
  readonly revision: number;
  readonly position: bigint;
  readonly type: string;
  readonly data: string;
  readonly metadata: string;
  readonly recordedAtMs: number;
}

export type AppendOutcome =
  | {
      readonly outcome: 'written';
      /** Revision of the last event of the batch. */
      readonly revision: number;
      /** Position of the last event of the batch. */
      readonly position: bigint;
      /** True when the identical batch had been written before, by another call of `append`. */
      readonly repeated: boolean;
    }
  | { readonly outcome: 'refused'; readonly currentRevision: number | 'noStream' };

export interface ReadOptions {
  /** First revision to return, inclusive. Backwards: where to begin, if there is one so high. */
  readonly from: number;
  /** Last revision to return, inclusive, in reading direction. */
  readonly to?: number;
  /** At least 1. */
  readonly maxCount: number;
  readonly direction?: 'forwards' | 'backwards';
  /** Only these event types. */
  readonly types?: readonly string[];
}

export interface AllPage {
  readonly events: readonly RecordedEvent[];
  /** Continue reading after this position; it also passes over events that the filter left out. */
  readonly next: bigint;
  /** True when nothing was left to read at that moment. */
  readonly caughtUp: boolean;
}

export interface AllFilter {
  /** Only streams whose name begins with this. */
  readonly streamPrefix?: string;
}

export interface Snapshot {
  readonly revision: number;
  /** Version of the state's shape; a reader with another version ignores the snapshot. */
  readonly schemaVersion: number;
  /** JSON text. */
  readonly state: string;
}

export interface EventStore {
  /**
   * Appends all events or none, durable when the promise resolves. With an expectation below the
   * stream's head the ids decide: those stored behind it are the same as the batch's = written
   * (again), anything else = refused.
   * @throws InvalidAppendError when the batch breaks a limit; it would never be accepted.
   * @throws AppendUnknownError when it is not known whether the batch was written: send the
   *   identical batch with the same expectation again, never another one.
   * @throws StoreUnavailableError when nothing was written and the store cannot write now.
   */
  append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly EventToAppend[],
  ): Promise<AppendOutcome>;

  read(stream: string, options: ReadOptions): Promise<readonly RecordedEvent[]>;

  /** Last revision of the stream, or 'noStream'. */
  head(stream: string): Promise<number | 'noStream'>;

  /** Events of the stream that carry any of these keys, in order of revision. */
  findByKeys(stream: string, keys: readonly string[]): Promise<readonly RecordedEvent[]>;

  /** Events of all streams after `after` (0n = from the beginning), in order of position. */
  readAll(after: bigint, maxCount: number, filter?: AllFilter): Promise<AllPage>;

  /** Position of the newest event of the store; 0n when it is empty. */
  headPosition(): Promise<bigint>;

  /** Tells this store from every other: made once, the same in every process and for ever. */
  storeId(): Promise<string>;

  /**
   * Pages of `readAll`, for ever: waits for new events, also those written by other processes.
   * The next page is read when the consumer asks for it, so a slow consumer holds no memory.
   * The first page comes at once, even when it is empty: `caughtUp` then says that there was
   * nothing to catch up. Ends when `signal` is aborted; throws when the store was closed.
   */
  subscribeAll(
    after: bigint,
    options: {
      readonly maxCount: number;
      readonly signal: AbortSignal;
      readonly filter?: AllFilter;
    },
  ): AsyncIterable<AllPage>;

  /** The newest snapshot at or below `maxRevision`, of exactly this schema version. */
  loadSnapshot(
    stream: string,
    schemaVersion: number,
    maxRevision?: number,
  ): Promise<Snapshot | undefined>;

  /** Snapshots are a cache: saving one may fail without harm, the caller only logs it. */
  saveSnapshot(stream: string, snapshot: Snapshot): Promise<void>;

  /** None of this schema version is loaded any more. Doing it again changes nothing. */
  dropSnapshots(stream: string, schemaVersion: number): Promise<void>;

  close(): Promise<void>;
}

/** The batch may or may not have been written (timeout, lost connection, failed fsync). */
export class AppendUnknownError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'AppendUnknownError';
  }
}

/** Nothing was written; the store cannot serve now (disk full, closed, not reachable). */
export class StoreUnavailableError extends Error {
  constructor(
    message: string,
    readonly retryAfterSeconds: number,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'StoreUnavailableError';
  }
}

/** The batch breaks a rule of this port. Nothing was written, and sending it again won't help. */
export class InvalidAppendError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'InvalidAppendError';
  }
}

/**
 * Limits that every adapter checks before it writes. The sum, keys included, stays under what EventStoreDB takes
 * in one append (1 MiB up to 25.0), so that a session can move between the stores.
 */
export const APPEND_EVENTS_MAX = 100;
export const APPEND_BYTES_MAX = 900 * 1024;
export const EVENT_DATA_BYTES_MAX = 256 * 1024;
export const EVENT_KEYS_MAX = 32;
export const EVENT_KEY_CHARACTERS_MAX = 512;
