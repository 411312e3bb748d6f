import {
  APPEND_BYTES_MAX,
  APPEND_EVENTS_MAX,
  EVENT_DATA_BYTES_MAX,
  EVENT_KEYS_MAX,
  EVENT_KEY_CHARACTERS_MAX,
  type EventToAppend,
  type ExpectedRevision,
  InvalidAppendError,
} from './event-store.js';

const uuidInLowerCase = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const STREAM_NAME_CHARACTERS_MAX = 512;

/** @throws InvalidAppendError for what no adapter may write. */
export function checkAppend(
  stream: string,
  expected: ExpectedRevision,
  events: readonly EventToAppend[],
): void {
  if (stream === '' || stream.length > STREAM_NAME_CHARACTERS_MAX) {
    throw new InvalidAppendError(
      `a stream's name has 1 to ${STREAM_NAME_CHARACTERS_MAX} characters, not ${stream.length}`,
    );
  }
  if (expected !== 'noStream' && !(Number.isSafeInteger(expected) && expected >= 0)) {
    throw new InvalidAppendError(
      `append to ${stream}: expected revision ${String(expected)} is neither 'noStream' nor a ` +
        'whole number from 0',
    );
  }
  if (events.length === 0 || events.length > APPEND_EVENTS_MAX) {
    throw new InvalidAppendError(
      `append to ${stream}: 1 to ${APPEND_EVENTS_MAX} events at once, not ${events.length}`,
    );
  }
  const ids = new Set<string>();
  let bytes = 0;
  for (const event of events) {
    ids.add(event.eventId);
    bytes += checkEvent(stream, event);
  }
  if (ids.size !== events.length) {
    throw new InvalidAppendError(`append to ${stream}: two of its events have the same id`);
  }
  if (bytes > APPEND_BYTES_MAX) {
    throw new InvalidAppendError(
      `append to ${stream}: ${bytes} bytes at once are over the limit of ${APPEND_BYTES_MAX}; ` +
        'append in parts or keep large content as artifacts',
    );
  }
}

function checkEvent(stream: string, event: EventToAppend): number {
  const where = `append to ${stream}, event ${event.type} ${event.eventId}`;
  if (!uuidInLowerCase.test(event.eventId)) {
    throw new InvalidAppendError(`${where}: the id is no UUID in lower case`);
  }
  if (event.type === '') {
    throw new InvalidAppendError(`${where}: the type is empty`);
  }
  if (!Number.isSafeInteger(event.recordedAtMs)) {
    throw new InvalidAppendError(`${where}: recordedAtMs ${event.recordedAtMs} is no whole number`);
  }
  if (event.keys.length > EVENT_KEYS_MAX) {
    throw new InvalidAppendError(
      `${where}: ${event.keys.length} keys are over the limit of ${EVENT_KEYS_MAX}`,
    );
  }
  for (const key of event.keys) {
    if (key === '' || key.length > EVENT_KEY_CHARACTERS_MAX) {
      throw new InvalidAppendError(
        `${where}: a key has 1 to ${EVENT_KEY_CHARACTERS_MAX} characters, not ${key.length}`,
      );
    }
  }
  const dataBytes = Buffer.byteLength(event.data);
  if (dataBytes > EVENT_DATA_BYTES_MAX) {
    throw new InvalidAppendError(
      `${where}: ${dataBytes} bytes of data are over the limit of ${EVENT_DATA_BYTES_MAX}; ` +
        'keep large content as an artifact',
    );
  }
  return dataBytes + Buffer.byteLength(event.metadata) + 2 * event.type.length;
}
