import type { EventMetadata, SessionEvent, SessionEventRecord } from '../domain/events.js';
import { keysOf } from '../domain/past.js';
import { sessionOfStream } from '../identity/derived-ids.js';
import type { EventToAppend, RecordedEvent } from './event-store.js';
import { type Upcasters, upcasters as allUpcasters } from './upcasters.js';

/** An event with all that its envelope needs, before it has a place in a stream. */
export interface NewEvent {
  readonly eventId: string;
  readonly event: SessionEvent;
  readonly metadata: EventMetadata;
  readonly recordedAtMs: number;
}

/**
 * The one place between events and stored bytes. Old shapes become current ones here; encryption
 * and the hash chain will stand here too.
 */
export class EventCodec {
  constructor(private readonly upcasters: Upcasters = allUpcasters) {}

  encode({ eventId, event, metadata, recordedAtMs }: NewEvent): EventToAppend {
    return {
      eventId,
      type: event.type,
      data: JSON.stringify(event.data),
      metadata: JSON.stringify(metadata),
      recordedAtMs,
      keys: keysOf(event, metadata),
    };
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
      metadata: parsed(stored, stored.metadata) as EventMetadata,
      event: this.upcast(stored.type, parsed(stored, stored.data)),
    };
  }

  /** The current name of what is stored under this one, without decoding anything. */
  typeOf(storedName: string): string {
    let type = storedName;
    for (let next = this.upcasters[type]; next; next = this.upcasters[type]) type = next.to;
    return type;
  }

  private upcast(storedName: string, data: unknown): SessionEvent {
    let shape = { type: storedName, data };
    for (let next = this.upcasters[storedName]; next; next = this.upcasters[shape.type]) {
      shape = { type: next.to, data: next.upcast(shape.data) };
    }
    return shape as SessionEvent;
  }
}

function parsed(stored: RecordedEvent, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UnreadableEventError(stored, 'it is not JSON', { cause });
  }
}

export class UnreadableEventError extends Error {
  constructor(stored: RecordedEvent, reason: string, options?: ErrorOptions) {
    super(`event ${stored.revision} of ${stored.stream} cannot be read: ${reason}`, options);
    this.name = 'UnreadableEventError';
  }
}
