import { checkAppend } from '../check-append.js';
import type {
  AllFilter,
  AllPage,
  AppendOutcome,
  EventStore,
  EventToAppend,
  ExpectedRevision,
  ReadOptions,
  RecordedEvent,
  Snapshot,
} from '../event-store.js';
import { Appender } from './appender.js';
import { CONNECTION_TIMES, type ConnectionTimes } from './connection-times.js';
import { EsdbConnection } from './esdb-connection.js';
import { followLog } from './follow-log.js';
import { KeyIndexes } from './key-indexes.js';
import { SnapshotStreams } from './snapshot-streams.js';
import { StoreIdentity } from './store-identity.js';
import { StreamReader } from './stream-reader.js';

export interface EventStoreDbOptions {
  /** `esdb://` or `esdb+discover://`, checked. */
  readonly url: string;
  readonly times?: Partial<ConnectionTimes>;
  /** Hears of what went wrong and is tried again. */
  readonly report?: (problem: string) => void;
}

/**
 * All events in EventStoreDB or KurrentDB. One process has one of these: the client underneath
 * keeps state for all its connections together.
 */
export class EventStoreDbEventStore implements EventStore {
  private readonly connection: EsdbConnection;
  private readonly reader: StreamReader;
  private readonly appender: Appender;
  private readonly keys: KeyIndexes;
  private readonly snapshots: SnapshotStreams;
  private readonly identity: StoreIdentity;
  private readonly report: (problem: string) => void;

  constructor({ url, times, report = () => {} }: EventStoreDbOptions) {
    this.connection = new EsdbConnection(url, { ...CONNECTION_TIMES, ...times });
    this.report = report;
    this.reader = new StreamReader(this.connection);
    this.appender = new Appender(this.connection, this.reader);
    this.keys = new KeyIndexes(this.connection, this.reader, report);
    this.snapshots = new SnapshotStreams(this.connection);
    this.identity = new StoreIdentity(this.connection);
  }

  async append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly EventToAppend[],
  ): Promise<AppendOutcome> {
    this.connection.checkOpen();
    checkAppend(stream, expected, events);
    const outcome = await this.appender.append(stream, expected, events);
    if (outcome.outcome === 'written') this.keys.note(stream, outcome.revision, events);
    return outcome;
  }

  async read(stream: string, options: ReadOptions): Promise<readonly RecordedEvent[]> {
    return this.reader.read(stream, options);
  }

  async head(stream: string): Promise<number | 'noStream'> {
    return this.reader.head(stream);
  }

  async findByKeys(stream: string, keys: readonly string[]): Promise<readonly RecordedEvent[]> {
    return this.keys.find(stream, keys);
  }

  async readAll(after: bigint, maxCount: number, filter?: AllFilter): Promise<AllPage> {
    return this.reader.readAll(after, maxCount, filter);
  }

  async headPosition(): Promise<bigint> {
    return this.reader.headPosition();
  }

  async storeId(): Promise<string> {
    return this.identity.storeId();
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
    const streamPrefix = filter?.streamPrefix ?? '';
    const { report } = this;
    return followLog(this.connection, { after, maxCount, signal, streamPrefix, report });
  }

  async loadSnapshot(
    stream: string,
    schemaVersion: number,
    maxRevision?: number,
  ): Promise<Snapshot | undefined> {
    return this.snapshots.load(stream, schemaVersion, maxRevision);
  }

  async saveSnapshot(stream: string, snapshot: Snapshot): Promise<void> {
    return this.snapshots.save(stream, snapshot);
  }

  async dropSnapshots(stream: string, schemaVersion: number): Promise<void> {
    return this.snapshots.drop(stream, schemaVersion);
  }

  async close(): Promise<void> {
    await this.connection.close();
  }
}
