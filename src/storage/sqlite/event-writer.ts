import type Database from 'better-sqlite3';
import type { AppendOutcome, EventToAppend, ExpectedRevision } from '../event-store.js';
import type { Connection } from './database-schema.js';
import { idToBytes } from './event-ids.js';
import { digestsOf } from './key-digest.js';
import type { KeyIndex } from './key-index.js';
import type { TypeDictionary } from './type-dictionary.js';

const NO_REVISION = -1;

type StreamRow = [id: bigint, indexedRevision: bigint, head: bigint | null];
type EventRow = [
  stream: bigint,
  revision: bigint,
  type: bigint,
  beginsBatch: bigint,
  recordedAtMs: bigint,
  eventId: Buffer,
  keys: Buffer | null,
  data: string,
  metadata: string,
];

/** Appends inside a transaction that the caller begins and commits. */
export class EventWriter {
  private readonly findStream: Database.Statement<[string], StreamRow>;
  private readonly addStream: Database.Statement<[string]>;
  private readonly addEvent: Database.Statement<EventRow>;
  private readonly storedIds: Database.Statement<[bigint, bigint, bigint], [bigint, Buffer]>;

  constructor(
    connection: Connection,
    private readonly types: TypeDictionary,
    private readonly keys: KeyIndex,
  ) {
    this.findStream = connection
      .prepare<[string], StreamRow>(
        `SELECT id, indexed_revision, (SELECT max(revision) FROM events WHERE stream = streams.id)
         FROM streams WHERE name = ?`,
      )
      .raw()
      .safeIntegers();
    this.addStream = connection.prepare('INSERT INTO streams (name) VALUES (?)');
    this.addEvent = connection.prepare(
      `INSERT INTO events (stream, revision, type, begins_batch, recorded_at_ms, event_id, keys,
                           data, metadata)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.storedIds = connection
      .prepare<[bigint, bigint, bigint], [bigint, Buffer]>(
        `SELECT position, event_id FROM events
         WHERE stream = ? AND revision > ? ORDER BY revision LIMIT ?`,
      )
      .raw()
      .safeIntegers();
  }

  /** Throws a unique violation, and leaves parts behind, when the batch's first id is stored. */
  append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly EventToAppend[],
  ): AppendOutcome {
    const row = this.findStream.get(stream);
    const head = row?.[2] === undefined || row[2] === null ? NO_REVISION : Number(row[2]);
    const expectedRevision = expected === 'noStream' ? NO_REVISION : expected;
    if (expectedRevision !== head) {
      return this.repeatOrRefuse(row?.[0], expectedRevision, head, events);
    }
    const id = row?.[0] ?? BigInt(this.addStream.run(stream).lastInsertRowid);
    const position = this.insertAll(id, head, events);
    const revision = head + events.length;
    this.keys.noteAppended(id, Number(row?.[1] ?? NO_REVISION), revision);
    return { outcome: 'written', revision, position, repeated: false };
  }

  private insertAll(stream: bigint, head: number, events: readonly EventToAppend[]): bigint {
    let revision = head;
    let position: number | bigint = 0;
    for (const event of events) {
      revision += 1;
      position = this.addEvent.run(
        stream,
        BigInt(revision),
        this.types.numberOf(event.type),
        event === events[0] ? 1n : 0n,
        BigInt(event.recordedAtMs),
        idToBytes(event.eventId),
        digestsOf(event.keys),
        event.data,
        event.metadata,
      ).lastInsertRowid;
    }
    return BigInt(position);
  }

  private repeatOrRefuse(
    stream: bigint | undefined,
    expected: number,
    head: number,
    events: readonly EventToAppend[],
  ): AppendOutcome {
    if (stream === undefined || expected + events.length > head) return refused(head);
    const stored = this.storedIds.all(stream, BigInt(expected), BigInt(events.length));
    const same = events.every((event, index) =>
      stored[index]?.[1].equals(idToBytes(event.eventId)),
    );
    const last = stored[events.length - 1];
    if (!same || last === undefined) return refused(head);
    return {
      outcome: 'written',
      revision: expected + events.length,
      position: last[0],
      repeated: true,
    };
  }
}

function refused(head: number): AppendOutcome {
  return { outcome: 'refused', currentRevision: head === NO_REVISION ? 'noStream' : head };
}
