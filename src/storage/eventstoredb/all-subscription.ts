import esdb, { type AllStreamSubscription } from '@eventstore/db-client';
import type { AllPage, RecordedEvent } from '../event-store.js';
import { pause } from '../pause.js';
import { CallTimeoutError } from './call-failure.js';
import { type EsdbConnection, type EsdbResolved, within } from './esdb-connection.js';
import { EVENT_STREAM_PREFIXES } from './own-streams.js';
import { fromStore } from './stored-event.js';
import { positionAt, positionOf } from './stream-reader.js';

/** While it catches up, a page waits so long for more events. */
const GATHER_MS = 50;
/** Times 32 events considered: how often the server tells how far it has looked. */
const CHECKPOINT_INTERVAL = 32;

interface Delivered {
  readonly position: bigint;
  /** Absent where the consumer did not ask for its stream. */
  readonly event?: RecordedEvent;
}

export interface SubscriptionOptions {
  readonly after: bigint;
  readonly streamPrefix: string;
}

/**
 * One subscription of the client, read page by page. The server's stream flows only while a page
 * is waited for, so a slow consumer holds it up.
 */
export class AllSubscription {
  private readonly subscription: AllStreamSubscription;
  private readonly delivered: Delivered[] = [];
  /** How far the server says that it has looked; valid only when nothing before it waits. */
  private considered: bigint;
  private isLive = false;
  private failure: Error | undefined;
  private confirmed = false;
  private wake: () => void = () => {};

  constructor(
    private readonly connection: EsdbConnection,
    private readonly options: SubscriptionOptions,
  ) {
    const { after, streamPrefix } = options;
    this.considered = after;
    const checkpointReached = (_: unknown, { commit }: { commit: bigint }) => {
      // Nothing here may throw or wait: the client would stop without a word.
      this.considered = commit;
      this.wake();
      return Promise.resolve();
    };
    this.subscription = connection.client.subscribeToAll({
      fromPosition: after === 0n ? esdb.START : positionAt(after),
      filter: esdb.streamNameFilter({
        prefixes: prefixesFor(streamPrefix),
        checkpointInterval: CHECKPOINT_INTERVAL,
        checkpointReached,
      }),
    });
    this.subscription.on('error', (error: Error) => this.fail(error));
    this.subscription.on('confirmation', () => {
      this.confirmed = true;
    });
    this.subscription.on('caughtUp', () => {
      this.isLive = true;
      this.wake();
    });
    this.subscription.on('data', (resolved: EsdbResolved) => this.take(resolved));
    this.subscription.pause();
  }

  /**
   * The next page: with events, or with a position beyond `after`, or the first news that there
   * is nothing more. Undefined when the server was silent for too long, or `signal` was aborted.
   */
  async nextPage(
    after: bigint,
    options: { maxCount: number; isFirst: boolean; signal: AbortSignal },
  ): Promise<AllPage | undefined> {
    const { maxCount, isFirst, signal } = options;
    const { subscriptionSilenceMs, confirmationMs } = this.connection.times;
    let gatherUntilMs: number | undefined;
    const silentAtMs = performance.now() + subscriptionSilenceMs;
    const unconfirmedAtMs = performance.now() + confirmationMs;
    this.subscription.resume();
    try {
      while (!signal.aborted) {
        if (this.delivered.length > 0) {
          gatherUntilMs ??= performance.now() + GATHER_MS;
          const isFull = this.delivered.length >= maxCount;
          const isLate = performance.now() >= gatherUntilMs;
          if (isFull || isLate || this.failure || (this.isLive && this.isDrained)) {
            return this.pageOf(maxCount);
          }
        }
        if (this.failure !== undefined) throw this.failure;
        if (this.delivered.length === 0 && this.isDrained) {
          const hasMoved = this.considered > after;
          if (hasMoved || (isFirst && this.isLive)) return this.pageOf(maxCount, after);
        }
        const untilMs = gatherUntilMs ?? (this.confirmed ? silentAtMs : unconfirmedAtMs);
        const leftMs = untilMs - performance.now();
        if (leftMs > 0) await this.changed(leftMs, signal);
        else if (gatherUntilMs !== undefined) continue;
        else if (this.confirmed) return undefined;
        else throw new CallTimeoutError('a subscription to $all', confirmationMs);
      }
      return undefined;
    } finally {
      this.subscription.pause();
    }
  }

  /** The call on the server ends, whatever the client thinks of it. */
  async close(): Promise<void> {
    const { closeMs } = this.connection.times;
    await within('unsubscribing', closeMs, this.subscription.unsubscribe()).catch(() => undefined);
    this.subscription.destroy();
  }

  private get isDrained(): boolean {
    return this.subscription.readableLength === 0;
  }

  private pageOf(maxCount: number, after = 0n): AllPage {
    const taken = this.delivered.splice(0, maxCount);
    const nothingWaits = this.delivered.length === 0 && this.isDrained;
    const last = taken.at(-1)?.position ?? after;
    return {
      events: taken.flatMap(({ event }) => (event === undefined ? [] : [event])),
      next: nothingWaits && this.considered > last ? this.considered : last,
      caughtUp: nothingWaits && this.isLive,
    };
  }

  private take({ event }: EsdbResolved): void {
    if (event === undefined) return;
    const own = fromStore(event)?.event;
    const isWanted = own?.stream.startsWith(this.options.streamPrefix) ?? false;
    const position = positionOf(event);
    this.delivered.push(isWanted ? { position, event: own } : { position });
    this.wake();
  }

  private fail(error: Error): void {
    this.failure ??= error;
    this.wake();
  }

  private async changed(waitMs: number, signal: AbortSignal): Promise<void> {
    const woken = new AbortController();
    const wake = () => woken.abort();
    this.wake = wake;
    signal.addEventListener('abort', wake, { once: true });
    await pause(waitMs, woken.signal);
    signal.removeEventListener('abort', wake);
  }
}

/** The position moves with every event of Holdfast's, also with those nobody asked for here. */
function prefixesFor(streamPrefix: string): string[] {
  const isOwn = EVENT_STREAM_PREFIXES.some((prefix) => streamPrefix.startsWith(prefix));
  return streamPrefix === '' || isOwn
    ? [...EVENT_STREAM_PREFIXES]
    : [...EVENT_STREAM_PREFIXES, streamPrefix];
}
