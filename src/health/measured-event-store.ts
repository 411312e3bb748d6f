import { Logger } from '@nestjs/common';
import type { EventMetadata, EventOf } from '../domain/events.js';
import {
  type AllFilter,
  type AllPage,
  type AppendOutcome,
  AppendUnknownError,
  type EventStore,
  type EventToAppend,
  type ExpectedRevision,
  type ReadOptions,
  type RecordedEvent,
  type Snapshot,
  StoreUnavailableError,
} from '../storage/event-store.js';
import { sessionOfStream } from '../identity/derived-ids.js';
import { valueOf } from '../storage/event-value.js';
import type { Metrics, Redacted, SettledCall } from './metrics.js';

const SETTLED = 'ModelCallSettled';
const CLAIM = 'RunClaimed';
const LATE_RESULT = 'ToolLateResultReceived';
const CONFLICT = 'ToolConflictDetected';
const REDACTIONS = '"redactions":[';

/** The event store, with its appends counted. */
export class MeasuredEventStore implements EventStore {
  private readonly log = new Logger('Alarm');

  constructor(
    private readonly store: EventStore,
    private readonly metrics: Metrics,
  ) {}

  async append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly EventToAppend[],
  ): Promise<AppendOutcome> {
    const stop = this.metrics.appends.startTimer();
    try {
      const answer = await this.store.append(stream, expected, events);
      stop({ outcome: outcomeOf(answer) });
      if (answer.outcome === 'written' && !answer.repeated) this.count(stream, events);
      return answer;
    } catch (error) {
      stop({ outcome: failureOf(error) });
      throw error;
    }
  }

  read(stream: string, options: ReadOptions): Promise<readonly RecordedEvent[]> {
    return this.store.read(stream, options);
  }

  head(stream: string): Promise<number | 'noStream'> {
    return this.store.head(stream);
  }

  findByKeys(stream: string, keys: readonly string[]): Promise<readonly RecordedEvent[]> {
    return this.store.findByKeys(stream, keys);
  }

  readAll(after: bigint, maxCount: number, filter?: AllFilter): Promise<AllPage> {
    return this.store.readAll(after, maxCount, filter);
  }

  headPosition(): Promise<bigint> {
    return this.store.headPosition();
  }

  storeId(): Promise<string> {
    return this.store.storeId();
  }

  subscribeAll(
    after: bigint,
    options: Parameters<EventStore['subscribeAll']>[1],
  ): AsyncIterable<AllPage> {
    return this.store.subscribeAll(after, options);
  }

  loadSnapshot(
    stream: string,
    schemaVersion: number,
    maxRevision?: number,
  ): Promise<Snapshot | undefined> {
    return this.store.loadSnapshot(stream, schemaVersion, maxRevision);
  }

  saveSnapshot(stream: string, snapshot: Snapshot): Promise<void> {
    return this.store.saveSnapshot(stream, snapshot);
  }

  dropSnapshots(stream: string, schemaVersion: number): Promise<void> {
    return this.store.dropSnapshots(stream, schemaVersion);
  }

  close(): Promise<void> {
    return this.store.close();
  }

  private conflict(stream: string, event: EventToAppend): void {
    const { commandType, actor } = JSON.parse(event.metadata) as EventMetadata;
    const { callId, kind } = dataIn<EventOf<typeof CONFLICT>>(event);
    const place = `session ${sessionOfStream(stream)?.sessionId}, call ${callId}`;
    this.log.warn(`tool_conflict: ${place}: ${kind}, found by ${commandType} of ${actor}`);
    this.metrics.conflict(kind);
  }

  private count(stream: string, events: readonly EventToAppend[]): void {
    for (const event of events) {
      const { type, metadata } = event;
      if (type === CLAIM) this.metrics.claimed(dataIn<EventOf<typeof CLAIM>>(event).reason);
      if (type === LATE_RESULT) this.metrics.late();
      if (type === CONFLICT) this.conflict(stream, event);
      if (type === SETTLED) this.metrics.settled(dataIn<{ readonly data: SettledCall }>(event));
      if (metadata.includes(REDACTIONS)) this.metrics.redacted(JSON.parse(metadata) as Redacted);
    }
  }
}

function dataIn<Event extends { readonly data: object }>(event: EventToAppend): Event['data'] {
  return (valueOf(event) ?? JSON.parse(event.data)) as Event['data'];
}

function outcomeOf(answer: AppendOutcome): string {
  if (answer.outcome === 'refused') return 'conflict';
  return answer.repeated ? 'repeated' : 'written';
}

function failureOf(error: unknown): string {
  if (error instanceof AppendUnknownError) return 'unknown';
  return error instanceof StoreUnavailableError ? 'unavailable' : 'invalid';
}
