import { BatchFold, EventNotAppliedError } from './batch-fold.js';
import {
  type Generation,
  createGeneration,
  dropGeneration,
  flipGeneration,
  generationOf,
  openLiveGeneration,
} from './generation.js';
import { isInLog } from './last-applied.js';
import { whileOwner } from '../storage/owner-lease.js';
import { pause } from '../storage/pause.js';
import type { Projection } from './projection.js';
import { type QuarantinedStream, readQuarantine } from './quarantine.js';
import { type ProjectorOptions, type ProjectorPorts, SESSION_STREAMS } from './projector.js';

export interface RebuildProgress {
  readonly events: number;
  readonly position: string;
  /** The newest position of the log when the page was asked for. */
  readonly head: string;
  /** Between 0 and 1. */
  readonly fraction: number;
  readonly elapsedMs: number;
  /** undefined until there is something to go by. */
  readonly remainingMs?: number;
}

export interface RebuildReport {
  readonly events: number;
  readonly generation: number;
  readonly position: string;
  readonly elapsedMs: number;
  readonly quarantined: readonly QuarantinedStream[];
}

export interface RebuildOptions extends Pick<
  ProjectorOptions,
  'instanceId' | 'leaseTtlMs' | 'batchEventsMax'
> {
  /** How long queries that began before the flip may go on reading the old documents. */
  readonly graceMs: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: RebuildProgress) => void;
}

/** Somebody else rebuilds this projection, or has lost the right to: nothing was changed. */
export class RebuildRefusedError extends Error {
  constructor(projection: string, reason: string) {
    super(`${projection} was not rebuilt, the documents in use stay: ${reason}`);
    this.name = 'RebuildRefusedError';
  }
}

/**
 * Fills a new generation from the first event on, beside the one in use, then serves the new one.
 * @throws RebuildRefusedError when the new documents must not, or could not, be put in use.
 */
export async function rebuild(
  projection: Projection,
  ports: ProjectorPorts,
  options: RebuildOptions,
): Promise<RebuildReport> {
  const { name, version } = projection;
  const wish = {
    name: `rebuild:${name}@${version}`,
    holder: options.instanceId,
    ttlMs: options.leaseTtlMs,
  };
  let report: RebuildReport | undefined;
  const stop = options.signal ?? new AbortController().signal;
  const owner = await whileOwner(ports.leases, wish, stop, async (signal) => {
    report = await rebuildAsOwner(projection, ports, options, signal);
  });
  if (report !== undefined) return report;
  throw new RebuildRefusedError(
    name,
    owner === options.instanceId ? 'the rebuild was stopped' : `${owner} is rebuilding it already`,
  );
}

async function rebuildAsOwner(
  projection: Projection,
  ports: ProjectorPorts,
  options: RebuildOptions,
  signal: AbortSignal,
): Promise<RebuildReport | undefined> {
  const store = ports.readModels;
  const startedMs = ports.now();
  const live = await openLiveGeneration(store, projection);
  const next = generationOf(projection, live.number + 1);
  await dropGeneration(store, projection, next);
  await createGeneration(store, projection, next);
  const fold = new BatchFold(store, ports.codec, projection, next);
  await fold.open();
  const events = await fill(fold, live, ports, options, signal);
  if (signal.aborted) return undefined;
  refuseNewFailures(projection, fold, await readQuarantine(store, live));
  if (!(await flipGeneration(store, projection, live, next))) {
    throw new RebuildRefusedError(projection.name, 'another rebuild was faster');
  }
  const elapsedMs = ports.now() - startedMs;
  await pause(options.graceMs, signal);
  await dropGeneration(store, projection, live);
  return {
    events,
    generation: next.number,
    position: fold.position.toString(),
    elapsedMs,
    quarantined: fold.quarantined,
  };
}

/** Until it has caught up with the log and is not behind the documents in use, if the log has these. */
async function fill(
  fold: BatchFold,
  live: Generation,
  ports: ProjectorPorts,
  options: RebuildOptions,
  signal: AbortSignal,
): Promise<number> {
  const { events, readModels } = ports;
  const startedMs = ports.now();
  const filter = { streamPrefix: SESSION_STREAMS };
  let count = 0;
  while (!signal.aborted) {
    const head = await events.headPosition();
    const page = await events.readAll(fold.position, options.batchEventsMax, filter);
    await applyAll(fold, page.events, page.next);
    count += page.events.length;
    const elapsedMs = ports.now() - startedMs;
    options.onProgress?.(progressOf(count, fold.position, head, elapsedMs));
    if (!page.caughtUp) continue;
    if (fold.position >= (await readModels.position(live.positionName))) break;
    if (!(await isInLog(events, readModels, live))) break;
  }
  return count;
}

async function applyAll(
  fold: BatchFold,
  events: Parameters<BatchFold['apply']>[0],
  next: bigint,
): Promise<void> {
  for (;;) {
    try {
      return await fold.apply(events, next);
    } catch (error) {
      if (!(error instanceof EventNotAppliedError)) throw error;
      events = events.slice(events.indexOf(error.stored));
      await fold.setAside(error);
    }
  }
}

function progressOf(
  events: number,
  position: bigint,
  head: bigint,
  elapsedMs: number,
): RebuildProgress {
  const fraction = head === 0n ? 1 : Math.min(1, Number(position) / Number(head));
  return {
    events,
    position: position.toString(),
    head: head.toString(),
    fraction,
    elapsedMs,
    remainingMs: fraction > 0 ? Math.round((elapsedMs * (1 - fraction)) / fraction) : undefined,
  };
}

function refuseNewFailures(
  projection: Projection,
  fold: BatchFold,
  known: readonly QuarantinedStream[],
): void {
  const old = new Set(known.map(({ stream }) => stream));
  const fresh = fold.quarantined.filter(({ stream }) => !old.has(stream));
  if (fresh.length === 0) return;
  const { error } = fresh[0]!;
  throw new RebuildRefusedError(
    projection.name,
    `${fresh.length} session(s) that are served now would be left out; the first: ${error}`,
  );
}
