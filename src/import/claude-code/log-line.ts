import { digestOf, boundedKey } from '../source-reference.js';
import { normalTime } from '../log-time.js';

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A text that is not empty. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** One record of a Claude Code log, as far as every reader of it needs it. */
export interface LogLine {
  readonly value: JsonObject;
  readonly text: string;
  /** Empty for a record that names none. */
  readonly type: string;
  readonly subtype?: string;
  readonly uuid?: string;
  readonly parentUuid?: string;
  readonly sessionId?: string;
  readonly agentId?: string;
  readonly isSidechain: boolean;
  readonly isMeta: boolean;
  /** ISO 8601 in UTC. */
  readonly time?: string;
  readonly zoneAssumed: boolean;
  readonly message?: JsonObject;
}

/** Undefined for a value that is no record at all. */
export function readLine(value: unknown, text: string): LogLine | undefined {
  if (!isObject(value)) return undefined;
  const message = isObject(value['message']) ? value['message'] : undefined;
  const time = normalTime(value['timestamp']);
  return {
    value,
    text,
    type: typeOf(value, message),
    subtype: textOf(value['subtype']),
    uuid: textOf(value['uuid']),
    parentUuid: textOf(value['parentUuid']),
    sessionId: textOf(value['sessionId']),
    agentId: textOf(value['agentId']),
    isSidechain: value['isSidechain'] === true,
    isMeta: value['isMeta'] === true,
    time: time?.iso,
    zoneAssumed: time?.zoneAssumed ?? false,
    message,
  };
}

/** Old logs have lines without a type; the role of their message tells it. */
function typeOf(value: JsonObject, message: JsonObject | undefined): string {
  const type = textOf(value['type']);
  if (type !== undefined) return type;
  const role = message?.['role'];
  return role === 'assistant' || role === 'user' ? role : '';
}

/** How the report counts the record: `system/api_error`, `attachment/file`, `user`. */
export function typeName(line: LogLine): string {
  const { type, value } = line;
  const data = isObject(value['data']) ? value['data'] : undefined;
  const attachment = isObject(value['attachment']) ? value['attachment'] : undefined;
  const detail =
    (type === 'system' ? line.subtype : undefined) ??
    (type === 'progress' ? textOf(data?.['type']) : undefined) ??
    (type === 'queue-operation' ? textOf(value['operation']) : undefined) ??
    (type === 'attachment' ? textOf(attachment?.['type']) : undefined);
  const name = type === '' ? 'untyped' : type;
  return (detail === undefined ? name : `${name}/${detail}`).slice(0, 100);
}

/** Blocks of a message; a plain text is one text block. */
export function blocksOf(message: JsonObject | undefined): readonly JsonObject[] {
  const content = message?.['content'];
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.filter(isObject) : [];
}

export interface RecordIdentity {
  /** Names the record in its session, wherever its file lies. */
  readonly key: string;
  readonly digest: string;
  /** The same record stands earlier in this file. */
  readonly isRepeated: boolean;
}

/**
 * Tells repeated records from others that only share an id. An assistant line is the same when its
 * message and blocks are: programs write some lines again with another version number.
 */
export class RecordIdentities {
  private readonly digests = new Map<string, Set<string>>();

  has(uuid: string): boolean {
    return this.digests.has(boundedKey(uuid));
  }

  identify(line: LogLine): RecordIdentity {
    const digest = essenceOf(line);
    const name = boundedKey(line.uuid ?? `${line.type === '' ? 'record' : line.type}:${digest}`);
    const seen = this.digests.get(name);
    if (seen === undefined) {
      this.digests.set(name, new Set([digest]));
      return { key: name, digest, isRepeated: false };
    }
    if (seen.has(digest)) return { key: name, digest, isRepeated: true };
    seen.add(digest);
    return { key: `${name}~${digest}`, digest, isRepeated: false };
  }
}

function essenceOf({ type, message, text }: LogLine): string {
  if (type !== 'assistant' || textOf(message?.['id']) === undefined) return digestOf(text);
  return digestOf(type, String(message!['id']), JSON.stringify(message!['content'] ?? null));
}
