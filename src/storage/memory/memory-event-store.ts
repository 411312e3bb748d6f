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
import { followAll } from '../follow-all.js';

const SNAPSHOTS_KEPT = 16;

interface Stream {
  readonly events: RecordedEvent[];
  readonly revisionsByKey: Map<string, number[]>;
}

/** Everything in this process's memory: for tests and for what may be lost. */
export class MemoryEventStore implements EventStore {
  private readonly streams = new Map<string, Stream>();
  private readonly all: RecordedEvent[] = [];
  private readonly firstIds = new Set<string>();
  private readonly snapshots = new Map<string, Snapshot[]>();
  private readonly changes = new ChangeSignal();
  private closed = false;
  private readonly id = crypto.randomUUID();

  async append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly EventToAppend[],
  ): Promise<AppendOutcome> {
    this.checkOpen();
    checkAppend(stream, expected, events);
    const stored = this.streams.get(stream)?.events ?? [];
    const expectedRevision = expected === 'noStream' ? -1 : expected;
    if (expectedRevision !== stored.length - 1) {
      return repeatOrRefuse(stored, expectedRevision, events);
    }
    const [first] = events;
    if (first === undefined || this.firstIds.has(first.eventId)) return refused(stored);
    this.firstIds.add(first.eventId);
    for (const event of events) this.store(stream, event);
    this.changes.notify();
    return {
      outcome: 'written',
      revision: expectedRevision + events.length,
      position: BigInt(this.all.length),
      repeated: false,
    };
  }

  async read(stream: string, options: ReadOptions): Promise<readonly RecordedEvent[]> {
    this.checkOpen();
    const { from, to, maxCount, direction, types } = options;
    checkMaxCount(maxCount);
    const events = this.streams.get(stream)?.events ?? [];
    const inRange =
      direction === 'backwards'
        ? events.slice(to ?? 0, from + 1).reverse()
        : events.slice(from, to === undefined ? undefined : to + 1);
    return inRange.filter(({ type }) => types?.includes(type) ?? true).slice(0, maxCount);
  }

  async head(stream: string): Promise<number | 'noStream'> {
    this.checkOpen();
    return headOf(this.streams.get(stream)?.events ?? []);
  }

  async findByKeys(stream: string, keys: readonly string[]): Promise<readonly RecordedEvent[]> {
    this.checkOpen();
    const found = this.streams.get(stream);
    const revisions = new Set(keys.flatMap((key) => found?.revisionsByKey.get(key) ?? []));
    return (found?.events ?? []).filter(({ revision }) => revisions.has(revision));
  }

  async readAll(after: bigint, maxCount: number, filter?: AllFilter): Promise<AllPage> {
    this.checkOpen();
    checkMaxCount(maxCount);
    const page = this.all.slice(Number(after), Number(after) + maxCount);
    const next = page.at(-1)?.position ?? after;
    return {
      events: page.filter(({ stream }) => stream.startsWith(filter?.streamPrefix ?? '')),
      next,
      caughtUp: next >= BigInt(this.all.length),
    };
  }

  async headPosition(): Promise<bigint> {
    this.checkOpen();
    return BigInt(this.all.length);
  }

  async storeId(): Promise<string> {
    return this.id;
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
    maxRevision = Number.MAX_SAFE_INTEGER,
  ): Promise<Snapshot | undefined> {
    this.checkOpen();
    return this.snapshots
      .get(stream)
      ?.findLast((one) => one.schemaVersion === schemaVersion && one.revision <= maxRevision);
  }

  async saveSnapshot(stream: string, snapshot: Snapshot): Promise<void> {
    this.checkOpen();
    const others = (this.snapshots.get(stream) ?? []).filter(
      ({ revision, schemaVersion }) =>
        revision !== snapshot.revision || schemaVersion !== snapshot.schemaVersion,
    );
    const kept = [...others, { ...snapshot }].sort((one, other) => one.revision - other.revision);
    this.snapshots.set(stream, kept.slice(-SNAPSHOTS_KEPT));
  }

  async dropSnapshots(stream: string, schemaVersion: number): Promise<void> {
    this.checkOpen();
    const others = (this.snapshots.get(stream) ?? []).filter(
      (one) => one.schemaVersion !== schemaVersion,
    );
    this.snapshots.set(stream, others);
  }

  async close(): Promise<void> {
    this.closed = true;
    this.changes.notify();
  }

  private store(stream: string, event: EventToAppend): void {
    const { events, revisionsByKey } = this.streamOf(stream);
    const { eventId, type, data, metadata, recordedAtMs, keys } = event;
    const revision = events.length;
    const position = BigInt(this.all.length + 1);
    const recorded: RecordedEvent = Object.freeze({
      eventId,
      stream,
      revision,
      position,
      type,
      data,
      metadata,
      recordedAtMs,
    });
    events.push(recorded);
    this.all.push(recorded);
    for (const key of keys) {
      revisionsByKey.set(key, [...(revisionsByKey.get(key) ?? []), revision]);
    }
  }

  private streamOf(name: string): Stream {
    const known = this.streams.get(name);
    if (known !== undefined) return known;
    const added: Stream = { events: [], revisionsByKey: new Map() };
    this.streams.set(name, added);
    return added;
  }

  private checkOpen(): void {
    if (this.closed) throw new StoreUnavailableError('the event store is closed', 5);
  }
}

function headOf(events: readonly RecordedEvent[]): number | 'noStream' {
  return events.at(-1)?.revision ?? 'noStream';
}

function refused(events: readonly RecordedEvent[]): AppendOutcome {
  return { outcome: 'refused', currentRevision: headOf(events) };
}

function repeatOrRefuse(
  stored: readonly RecordedEvent[],
  expected: number,
  events: readonly EventToAppend[],
): AppendOutcome {
  const there = stored.slice(expected + 1, expected + 1 + events.length);
  const last = there.at(-1);
  const same = events.every((event, index) => there[index]?.eventId === event.eventId);
  if (!same || last === undefined) return refused(stored);
  return { outcome: 'written', revision: last.revision, position: last.position, repeated: true };
}
