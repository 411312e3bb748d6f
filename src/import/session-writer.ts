import type { EventMetadata, SessionEvent } from '../domain/events.js';
import { derivedId, sessionStream } from '../identity/derived-ids.js';
import { listedRedactions, redactEvent } from '../redaction/redact-event.js';
import type { Redactor } from '../redaction/redactor.js';
import { appendSettled } from '../storage/append-settled.js';
import type { EventCodec } from '../storage/event-codec.js';
import {
  APPEND_BYTES_MAX,
  APPEND_EVENTS_MAX,
  type EventStore,
  type EventToAppend,
} from '../storage/event-store.js';
import { KnownSession } from './known-session.js';

export interface WriterPorts {
  readonly events: EventStore;
  readonly codec: EventCodec;
  readonly tenantId: string;
  readonly actor: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Masks secrets before they are stored; absent: nothing is masked. */
  readonly redactor?: Redactor;
}

/** All events of one record. */
export interface ImportedUnit {
  /** Names it within the session. */
  readonly key: string;
  readonly record: string;
  readonly events: readonly SessionEvent[];
  /** Of a record that was an event of Holdfast: the id that its event keeps. */
  readonly eventId?: string;
  /** What else such an event's metadata keeps. */
  readonly kept?: Pick<
    EventMetadata,
    'correlationId' | 'causationId' | 'redactions' | 'redactionsCut' | 'source'
  >;
}

const READ_PAGE = 500;
/** Sealed it takes a third more; and room for what an adapter adds to each event. */
const BATCH_BYTES = (APPEND_BYTES_MAX * 3) / 4 - 64 * 1024;

/** Somebody else appended to the session meanwhile: what is there now has to be read again. */
export class StreamMovedError extends Error {
  constructor(readonly stream: string) {
    super(`${stream} was appended to by somebody else during an import`);
    this.name = 'StreamMovedError';
  }
}

/**
 * Appends units (all events of one record, together or not at all) to one session, in batches with
 * the exact expected revision. `known` runs ahead of what is appended.
 */
export class SessionWriter {
  private pending: EventToAppend[] = [];
  private pendingBytes = 0;
  private appendedTo: number;
  appended = 0;

  private constructor(
    private readonly ports: WriterPorts,
    readonly sessionId: string,
    readonly known: KnownSession,
    private readonly observe: (event: SessionEvent) => void,
  ) {
    this.appendedTo = known.revision;
  }

  /** `observe` is told every event, those in the stream first. */
  static async open(
    ports: WriterPorts,
    sessionId: string,
    observe: (event: SessionEvent) => void = () => undefined,
  ): Promise<SessionWriter> {
    const known = new KnownSession();
    const stream = sessionStream(ports.tenantId, sessionId);
    for (let from = 0; ; from += READ_PAGE) {
      const page = await ports.events.read(stream, { from, maxCount: READ_PAGE });
      for (const stored of page) {
        const { event, metadata } = ports.codec.decode(stored);
        known.apply(event, metadata);
        observe(event);
      }
      if (page.length < READ_PAGE) break;
    }
    return new SessionWriter(ports, sessionId, known, observe);
  }

  /** Takes a unit; it is durable after `flush`. */
  async add(unit: ImportedUnit): Promise<void> {
    if (unit.events.length === 0) return;
    const encoded = unit.events.map((event, index) => this.encode(unit, event, index));
    const bytes = encoded.reduce((sum, event) => sum + sizeOf(event), 0);
    const full =
      this.pending.length + encoded.length > APPEND_EVENTS_MAX ||
      this.pendingBytes + bytes > BATCH_BYTES;
    if (full) await this.flush();
    this.pending.push(...encoded);
    this.pendingBytes += bytes;
  }

  async flush(): Promise<void> {
    if (this.pending.length === 0) return;
    const batch = this.pending;
    this.pending = [];
    this.pendingBytes = 0;
    const stream = sessionStream(this.ports.tenantId, this.sessionId);
    const expected = this.appendedTo === -1 ? 'noStream' : this.appendedTo;
    const { outcome } = await appendSettled(this.ports.events, stream, expected, batch);
    if (outcome.outcome === 'refused') throw new StreamMovedError(stream);
    this.appendedTo = outcome.revision;
    this.appended += batch.length;
  }

  private encode(unit: ImportedUnit, translated: SessionEvent, index: number): EventToAppend {
    const { tenantId, actor, codec, now, redactor } = this.ports;
    const { event, redactions } =
      redactor === undefined
        ? { event: translated, redactions: [] }
        : redactEvent(translated, redactor);
    const metadata = {
      tenantId,
      actor,
      commandType: 'ImportSession',
      commandId: unit.key,
      source: { record: unit.record },
      ...unit.kept,
      ...listedRedactions(redactions),
    };
    this.known.apply(event, metadata);
    this.observe(event);
    return codec.encode({
      eventId: unit.eventId ?? derivedId('imported-event', this.sessionId, unit.key, index),
      event,
      metadata,
      recordedAtMs: now(),
    });
  }
}

function sizeOf(event: EventToAppend): number {
  const keyBytes = event.keys.reduce((sum, key) => sum + Buffer.byteLength(key), 0);
  return Buffer.byteLength(event.data) + Buffer.byteLength(event.metadata) + keyBytes + 256;
}
