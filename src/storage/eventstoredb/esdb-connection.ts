import { setMaxListeners } from 'node:events';
import esdb from '@eventstore/db-client';
import { StoreUnavailableError } from '../event-store.js';
import { CallTimeoutError, failureOf, isLasting, textOf } from './call-failure.js';
import { backOffMs, type ConnectionTimes } from './connection-times.js';
import { EsdbClient } from './esdb-client.js';
import { pause } from '../pause.js';

const READ_TRIES_MAX = 3;
const READ_RETRY_MS = 50;
const RETRY_AFTER_SECONDS = 2;

/** An event as the client reads it. */
export interface EsdbEvent {
  readonly streamId: string;
  readonly revision: bigint;
  readonly type: string;
  /** Parsed where `isJson`, else bytes. */
  readonly data: unknown;
  /** Parsed where it is JSON, else bytes. */
  readonly metadata?: unknown;
  readonly isJson: boolean;
  readonly position?: { readonly commit: bigint };
}

export interface EsdbResolved {
  readonly event?: EsdbEvent;
}

interface Reading {
  on(event: 'data', listener: (resolved: EsdbResolved) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'end', listener: () => void): unknown;
  cancel(): Promise<void>;
}

/** The one client of this process, with a limit on the time of every call. */
export class EsdbConnection {
  readonly client: EsdbClient;
  private readonly stopping = new AbortController();
  private suspect = false;
  private probing: Promise<void> | undefined;

  constructor(
    url: string,
    readonly times: ConnectionTimes,
  ) {
    // Every call that is under way listens to it.
    setMaxListeners(0, this.stopping.signal);
    this.client = EsdbClient.connect(url);
  }

  get closed(): boolean {
    return this.stopping.signal.aborted;
  }

  /** Aborted when the connection is closed. */
  get signal(): AbortSignal {
    return this.stopping.signal;
  }

  /** @throws StoreUnavailableError */
  checkOpen(): void {
    if (this.closed) throw new StoreUnavailableError('the event store is closed', 5);
  }

  /** After a call without a good answer: the next append asks first whether anybody is there. */
  distrust(): void {
    this.suspect = true;
  }

  trust(): void {
    this.suspect = false;
  }

  /**
   * Before an append: while the server is away nothing is sent, so that its outcome is certain.
   * @throws StoreUnavailableError
   */
  async checkReachable(): Promise<void> {
    this.checkOpen();
    if (!this.suspect) return;
    this.probing ??= this.probe().finally(() => {
      this.probing = undefined;
    });
    await this.probing;
  }

  /**
   * All events that `start` reads, none when there is no such stream. Tried again when the
   * connection fails: a read does no harm twice.
   * @throws StoreUnavailableError
   */
  async read(what: string, start: (client: EsdbClient) => Reading): Promise<EsdbEvent[]> {
    for (let tries = 1; ; tries += 1) {
      this.checkOpen();
      try {
        const events = await this.readOnce(what, start, this.times.readSilenceMs);
        this.trust();
        return events;
      } catch (error) {
        if (failureOf(error) === 'streamNotFound') return [];
        if (tries >= READ_TRIES_MAX || isLasting(error) || error instanceof CallTimeoutError) {
          this.distrust();
          throw unavailable(what, error);
        }
        await pause(backOffMs(tries, READ_RETRY_MS, 1_000), this.signal);
      }
    }
  }

  /** Ends what is under way; the client itself would connect again when it is used. */
  async close(): Promise<void> {
    if (this.closed) return;
    this.stopping.abort();
    const ending = within(
      'the end of the connection',
      this.times.closeMs,
      this.client.disconnect(),
    );
    await ending.catch(() => undefined);
  }

  private async probe(): Promise<void> {
    const what = 'the question whether it answers';
    try {
      await this.readOnce(what, readNewest, this.times.probeMs);
      this.trust();
    } catch (error) {
      throw unavailable(what, error);
    }
  }

  private readOnce(
    what: string,
    start: (client: EsdbClient) => Reading,
    silenceMs: number,
  ): Promise<EsdbEvent[]> {
    return new Promise((resolve, reject) => {
      const found: EsdbEvent[] = [];
      const reading = start(this.client);
      const end = (settle: () => void) => {
        clearTimeout(timer);
        this.signal.removeEventListener('abort', closed);
        settle();
      };
      const giveUp = (error: Error) => {
        reading.cancel().catch(() => undefined);
        end(() => reject(error));
      };
      const closed = () => giveUp(new Error('the event store was closed'));
      const timer = setTimeout(() => giveUp(new CallTimeoutError(what, silenceMs)), silenceMs);
      this.signal.addEventListener('abort', closed, { once: true });
      reading.on('data', ({ event }) => {
        if (event !== undefined) found.push(event);
        timer.refresh();
      });
      reading.on('error', (error) => end(() => reject(error)));
      reading.on('end', () => end(() => resolve(found)));
    });
  }
}

function readNewest(client: EsdbClient): Reading {
  return client.readAll({ direction: esdb.BACKWARDS, fromPosition: esdb.END, maxCount: 1 });
}

/** A limit on the time of a call; the one that is given up is heard out, and its answer dropped. */
export async function within<Result>(
  what: string,
  timeoutMs: number,
  call: Promise<Result>,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new CallTimeoutError(what, timeoutMs)), timeoutMs);
  });
  try {
    return await Promise.race([call, late]);
  } finally {
    clearTimeout(timer);
  }
}

function unavailable(what: string, cause: unknown): StoreUnavailableError {
  return new StoreUnavailableError(
    `EventStoreDB does not serve ${what}: ${textOf(cause)}`,
    RETRY_AFTER_SECONDS,
    { cause },
  );
}
