import { randomUUID } from 'node:crypto';
import type { EventToAppend, RecordedEvent } from '../event-store.js';
import type { EsdbEventData } from './esdb-client.js';
import type { EsdbEvent } from './esdb-connection.js';

/**
 * What stands in the server's metadata of each event, as JSON. The server's own event id is new
 * for each append: so an answer "written" is never about a batch that somebody else wrote.
 */
interface Envelope {
  readonly eventId: string;
  /** The append that wrote it. */
  readonly appendId: string;
  /** Milliseconds since the epoch. */
  readonly recordedAtMs: number;
  readonly keys: readonly string[];
  /** The event's metadata; as text where parsing and writing it again would change it. */
  readonly metadata: unknown;
}

export interface StoredEvent {
  readonly event: RecordedEvent;
  readonly keys: readonly string[];
  readonly appendId: string;
}

export function toStore(events: readonly EventToAppend[], appendId: string): EsdbEventData[] {
  return events.map(({ eventId, type, data, metadata, recordedAtMs, keys }) => {
    const kept = isReadAsWritten(metadata) ? (JSON.parse(metadata) as unknown) : metadata;
    const envelope: Envelope = { eventId, appendId, recordedAtMs, keys, metadata: kept };
    return {
      id: randomUUID(),
      type,
      isJson: isReadAsWritten(data),
      data: Buffer.from(data),
      metadata: Buffer.from(JSON.stringify(envelope)),
    };
  });
}

/** Undefined for what Holdfast did not write as an event: system events, snapshots, others. */
export function fromStore(stored: EsdbEvent): StoredEvent | undefined {
  const { metadata: envelope, position } = stored;
  if (!isEnvelope(envelope) || position === undefined) return undefined;
  const { eventId, recordedAtMs, keys, appendId, metadata } = envelope;
  const event: RecordedEvent = {
    eventId,
    stream: stored.streamId,
    revision: Number(stored.revision),
    position: position.commit,
    type: stored.type,
    data: stored.isJson ? JSON.stringify(stored.data) : textOfBytes(stored.data),
    metadata: typeof metadata === 'string' ? metadata : JSON.stringify(metadata),
    recordedAtMs,
  };
  return { event, keys, appendId };
}

/** @throws ForeignEventError: a stream of Holdfast's holds what it did not write. */
export function ownEvent(stored: EsdbEvent): StoredEvent {
  const own = fromStore(stored);
  if (own === undefined) throw new ForeignEventError(stored);
  return own;
}

export class ForeignEventError extends Error {
  constructor({ streamId, revision, type }: EsdbEvent) {
    super(
      `event ${revision} of ${streamId} (${type}) was not written by Holdfast: the streams of ` +
        'its sessions must have no other writer',
    );
    this.name = 'ForeignEventError';
  }
}

/** Whether parsing and writing it again, as the client does when it reads, gives the same text. */
function isReadAsWritten(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && JSON.stringify(value) === text;
  } catch {
    return false;
  }
}

function isEnvelope(value: unknown): value is Envelope {
  if (typeof value !== 'object' || value === null) return false;
  const envelope = value as Partial<Record<keyof Envelope, unknown>>;
  return (
    typeof envelope.eventId === 'string' &&
    typeof envelope.appendId === 'string' &&
    typeof envelope.recordedAtMs === 'number' &&
    Array.isArray(envelope.keys)
  );
}

function textOfBytes(data: unknown): string {
  return Buffer.from(data as Uint8Array).toString('utf8');
}
