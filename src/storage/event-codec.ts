import type { EventMetadata, SessionEvent, SessionEventRecord } from '../domain/events.js';
import { SESSION_EVENT_TYPES } from '../domain/events/known-types.js';
import { keysOf } from '../domain/past.js';
import { sessionOfStream } from '../identity/derived-ids.js';
import type { EventToAppend, RecordedEvent } from './event-store.js';
import { valueOf, withValue } from './event-value.js';
import { type Upcasters, upcasters as allUpcasters } from './upcasters.js';

/** In the place of a ciphertext that its own key does not open. */
export const DAMAGED_SEAL = 'damaged';

/** An event with all that its envelope needs, before it has a place in a stream. */
export interface NewEvent {
  readonly eventId: string;
  readonly event: SessionEvent;
  readonly metadata: EventMetadata;
  readonly recordedAtMs: number;
}

/**
 * The one place between events and their text, where old shapes become current ones. Below it,
 * `SealedEventStore` encrypts the text's contents and chains the events.
 */
export class EventCodec {
  private latest: { readonly text: string; readonly metadata: EventMetadata } | undefined;

  constructor(private readonly upcasters: Upcasters = allUpcasters) {}

  encode({ eventId, event, metadata, recordedAtMs }: NewEvent): EventToAppend {
    const envelope = {
      eventId,
      type: event.type,
      metadata: JSON.stringify(metadata),
      recordedAtMs,
      keys: keysOf(event, metadata),
    };
    return withValue<EventToAppend>(envelope, event.data);
  }

  /** @throws UnreadableEventError when the stored bytes are no event. */
  decode(stored: RecordedEvent): SessionEventRecord {
    const sessionId = sessionOfStream(stored.stream)?.sessionId;
    if (sessionId === undefined) {
      throw new UnreadableEventError(stored, 'its stream is not a session');
    }
    return {
      sessionId,
      revision: stored.revision,
      position: stored.position,
      eventId: stored.eventId,
      recordedAt: new Date(stored.recordedAtMs).toISOString(),
      metadata: this.metadataOf(stored),
      event: this.shown(stored),
    };
  }

  /**
   * The event alone, to decide with: who sent it and when is left unread, which saves a reader of
   * many a fifth.
   * @throws UnreadableEventError when the stored bytes are no event, or of a type that this version
   *   does not know and must not pass over; `decode` shows that one all the same.
   */
  eventOf(stored: RecordedEvent): SessionEvent {
    const event = this.shown(stored);
    refuseUnknown(stored, event.type);
    return event;
  }

  private shown(stored: RecordedEvent): SessionEvent {
    const data = valueOf(stored) ?? parsed(stored, stored.data);
    if (!('sealed' in data)) return this.upcast(stored, data);
    if (data.sealed !== DAMAGED_SEAL) throw new KeyMissingEventError(stored);
    throw new UnreadableEventError(stored, 'its session’s key does not open it');
  }

  /** Events of one command stand together in the log and have the same. */
  private metadataOf(stored: RecordedEvent): EventMetadata {
    if (this.latest?.text !== stored.metadata) {
      const metadata = parsed(stored, stored.metadata) as EventMetadata;
      this.latest = { text: stored.metadata, metadata: Object.freeze(metadata) };
    }
    return this.latest.metadata;
  }

  /** The current name of what is stored under this one, without decoding anything. */
  typeOf(storedName: string): string {
    let type = storedName;
    for (let next = this.upcasters[type]; next; next = this.upcasters[type]) type = next.to;
    return type;
  }

  private upcast(stored: RecordedEvent, data: object): SessionEvent {
    let shape: { type: string; data: unknown } = { type: stored.type, data };
    try {
      for (let next = this.upcasters[stored.type]; next; next = this.upcasters[shape.type]) {
        shape = { type: next.to, data: next.upcast(shape.data) };
      }
    } catch (cause) {
      throw new UnreadableEventError(stored, `its old shape ${shape.type} is damaged`, { cause });
    }
    return shape as SessionEvent;
  }
}

/** A newer version wrote it, and says whether one that does not know it may go on without it. */
function refuseUnknown(stored: RecordedEvent, type: string): void {
  if (Object.hasOwn(SESSION_EVENT_TYPES, type)) return;
  const { required } = parsed(stored, stored.metadata) as EventMetadata;
  if (required !== true) return;
  throw new UnreadableEventError(
    stored,
    `this version does not know ${type}, which must not be passed over; use a newer version`,
  );
}

function parsed(stored: RecordedEvent, text: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new UnreadableEventError(stored, 'it is not JSON', { cause });
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new UnreadableEventError(stored, 'it is not a JSON object');
}

export class UnreadableEventError extends Error {
  constructor(stored: RecordedEvent, reason: string, options?: ErrorOptions) {
    super(`event ${stored.revision} of ${stored.stream} cannot be read: ${reason}`, options);
    this.name = 'UnreadableEventError';
  }
}

/** Nothing is wrong with it: the key of its session is not there. */
export class KeyMissingEventError extends UnreadableEventError {
  constructor(stored: RecordedEvent) {
    super(stored, 'the key of its session is missing');
    this.name = 'KeyMissingEventError';
  }
}
