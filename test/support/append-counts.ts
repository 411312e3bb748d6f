import { setTimeout as sleep } from 'node:timers/promises';
import {
  AppendUnknownError,
  type EventStore,
  type EventToAppend,
  type ExpectedRevision,
  StoreUnavailableError,
} from '../../src/storage/event-store.js';
import { newBatch, newStream, wholeStream } from './event-batches.js';

const BATCH_EVENTS_MAX = 3;
/** A call that is not answered within so long hangs: every limit of the adapters is shorter. */
const HANG_MS = 60_000;
/** The same call, answered again and again with "not now": on a busy machine it takes its time. */
const PATIENCE_MS = 600_000;

export interface AppendCounts {
  readonly appends: number;
  readonly events: number;
  /** Events of acknowledged batches that are not where they belong. */
  readonly lost: number;
  /** Events that stand there more than once, or that nobody acknowledged. */
  readonly duplicated: number;
  /** Appends that were never answered. */
  readonly hangs: number;
  /** Events that a subscription missed, or delivered twice or out of order. */
  readonly misdelivered: number;
  /** How often an append ended without a known outcome, or found the store away. */
  readonly sentAgain: number;
}

export interface AppendLoad {
  readonly appends: number;
  /** Two writers compete for each stream. */
  readonly streams: number;
}

interface Tally {
  left: number;
  hangs: number;
  sentAgain: number;
  readonly acknowledged: Map<string, readonly EventToAppend[]>;
}

/** Appends under competition until all are acknowledged, then looks what is stored. */
export async function countAppends(
  store: EventStore,
  { appends, streams }: AppendLoad,
): Promise<AppendCounts> {
  const tally: Tally = { left: appends, hangs: 0, sentAgain: 0, acknowledged: new Map() };
  const names = Array.from({ length: streams }, newStream);
  const after = await patiently(tally, () => store.headPosition());
  const stop = new AbortController();
  const delivered = collect(store, after, new Set(names), stop.signal);
  const writers = [...names, ...names].map((name) => write(store, name, tally));
  await Promise.all(writers);
  const batches = [...tally.acknowledged.values()];
  const events = batches.flat().length;
  const idsByStream = new Map<string, readonly string[]>();
  for (const name of names) {
    const whole = await patiently(tally, () => wholeStream(store, name));
    idsByStream.set(
      name,
      whole.map(({ eventId }) => eventId),
    );
  }
  const seen = await settled(delivered.ids, events);
  stop.abort();
  await delivered.ended;
  const stored = [...idsByStream.values()].flat();
  const distinct = new Set(stored);
  const wanted = new Set(batches.flat().map(({ eventId }) => eventId));
  return {
    appends: batches.length,
    events,
    lost: batches.filter((batch) => !standsTogether(batch, stored)).flat().length,
    duplicated: stored.length - [...distinct].filter((id) => wanted.has(id)).length,
    hangs: tally.hangs,
    misdelivered: misdelivered(seen, idsByStream),
    sentAgain: tally.sentAgain,
  };
}

async function write(store: EventStore, stream: string, tally: Tally): Promise<void> {
  while (tally.left > 0) {
    tally.left -= 1;
    const batch = newBatch(1 + Math.floor(Math.random() * BATCH_EVENTS_MAX));
    const giveUpAtMs = performance.now() + PATIENCE_MS;
    let expected: ExpectedRevision = await patiently(tally, () => store.head(stream));
    for (;;) {
      const outcome = await patiently(tally, () => store.append(stream, expected, batch));
      if (outcome.outcome === 'written') break;
      expected = outcome.currentRevision;
      if (performance.now() > giveUpAtMs) tally.hangs += 1;
    }
    tally.acknowledged.set(batch[0]!.eventId, batch);
  }
}

/** The identical call again, as long as the store does not answer; what is not an answer throws. */
async function patiently<Result>(tally: Tally, call: () => Promise<Result>): Promise<Result> {
  const giveUpAtMs = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await limited(call(), HANG_MS);
    } catch (error) {
      const again = error instanceof AppendUnknownError || error instanceof StoreUnavailableError;
      if (!again) throw error;
      if (performance.now() > giveUpAtMs) {
        tally.hangs += 1;
        throw error;
      }
      tally.sentAgain += 1;
      await sleep(5);
    }
  }
}

async function limited<Result>(call: Promise<Result>, ms: number): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('a call of the store hangs')), ms);
  });
  try {
    return await Promise.race([call, late]);
  } finally {
    clearTimeout(timer);
  }
}

function collect(
  store: EventStore,
  after: bigint,
  streams: ReadonlySet<string>,
  signal: AbortSignal,
): { readonly ids: { stream: string; id: string }[]; readonly ended: Promise<void> } {
  const ids: { stream: string; id: string }[] = [];
  const follow = async () => {
    const filter = { streamPrefix: 'session-contract.' };
    for await (const page of store.subscribeAll(after, { maxCount: 100, signal, filter })) {
      for (const { stream, eventId } of page.events) {
        if (streams.has(stream)) ids.push({ stream, id: eventId });
      }
    }
  };
  return { ids, ended: follow() };
}

async function settled<Item>(items: readonly Item[], count: number): Promise<readonly Item[]> {
  const giveUpAtMs = performance.now() + PATIENCE_MS;
  while (items.length < count && performance.now() < giveUpAtMs) await sleep(20);
  return items;
}

function standsTogether(batch: readonly EventToAppend[], stored: readonly string[]): boolean {
  const at = stored.indexOf(batch[0]!.eventId);
  return at >= 0 && batch.every(({ eventId }, index) => stored[at + index] === eventId);
}

/** A subscription delivers each stream as it is stored: how many places are different. */
function misdelivered(
  seen: readonly { readonly stream: string; readonly id: string }[],
  idsByStream: ReadonlyMap<string, readonly string[]>,
): number {
  let wrong = 0;
  for (const [name, ids] of idsByStream) {
    const own = seen.filter(({ stream }) => stream === name).map(({ id }) => id);
    const length = Math.max(own.length, ids.length);
    for (let index = 0; index < length; index += 1) if (own[index] !== ids[index]) wrong += 1;
  }
  return wrong;
}
