import type { EventCodec } from '../storage/event-codec.js';
import type { AllPage, EventStore } from '../storage/event-store.js';
import type { LeaseStore } from '../storage/lease-store.js';
import { PositionMismatchError, type ReadModelStore } from '../storage/read-model-store.js';
import { BatchFold, EventNotAppliedError } from './batch-fold.js';
import { liveGeneration, openLiveGeneration } from './generation.js';
import { wheneverOwner } from '../storage/owner-lease.js';
import { pause } from '../storage/pause.js';
import type { Projection } from './projection.js';

export interface ProjectorPorts {
  readonly events: EventStore;
  readonly readModels: ReadModelStore;
  readonly leases: LeaseStore;
  readonly codec: EventCodec;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Hears of each failure once. */
  readonly report?: (problem: string) => void;
}

export interface ProjectorOptions {
  /** Names this process; two processes never share it. */
  readonly instanceId: string;
  readonly leaseTtlMs: number;
  readonly batchEventsMax: number;
  /** How long a consumer that has caught up lets events gather before it reads on. */
  readonly gatherMs: number;
  /** How long one event may fail before its session is set aside. */
  readonly failureBudgetMs: number;
  /** Longest wait between two tries. */
  readonly retryMaxMs: number;
}

export const PROJECTOR_DEFAULTS: Omit<ProjectorOptions, 'instanceId'> = {
  leaseTtlMs: 10_000,
  batchEventsMax: 1_000,
  // Whoever waits for a write ends it. Documents that change all the time are written less often.
  gatherMs: 100,
  failureBudgetMs: 30_000,
  retryMaxMs: 5_000,
};

export const SESSION_STREAMS = 'session-';

export interface ProjectorFailure {
  readonly message: string;
  /** The event that cannot be applied; absent when a store failed. */
  readonly stream?: string;
  readonly position?: string;
  readonly sinceMs: number;
  readonly attempts: number;
}

/** Keeps one projection up to date while this process owns it, and waits to own it otherwise. */
export class Projector {
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;
  private gathering: AbortController | undefined;
  private readonly listeners = new Set<(position: bigint) => void>();
  owner: string | undefined;
  failure: ProjectorFailure | undefined;

  constructor(
    readonly projection: Projection,
    private readonly ports: ProjectorPorts,
    private readonly options: ProjectorOptions,
  ) {}

  start(): void {
    this.running ??= this.run(this.stopping.signal);
  }

  /** Waits for the batch in flight, then gives the projection to whoever wants it. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.wake();
    await this.running;
  }

  /** Somebody waits for what was just written: gather no longer. */
  wake(): void {
    this.gathering?.abort();
  }

  /** Hears each position that this process has reached; returns how to stop hearing. */
  listen(listener: (position: bigint) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private async run(stop: AbortSignal): Promise<void> {
    const { name, version } = this.projection;
    const { instanceId: holder, leaseTtlMs: ttlMs } = this.options;
    const wish = { name: `projection:${name}@${version}`, holder, ttlMs };
    const hears = {
      owner: (owner: string | undefined): void => {
        this.owner = owner;
        this.failure = undefined;
      },
      failed: (error: unknown): void => void this.failed(error),
    };
    await wheneverOwner(this.ports.leases, wish, stop, hears, (signal) => this.own(signal));
  }

  private async own(signal: AbortSignal): Promise<void> {
    this.owner = this.options.instanceId;
    while (!signal.aborted) {
      try {
        await this.consume(signal);
      } catch (error) {
        // After a mismatch this consumer is behind another one: it re-reads, nothing has failed.
        if (error instanceof PositionMismatchError) {
          await pause(100, signal);
        } else {
          await pause(this.failed(error), signal);
        }
      }
    }
  }

  /** Follows the log in the live generation; returns when another one became live. */
  private async consume(signal: AbortSignal): Promise<void> {
    const { events, readModels, codec } = this.ports;
    const generation = await openLiveGeneration(readModels, this.projection);
    const fold = new BatchFold(readModels, codec, this.projection, generation);
    await fold.open();
    const subscription = new AbortController();
    const end = (): void => subscription.abort();
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
    try {
      const pages = events.subscribeAll(fold.position, {
        maxCount: this.options.batchEventsMax,
        signal: subscription.signal,
        filter: { streamPrefix: SESSION_STREAMS },
      });
      for await (const page of pages) {
        if (subscription.signal.aborted) continue;
        const live = await liveGeneration(readModels, this.projection);
        if (live.number !== generation.number) {
          end();
          continue;
        }
        await this.take(fold, page, subscription.signal);
        if (page.caughtUp) await this.gather(subscription.signal);
      }
    } finally {
      end();
      signal.removeEventListener('abort', end);
    }
  }

  private async take(fold: BatchFold, page: AllPage, signal: AbortSignal): Promise<void> {
    let rest = page.events;
    while (!signal.aborted) {
      try {
        await fold.apply(rest, page.next);
        this.failure = undefined;
        for (const listener of this.listeners) listener(fold.position);
        return;
      } catch (error) {
        if (!(error instanceof EventNotAppliedError)) throw error;
        rest = rest.slice(rest.indexOf(error.stored));
        await this.wait(fold, error, signal);
      }
    }
  }

  /** One event does not go in: try again for a while, then set its session aside. */
  private async wait(
    fold: BatchFold,
    error: EventNotAppliedError,
    signal: AbortSignal,
  ): Promise<void> {
    const retryMs = this.failed(error);
    const failingMs = this.ports.now() - (this.failure?.sinceMs ?? 0);
    if (failingMs < this.options.failureBudgetMs) return pause(retryMs, signal);
    await fold.setAside(error);
    this.failure = undefined;
    this.ports.report?.(`${this.projection.name}: session set aside: ${error.message}`);
  }

  private async gather(signal: AbortSignal): Promise<void> {
    this.gathering = new AbortController();
    const wake = (): void => this.wake();
    signal.addEventListener('abort', wake, { once: true });
    await pause(this.options.gatherMs, this.gathering.signal);
    signal.removeEventListener('abort', wake);
    this.gathering = undefined;
  }

  /** Keeps the failure for `status`; answers how long to wait before the next try. */
  private failed(error: unknown): number {
    const stored = error instanceof EventNotAppliedError ? error.stored : undefined;
    const position = stored?.position.toString();
    const message = error instanceof Error ? error.message : String(error);
    const same = this.failure?.message === message && this.failure.position === position;
    const before = same ? this.failure : undefined;
    const attempts = (before?.attempts ?? 0) + 1;
    const sinceMs = before?.sinceMs ?? this.ports.now();
    this.failure = { message, stream: stored?.stream, position, sinceMs, attempts };
    if (attempts === 1) this.ports.report?.(`${this.projection.name}: ${message}`);
    return Math.min(this.options.retryMaxMs, 100 * 2 ** Math.min(attempts - 1, 10));
  }
}
