import { setTimeout as sleep } from 'node:timers/promises';
import { ChangeSignal } from '../change-signal.js';
import { checkAppend } from '../check-append.js';
import { checkMaxCount } from '../check-read.js';
import {
  type AllFilter,
  type AllPage,
  type AppendOutcome,
  type EventStore,
  type EventToAppend,
  type ExpectedRevision,
  type ReadOptions,
  type RecordedEvent,
  type Snapshot,
  StoreUnavailableError,
} from '../event-store.js';
import { fairTurn } from '../fair-turn.js';
import { followAll } from '../follow-all.js';
import type { Connect } from './connection.js';
import type { EventDatabase } from './event-database.js';
import { openEventDatabase, reopenAfterFailure } from './event-database-file.js';
import { ForeignChanges } from './foreign-changes.js';
import { GroupCommit } from './group-commit.js';
import { isUniqueViolation, sqliteCode } from './sqlite-error.js';

const REOPEN_EVERY_MS = 1_000;
const UNAVAILABLE_RETRY_SECONDS = 5;

export interface SqliteEventStoreOptions {
  readonly file: string;
  readonly busyTimeoutMs?: number;
  readonly connect?: Connect;
}

/** All events in one SQLite file; several processes may have it open. Local disks only. */
export class SqliteEventStore implements EventStore {
  private database: EventDatabase | undefined;
  private recovery: Promise<void> | undefined;
  private reopening: Promise<void> | undefined;
  private closed = false;
  private readonly changes = new ChangeSignal();
  private readonly foreign: ForeignChanges;
  private readonly group: GroupCommit;

  private constructor(
    private readonly options: SqliteEventStoreOptions,
    database: EventDatabase,
  ) {
    this.database = database;
    this.foreign = new ForeignChanges(this.changes, () => this.database?.dataVersion());
    this.group = new GroupCommit({
      database: () => this.database,
      onCommitted: () => this.changes.notify(),
      onBroken: () => this.recover(),
    });
  }

  /** @throws StorageOpenError */
  static async open(options: SqliteEventStoreOptions): Promise<SqliteEventStore> {
    return new SqliteEventStore(options, await openEventDatabase(options));
  }

  /** Transactions committed since the store was opened; each is one fsync for all its appends. */
  get commitCount(): number {
    return this.group.commitCount;
  }

  async append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly EventToAppend[],
  ): Promise<AppendOutcome> {
    this.checkOpen();
    checkAppend(stream, expected, events);
    try {
      return await this.group.submit(({ writer }) => {
        try {
          return writer.append(stream, expected, events);
        } catch (error) {
          if (isUniqueViolation(error)) throw new KnownEventIdError();
          throw error;
        }
      });
    } catch (error) {
      if (!(error instanceof KnownEventIdError)) throw error;
      return { outcome: 'refused', currentRevision: await this.head(stream) };
    }
  }

  async read(stream: string, options: ReadOptions): Promise<readonly RecordedEvent[]> {
    checkMaxCount(options.maxCount);
    await fairTurn();
    return this.query(({ reader }) => reader.read(stream, options));
  }

  async head(stream: string): Promise<number | 'noStream'> {
    return this.query(({ reader }) => reader.head(stream));
  }

  async findByKeys(stream: string, keys: readonly string[]): Promise<readonly RecordedEvent[]> {
    return this.query(({ reader }) => reader.findByKeys(stream, keys));
  }

  async readAll(after: bigint, maxCount: number, filter?: AllFilter): Promise<AllPage> {
    checkMaxCount(maxCount);
    await fairTurn();
    return this.query(({ reader }) => reader.readAll(after, maxCount, filter));
  }

  async headPosition(): Promise<bigint> {
    return this.query(({ reader }) => reader.headPosition());
  }

  async storeId(): Promise<string> {
    return this.query((database) => database.storeId());
  }

  subscribeAll(
    after: bigint,
    options: {
      readonly maxCount: number;
      readonly signal: AbortSignal;
      readonly filter?: AllFilter;
    },
  ): AsyncIterable<AllPage> {
    const { maxCount, signal, filter } = options;
    this.foreign.start();
    return followAll({
      after,
      signal,
      changes: this.changes,
      readPage: (position) => this.readAll(position, maxCount, filter),
    });
  }

  async loadSnapshot(
    stream: string,
    schemaVersion: number,
    maxRevision?: number,
  ): Promise<Snapshot | undefined> {
    return this.query(({ snapshots }) => snapshots.load(stream, schemaVersion, maxRevision));
  }

  async saveSnapshot(stream: string, snapshot: Snapshot): Promise<void> {
    this.checkOpen();
    await this.group.submitPatiently(({ snapshots }) => snapshots.store(stream, snapshot));
  }

  async dropSnapshots(stream: string, schemaVersion: number): Promise<void> {
    this.checkOpen();
    await this.group.submitPatiently(({ snapshots }) => snapshots.drop(stream, schemaVersion));
  }

  /** Appends that wait are written first. */
  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    await this.group.drain();
    await this.recovery;
    this.foreign.stop();
    this.group.rejectAll(closedError());
    this.database?.connection.close();
    this.database = undefined;
    this.changes.notify();
  }

  private async query<Result>(read: (database: EventDatabase) => Result): Promise<Result> {
    this.checkOpen();
    if (this.database === undefined) await this.reopening;
    if (this.database === undefined) throw this.closed ? closedError() : notOpenError();
    try {
      return read(this.database);
    } catch (error) {
      if (sqliteCode(error) === undefined) throw error;
      throw new StoreUnavailableError(
        `the event store cannot be read (${sqliteCode(error)})`,
        UNAVAILABLE_RETRY_SECONDS,
        { cause: error },
      );
    }
  }

  private checkOpen(): void {
    if (this.closed) throw closedError();
  }

  /** Appends wait meanwhile; an attempt that fails refuses them. */
  private recover(): void {
    const broken = this.database;
    this.database = undefined;
    this.recovery ??= this.reopenUntilOpen(broken).finally(() => {
      this.recovery = undefined;
    });
  }

  private async reopenUntilOpen(broken: EventDatabase | undefined): Promise<void> {
    try {
      broken?.connection.close();
    } catch {
      // Its state is unknown anyway; what counts is read from the file again.
    }
    for (;;) {
      this.reopening = this.reopenOnce();
      await this.reopening;
      if (this.database !== undefined || this.closed) return;
      await sleep(REOPEN_EVERY_MS, undefined, { ref: false });
    }
  }

  private async reopenOnce(): Promise<void> {
    try {
      this.database = await reopenAfterFailure(this.options);
      this.group.resume();
      this.changes.notify();
    } catch (error) {
      this.group.rejectAll(notOpenError(error));
    }
  }
}

/** The batch's first id is stored already, in another place than the batch says. */
class KnownEventIdError extends Error {}

function closedError(): StoreUnavailableError {
  return new StoreUnavailableError('the event store is closed', UNAVAILABLE_RETRY_SECONDS);
}

function notOpenError(cause?: unknown): StoreUnavailableError {
  return new StoreUnavailableError(
    'the event store failed and could not be opened again yet',
    UNAVAILABLE_RETRY_SECONDS,
    { cause },
  );
}
