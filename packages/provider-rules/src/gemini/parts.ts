import { isObject, textOf, type JsonObject } from '../json.js';
import { FIXED_STRINGS } from '../texts.js';

/** Fields that describe a part; a part needs one field beside them. */
const DESCRIBING_FIELDS = new Set([
  'thought',
  'thoughtSignature',
  'videoMetadata',
  'partMetadata',
  'mediaResolution',
]);

export type GeminiRole = 'user' | 'model';

/** A missing role counts as user, as the API documents; anything else unknown has no role. */
export function roleOf(content: JsonObject): GeminiRole | undefined {
  const { role } = content;
  if (role === undefined || role === null || role === 'user') return 'user';
  return role === 'model' ? 'model' : undefined;
}

export function callOf(part: unknown): JsonObject | undefined {
  return isObject(part) && isObject(part.functionCall) ? part.functionCall : undefined;
}

export function responseOf(part: unknown): JsonObject | undefined {
  if (!isObject(part) || callOf(part)) return undefined;
  return isObject(part.functionResponse) ? part.functionResponse : undefined;
}

/** True if the part has an initialized field of the right type (G6). */
export function hasField(part: unknown): part is JsonObject {
  if (!isObject(part)) return false;
  const { text, functionCall, functionResponse } = part;
  if (isSet(text) && typeof text !== 'string') return false;
  if (isSet(functionCall) && !isObject(functionCall)) return false;
  if (isSet(functionResponse) && !isObject(functionResponse)) return false;
  return Object.entries(part).some(
    ([name, value]) => isSet(value) && !DESCRIBING_FIELDS.has(name) && !name.startsWith('_'),
  );
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}

export function isEmptyText(part: JsonObject): boolean {
  return part.text === '' && !callOf(part) && !responseOf(part);
}

export function partsOf(content: JsonObject): readonly unknown[] {
  return Array.isArray(content.parts) ? content.parts : [];
}

/** Base64, plain or URL-safe; the sentinel passes too. */
export function hasSignature(part: JsonObject): boolean {
  const signature = textOf(part.thoughtSignature);
  return signature !== undefined && /^[A-Za-z0-9+/_-]+={0,2}$/.test(signature);
}

export function withSentinel(part: JsonObject): JsonObject {
  return { ...part, thoughtSignature: FIXED_STRINGS.skipThoughtSignature };
}

/** Index of the last user content with text, or -1: signatures are checked behind it only (G5). */
export function lastUserText(history: readonly unknown[]): number {
  return history.findLastIndex(
    (content) =>
      isObject(content) &&
      roleOf(content) === 'user' &&
      partsOf(content).some((part) => isObject(part) && !!textOf(part.text)),
  );
}

/** Index of the first call part of a content that must, but does not, carry a signature. */
export function unsignedCall(parts: readonly unknown[]): number {
  const first = parts.findIndex((part) => callOf(part) !== undefined);
  return first !== -1 && !hasSignature(parts[first] as JsonObject) ? first : -1;
}

/** An empty id is none. */
export function idOf(named: JsonObject): string | undefined {
  return textOf(named.id) || undefined;
}

/** True if the response stands for the call in its own position (G11). */
export function isResponseTo(response: JsonObject, call: JsonObject): boolean {
  const [given, wanted] = [idOf(response), idOf(call)];
  if (given !== undefined && wanted !== undefined && given !== wanted) return false;
  return textOf(call.name) === undefined || response.name === call.name;
}

/** A call is found by its id, and by its name where either side has no id. */
export function callKeys(call: JsonObject): string[] {
  const [id, name] = [idOf(call), textOf(call.name) ?? ''];
  const byName = `any call named ${name}`;
  return id === undefined ? [`call without id named ${name}`, byName] : [`id ${id}`, byName];
}

export function responseKeys(response: JsonObject): string[] {
  const [id, name] = [idOf(response), textOf(response.name) ?? ''];
  if (id === undefined) return [`any call named ${name}`];
  return [`id ${id}`, `call without id named ${name}`];
}
