import type { LedgerEvent } from '../domain/budget/ledger.js';
import type { EventMetadata } from '../domain/events.js';
import type { EventToAppend, RecordedEvent } from './event-store.js';
import { plainData } from './tenant-event-codec.js';

export interface NewLedgerEvent {
  readonly eventId: string;
  readonly event: LedgerEvent;
  readonly metadata: EventMetadata;
  readonly recordedAtMs: number;
}

/** Finds what a reservation was charged with. */
export function chargeKey(reservationId: string): string {
  return `charge:${reservationId}`;
}

/** The one place between a ledger's events and stored bytes. */
export function encodeLedgerEvent(added: NewLedgerEvent): EventToAppend {
  const { eventId, event, metadata, recordedAtMs } = added;
  const keys = keysOf(event);
  return {
    eventId,
    type: event.type,
    data: JSON.stringify(event.data),
    metadata: JSON.stringify(metadata),
    recordedAtMs,
    keys,
  };
}

/** The keys that a stored event of a ledger has. @throws UnreadableEventError */
export function keysOfLedgerEvent(stored: RecordedEvent): readonly string[] {
  return keysOf(decodeLedgerEvent(stored));
}

function keysOf(event: LedgerEvent): readonly string[] {
  return event.type === 'CostCharged' ? [chargeKey(event.data.reservationId)] : [];
}

/** @throws UnreadableEventError when the stored bytes are no event. */
export function decodeLedgerEvent(stored: RecordedEvent): LedgerEvent {
  return { type: stored.type, data: plainData(stored) } as LedgerEvent;
}
