import { isObject, textOf, withoutKeys, type JsonObject } from '../json.js';

export const ROLES = new Set<unknown>(['system', 'user', 'assistant', 'tool']);

export function isCall(part: unknown): part is JsonObject {
  return isObject(part) && part.type === 'tool-call';
}

export function isResult(part: unknown): part is JsonObject {
  return isObject(part) && part.type === 'tool-result';
}

export function callIdOf(part: JsonObject): string {
  const id = part.toolCallId;
  if (typeof id === 'string') return id;
  return typeof id === 'number' ? String(id) : '';
}

export function partsOf(message: JsonObject): readonly unknown[] {
  return Array.isArray(message.content) ? message.content : [];
}

/**
 * True for assistant content from which nothing is sent: the SDK filters empty text parts, and
 * Gemini then gets a content without parts.
 */
export function isEmptyContent(content: unknown): boolean {
  if (typeof content === 'string') return content === '';
  if (!Array.isArray(content)) return true;
  return content.every(
    (part) => isObject(part) && part.type === 'text' && part.text === '' && !part.providerOptions,
  );
}

const OUTPUT_CHECKS: Readonly<Record<string, (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string',
  json: (value) => value !== undefined,
  'error-text': (value) => typeof value === 'string',
  'error-json': (value) => value !== undefined,
  content: (value) => Array.isArray(value),
  'execution-denied': () => true,
};

/** V6: a typed object. */
export function isTypedOutput(output: unknown): boolean {
  if (!isObject(output)) return false;
  const type = textOf(output.type) ?? '';
  return Object.hasOwn(OUTPUT_CHECKS, type) && OUTPUT_CHECKS[type]!(output.value);
}

/** A result part whose output is typed; version 4 of the SDK kept the bare value in `result`. */
export function withTypedOutput(part: JsonObject): JsonObject {
  const raw = part.output === undefined ? part.result : part.output;
  const output =
    typeof raw === 'string' ? { type: 'text', value: raw } : { type: 'json', value: raw ?? null };
  return { ...withoutKeys(part, 'result'), output };
}
