import { setImmediate, setTimeout } from 'node:timers';
import { AppendUnknownError, StoreUnavailableError } from '../event-store.js';
import type { EventDatabase } from './event-database.js';
import { isBusy, isDiskFull, isInputOutput, sqliteCode } from './sqlite-error.js';

export const GROUP_APPENDS_MAX = 100;
const BUSY_WAIT_MS_MAX = 30_000;
const INDEXED_STREAMS_PER_GROUP = 2;
const PATIENCE_MS = 20;
const DISK_FULL_RETRY_SECONDS = 5;

interface Write {
  readonly work: (database: EventDatabase) => unknown;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly queuedAtMs: number;
}

type Settled = { readonly result: unknown } | { readonly error: unknown };

export interface GroupCommitHooks {
  /** undefined while the database is being opened again; call `resume` afterwards. */
  readonly database: () => EventDatabase | undefined;
  readonly onCommitted: () => void;
  /** An I/O error: the connection must not be used any more. */
  readonly onBroken: (error: unknown) => void;
}

/**
 * Writes that wait together share one transaction and one fsync: whatever waits when the last
 * commit has ended, at most 100. Each has its own savepoint. Nothing is answered before the commit.
 */
export class GroupCommit {
  private readonly waiting: Write[] = [];
  private patient: Write[] = [];
  private patience: NodeJS.Timeout | undefined;
  private scheduled = false;
  /** Commits since the store was opened: each cost one fsync. */
  commitCount = 0;

  constructor(private readonly hooks: GroupCommitHooks) {}

  submit<Result>(work: (database: EventDatabase) => Result): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      this.waiting.push(newWrite(work, resolve, reject));
      this.resume();
    });
  }

  /** For what nobody waits for: it goes along with the next commit, and costs one only if none comes. */
  submitPatiently<Result>(work: (database: EventDatabase) => Result): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      this.patient.push(newWrite(work, resolve, reject));
      this.patience ??= setTimeout(() => this.endPatience(), PATIENCE_MS);
    });
  }

  /** Resolves when nothing waits any more. */
  async drain(): Promise<void> {
    this.endPatience();
    while (this.waiting.length > 0 && this.hooks.database() !== undefined) {
      await this.submit(() => undefined).catch(() => undefined);
    }
  }

  resume(delayMs = 0): void {
    if (this.scheduled || this.waiting.length === 0) return;
    if (this.hooks.database() === undefined) return;
    this.scheduled = true;
    const next = () => {
      this.scheduled = false;
      this.commitNext();
      this.resume();
    };
    if (delayMs === 0) setImmediate(next);
    else setTimeout(next, delayMs);
  }

  private endPatience(): void {
    this.waiting.push(...this.takePatient());
    this.resume();
  }

  private takePatient(): readonly Write[] {
    clearTimeout(this.patience);
    this.patience = undefined;
    const patient = this.patient;
    this.patient = [];
    return patient;
  }

  rejectAll(error: Error): void {
    this.waiting.push(...this.takePatient());
    for (const write of this.waiting.splice(0)) write.reject(error);
  }

  private commitNext(): void {
    const database = this.hooks.database();
    if (database === undefined) return;
    const group = [...this.waiting.splice(0, GROUP_APPENDS_MAX), ...this.takePatient()];
    try {
      database.begin();
    } catch (error) {
      this.notBegun(group, error);
      return;
    }
    const settled = this.runAll(database, group);
    if (settled === undefined) return;
    settled.forEach((one, index) => {
      if ('result' in one) group[index]?.resolve(one.result);
      else group[index]?.reject(one.error);
    });
    this.hooks.onCommitted();
  }

  private runAll(database: EventDatabase, group: readonly Write[]): readonly Settled[] | undefined {
    let committing = false;
    try {
      const settled = group.map((write) => runOne(database, write));
      indexSome(database);
      committing = true;
      database.commit();
      this.commitCount += 1;
      return settled;
    } catch (error) {
      this.failed(database, group, error, committing);
      return undefined;
    }
  }

  private notBegun(group: readonly Write[], error: unknown): void {
    if (isInputOutput(error)) {
      this.hooks.onBroken(error);
    } else if (isBusy(error)) {
      const oldest = performance.now() - BUSY_WAIT_MS_MAX;
      const patient = group.filter((write) => write.queuedAtMs > oldest);
      this.waiting.unshift(...patient);
      rejectEach(
        group.filter((write) => write.queuedAtMs <= oldest),
        new StoreUnavailableError('another process kept the event store locked', 1, {
          cause: error,
        }),
      );
      this.resume(1 + Math.random() * 10);
      return;
    }
    rejectEach(group, unavailable(error));
  }

  private failed(
    database: EventDatabase,
    group: readonly Write[],
    error: unknown,
    committing: boolean,
  ): void {
    if (isInputOutput(error) || (committing && !isDiskFull(error) && !isBusy(error))) {
      this.hooks.onBroken(error);
      rejectEach(
        group,
        new AppendUnknownError(
          `the event store failed while writing (${codeOf(error)}); whether the events are stored ` +
            'is known after the identical append was sent again',
          { cause: error },
        ),
      );
      return;
    }
    try {
      database.rollback();
    } catch (rollbackError) {
      this.hooks.onBroken(rollbackError);
    }
    rejectEach(group, unavailable(error));
  }
}

function newWrite<Result>(
  work: (database: EventDatabase) => Result,
  resolve: (result: Result) => void,
  reject: (error: unknown) => void,
): Write {
  const settle = resolve as (result: unknown) => void;
  return { work, resolve: settle, reject, queuedAtMs: performance.now() };
}

function runOne(database: EventDatabase, write: Write): Settled {
  try {
    return { result: database.inSavepoint(() => write.work(database)) };
  } catch (error) {
    // An error of SQLite's that the work did not foresee concerns the whole transaction.
    if (sqliteCode(error) !== undefined || !database.connection.inTransaction) throw error;
    return { error };
  }
}

function indexSome(database: EventDatabase): void {
  for (let count = 0; count < INDEXED_STREAMS_PER_GROUP; count += 1) {
    if (!database.keys.catchUpOne()) return;
  }
}

function unavailable(error: unknown): StoreUnavailableError {
  const message = isDiskFull(error)
    ? 'the disk is full: nothing was written; free space in the data folder, then send it again'
    : `the event store cannot write (${codeOf(error)}): nothing was written`;
  return new StoreUnavailableError(message, DISK_FULL_RETRY_SECONDS, { cause: error });
}

function rejectEach(group: readonly Write[], error: Error): void {
  for (const write of group) write.reject(error);
}

function codeOf(error: unknown): string {
  return sqliteCode(error) ?? String(error);
}
