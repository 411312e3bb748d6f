import type { EventMetadata } from '../domain/events.js';
import type { TenantEvent } from '../domain/tenant/tenant.js';
import { UnreadableEventError } from './event-codec.js';
import type { EventToAppend, RecordedEvent } from './event-store.js';

export interface NewTenantEvent {
  readonly eventId: string;
  readonly event: TenantEvent;
  readonly metadata: EventMetadata;
  readonly recordedAtMs: number;
}

/** The one place between a tenant's events and stored bytes. */
export function encodeTenantEvent(added: NewTenantEvent): EventToAppend {
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
export function decodeTenantEvent(stored: RecordedEvent): TenantEvent {
  const data = plainData(stored);
  if (stored.type === 'PriceCardAdded' && !('card' in data)) {
    throw new UnreadableEventError(stored, 'it has no card');
  }
  if (stored.type === 'ToolManifestRegistered' && !('manifest' in data)) {
    throw new UnreadableEventError(stored, 'it has no manifest');
  }
  if (stored.type === 'BudgetSet' && !('budget' in data)) {
    throw new UnreadableEventError(stored, 'it has no budget');
  }
  if (stored.type === 'AccessKeyAdded' && !('key' in data)) {
    throw new UnreadableEventError(stored, 'it has no key');
  }
  if (stored.type === 'RedactionPolicySet' && !('policy' in data)) {
    throw new UnreadableEventError(stored, 'it has no policy');
  }
  return { type: stored.type, data } as TenantEvent;
}

/** @throws UnreadableEventError */
export function plainData(stored: RecordedEvent): object {
  let data: unknown;
  try {
    data = JSON.parse(stored.data);
  } catch (cause) {
    throw new UnreadableEventError(stored, 'it is not JSON', { cause });
  }
  if (typeof data !== 'object' || data === null || Array.isArray(data)) {
    throw new UnreadableEventError(stored, 'it is not a JSON object');
  }
  return data;
}
