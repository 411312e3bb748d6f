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
  checkNames(stream, expected, events);
  for (const event of events) checkSize(stream, event);
  const bytes = sizeOver(APPEND_BYTES_MAX, events.flatMap(textsOf));
  if (bytes !== undefined) {
    throw new InvalidAppendError(
      `append to ${stream}: ${bytes} bytes at once are over the limit of ${APPEND_BYTES_MAX}; ` +
        'append in parts or keep large content as artifacts',
    );
  }
}

/**
 * Everything but the sizes of texts: they are limited as they are stored.
 * @throws InvalidAppendError
 */
export function checkNames(
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
  for (const event of events) {
    ids.add(event.eventId);
    checkEvent(stream, event);
  }
  if (ids.size !== events.length) {
    throw new InvalidAppendError(`append to ${stream}: two of its events have the same id`);
  }
}

function checkEvent(stream: string, event: EventToAppend): void {
  if (!uuidInLowerCase.test(event.eventId)) {
    throw new InvalidAppendError(`${whereIs(stream, event)}: the id is no UUID in lower case`);
  }
  if (event.type === '') {
    throw new InvalidAppendError(`${whereIs(stream, event)}: the type is empty`);
  }
  if (!Number.isSafeInteger(event.recordedAtMs)) {
    throw new InvalidAppendError(
      `${whereIs(stream, event)}: recordedAtMs ${event.recordedAtMs} is no whole number`,
    );
  }
  if (event.keys.length > EVENT_KEYS_MAX) {
    throw new InvalidAppendError(
      `${whereIs(stream, event)}: ${event.keys.length} keys are over the limit of ${EVENT_KEYS_MAX}`,
    );
  }
  for (const key of event.keys) {
    if (key === '' || key.length > EVENT_KEY_CHARACTERS_MAX) {
      throw new InvalidAppendError(
        `${whereIs(stream, event)}: a key has 1 to ${EVENT_KEY_CHARACTERS_MAX} characters, not ${key.length}`,
      );
    }
  }
}

function checkSize(stream: string, event: EventToAppend): void {
  const dataBytes = sizeOver(EVENT_DATA_BYTES_MAX, [event.data]);
  if (dataBytes !== undefined) {
    throw new InvalidAppendError(
      `${whereIs(stream, event)}: ${dataBytes} bytes of data are over the limit of ${EVENT_DATA_BYTES_MAX}; ` +
        'keep large content as an artifact',
    );
  }
}

function whereIs(stream: string, event: EventToAppend): string {
  return `append to ${stream}, event ${event.type} ${event.eventId}`;
}

function textsOf({ type, data, metadata, keys }: EventToAppend): readonly string[] {
  return [type, type, data, metadata, ...keys];
}

/** Bytes in UTF-8 when they are over the limit. Counted only if they can be: 3 a UTF-16 unit. */
function sizeOver(limit: number, texts: readonly string[]): number | undefined {
  const bytesMax = texts.reduce((sum, text) => sum + 3 * text.length, 0);
  if (bytesMax <= limit) return undefined;
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  return bytes > limit ? bytes : undefined;
}
