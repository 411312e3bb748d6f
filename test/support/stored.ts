import type { SessionEventRecord } from '../../src/domain/events.js';
import { sessionStream } from '../../src/identity/derived-ids.js';
import type { EventCodec } from '../../src/storage/event-codec.js';
import type { RecordedEvent } from '../../src/storage/event-store.js';
import { TENANT } from './session-log.js';

/** A record as a store gives it back: encoded, at its place in the stream. */
export function stored(record: SessionEventRecord, codec: EventCodec): RecordedEvent {
  const { event, metadata, eventId, revision, position, sessionId } = record;
  const recordedAtMs = Date.parse(record.recordedAt);
  const {
    type,
    data,
    metadata: metadataText,
  } = codec.encode({
    eventId,
    event,
    metadata,
    recordedAtMs,
  });
  return {
    eventId,
    stream: sessionStream(TENANT, sessionId),
    revision,
    position,
    type,
    data,
    metadata: metadataText,
    recordedAtMs,
  };
}
