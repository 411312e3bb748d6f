import type Database from 'better-sqlite3';
import type { AllFilter, AllPage, ReadOptions, RecordedEvent } from '../event-store.js';
import type { Connection } from './database-schema.js';
import { idToText } from './event-ids.js';
import type { KeyIndex } from './key-index.js';
import type { TypeDictionary } from './type-dictionary.js';

type EventRow = [
  position: bigint,
  revision: bigint,
  type: bigint,
  recordedAtMs: bigint,
  eventId: Uint8Array,
  data: string,
  metadata: string,
];
type EventRowOfAll = [...EventRow, stream: string];
type Range = [stream: bigint, low: bigint, high: bigint];

const COLUMNS = 'position, revision, type, recorded_at_ms, event_id, data, metadata';
const OF_TYPES = 'AND type IN (SELECT value FROM json_each(?))';
/** Where so few streams are wanted of so long a log, they are asked one by one, and the rest is not read. */
const FEW_STREAMS = 32n;
const FEW_EVENTS = 2_000n;
/** Behind every text that begins with what stands before it. */
const LAST_CHARACTER = '\u{10ffff}';

export class EventReader {
  private readonly streamId: Database.Statement<[string], bigint>;
  private readonly headOf: Database.Statement<[bigint], bigint | null>;
  private readonly forwards: Database.Statement<[...Range, bigint], EventRow>;
  private readonly backwards: Database.Statement<[...Range, bigint], EventRow>;
  private readonly forwardsOfTypes: Database.Statement<[...Range, string, bigint], EventRow>;
  private readonly backwardsOfTypes: Database.Statement<[...Range, string, bigint], EventRow>;
  private readonly all: Database.Statement<[bigint, bigint], EventRowOfAll>;
  private readonly newest: Database.Statement<[], bigint | null>;
  private readonly streamIds: Database.Statement<[string, string, bigint], bigint>;
  private readonly allOf: Database.Statement<[string, string, bigint, bigint], EventRowOfAll>;

  constructor(
    connection: Connection,
    private readonly types: TypeDictionary,
    private readonly keys: KeyIndex,
  ) {
    const range = (filter: string, order: 'ASC' | 'DESC') =>
      `SELECT ${COLUMNS} FROM events WHERE stream = ? AND revision BETWEEN ? AND ? ${filter}
       ORDER BY revision ${order} LIMIT ?`;
    const rows = <Parameters extends unknown[]>(sql: string) =>
      connection.prepare<Parameters, EventRow>(sql).raw().safeIntegers();
    const value = <Parameters extends unknown[], Value>(sql: string) =>
      connection.prepare<Parameters, Value>(sql).pluck().safeIntegers();
    this.streamId = value('SELECT id FROM streams WHERE name = ?');
    this.headOf = value('SELECT max(revision) FROM events WHERE stream = ?');
    this.newest = value('SELECT max(position) FROM events');
    this.forwards = rows(range('', 'ASC'));
    this.backwards = rows(range('', 'DESC'));
    this.forwardsOfTypes = rows(range(OF_TYPES, 'ASC'));
    this.backwardsOfTypes = rows(range(OF_TYPES, 'DESC'));
    this.all = connection
      .prepare<[bigint, bigint], EventRowOfAll>(
        `SELECT ${COLUMNS}, streams.name FROM events JOIN streams ON streams.id = events.stream
         WHERE position > ? ORDER BY position LIMIT ?`,
      )
      .raw()
      .safeIntegers();
    this.streamIds = value('SELECT id FROM streams WHERE name BETWEEN ? AND ? LIMIT ?');
    this.allOf = connection
      .prepare<[string, string, bigint, bigint], EventRowOfAll>(
        `SELECT ${COLUMNS}, streams.name FROM streams CROSS JOIN events ON events.stream = streams.id
         WHERE streams.name BETWEEN ? AND ? AND position > ? ORDER BY position LIMIT ?`,
      )
      .raw()
      .safeIntegers();
  }

  read(stream: string, options: ReadOptions): readonly RecordedEvent[] {
    const id = this.streamId.get(stream);
    if (id === undefined) return [];
    const backwards = options.direction === 'backwards';
    const from = BigInt(options.from);
    const low = backwards ? BigInt(options.to ?? 0) : from;
    const high = backwards ? from : BigInt(options.to ?? Number.MAX_SAFE_INTEGER);
    const range: Range = [id, low, high];
    const maxCount = BigInt(options.maxCount);
    if (options.types === undefined) {
      const rows = (backwards ? this.backwards : this.forwards).all(...range, maxCount);
      return rows.map((row) => this.toEvent(stream, row));
    }
    const types = `[${this.types.knownNumbers(options.types).join(',')}]`;
    const ofTypes = backwards ? this.backwardsOfTypes : this.forwardsOfTypes;
    const rows = ofTypes.all(...range, types, maxCount);
    return rows.map((row) => this.toEvent(stream, row));
  }

  head(stream: string): number | 'noStream' {
    const id = this.streamId.get(stream);
    const head = id === undefined ? undefined : this.headOf.get(id);
    return head === undefined || head === null ? 'noStream' : Number(head);
  }

  findByKeys(stream: string, keys: readonly string[]): readonly RecordedEvent[] {
    const id = keys.length === 0 ? undefined : this.streamId.get(stream);
    if (id === undefined) return [];
    return this.keys.revisionsWith(id, keys).flatMap((revision) => {
      const at = BigInt(revision);
      return this.forwards.all(id, at, at, 1n).map((row) => this.toEvent(stream, row));
    });
  }

  readAll(after: bigint, maxCount: number, { streamPrefix = '' }: AllFilter = {}): AllPage {
    const head = this.headPosition();
    const few = streamPrefix !== '' && head - after > FEW_EVENTS && this.areFew(streamPrefix);
    const rows = few
      ? this.allOf.all(streamPrefix, streamPrefix + LAST_CHARACTER, after, BigInt(maxCount) + 1n)
      : this.all.all(after, BigInt(maxCount) + 1n);
    const caughtUp = rows.length <= maxCount;
    const page = caughtUp ? rows : rows.slice(0, maxCount);
    const events = page
      .filter((row) => row[7].startsWith(streamPrefix))
      .map(([position, revision, type, recordedAtMs, eventId, data, metadata, stream]) =>
        this.toEvent(stream, [position, revision, type, recordedAtMs, eventId, data, metadata]),
      );
    const last = page.at(-1)?.[0] ?? after;
    return { events, next: few && caughtUp && head > last ? head : last, caughtUp };
  }

  private areFew(prefix: string): boolean {
    const ids = this.streamIds.all(prefix, prefix + LAST_CHARACTER, FEW_STREAMS + 1n);
    if (ids.length > FEW_STREAMS) return false;
    const events = ids.reduce((sum, id) => sum + (this.headOf.get(id) ?? 0n), 0n);
    return events <= FEW_EVENTS;
  }

  headPosition(): bigint {
    return this.newest.get() ?? 0n;
  }

  private toEvent(stream: string, row: EventRow): RecordedEvent {
    const [position, revision, type, recordedAtMs, eventId, data, metadata] = row;
    return {
      eventId: idToText(eventId),
      stream,
      revision: Number(revision),
      position,
      type: this.types.nameOf(type),
      data,
      metadata,
      recordedAtMs: Number(recordedAtMs),
    };
  }
}
