import type { TrailEvent } from '../domain/audit/trail-events.js';
import type { EventMetadata } from '../domain/events.js';
import type { EventToAppend, RecordedEvent } from './event-store.js';
import { plainData } from './tenant-event-codec.js';

export interface NewTrailEvent {
  readonly eventId: string;
  readonly event: TrailEvent;
  readonly metadata: EventMetadata;
  readonly recordedAtMs: number;
}

/** The one place between a tenant's audit trail and stored bytes. */
export function encodeTrailEvent(added: NewTrailEvent): EventToAppend {
  const { eventId, event, metadata, recordedAtMs } = added;
  return {
    eventId,
    type: event.type,
    data: JSON.stringify(event.data),
    metadata: JSON.stringify(metadata),
    recordedAtMs,
    keys: [],
  };
}

/** @throws UnreadableEventError when the stored bytes are no event. */
export function decodeTrailEvent(stored: RecordedEvent): TrailEvent {
  return { type: stored.type, data: plainData(stored) } as TrailEvent;
}
