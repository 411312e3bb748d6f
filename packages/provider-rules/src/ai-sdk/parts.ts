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

/** Calls of the last assistant message that the SDK itself will run or deny before it sends. */
export interface ApprovedCalls {
  /** Index of the assistant message, or -1. */
  readonly at: number;
  /** Of calls with one id, the n-th request belongs to the n-th call, the others to the last one. */
  has(id: string, ordinal: number): boolean;
}

/**
 * Calls whose approval is answered at the very end of the history. A made-up result would keep the
 * SDK from running an approved call; further up in the history nobody will run it any more.
 */
export function approvedAtEnd(history: readonly unknown[]): ApprovedCalls {
  const at = history.findLastIndex((message) => !isObject(message) || message.role !== 'tool');
  const last = history[at];
  const answered = new Set(
    history
      .slice(at + 1)
      .flatMap((message) => partsOf(message as JsonObject))
      .flatMap((part) =>
        isObject(part) && part.type === 'tool-approval-response' ? [part.approvalId] : [],
      ),
  );
  const isAssistant = isObject(last) && last.role === 'assistant';
  if (!isAssistant || answered.size === 0) return { at: -1, has: () => false };
  const called = counted(partsOf(last).filter(isCall));
  const seen = new Map<string, number>();
  const approved = new Set<string>();
  for (const part of partsOf(last)) {
    if (!isObject(part) || part.type !== 'tool-approval-request') continue;
    const id = callIdOf(part);
    const ordinal = seen.get(id) ?? 0;
    seen.set(id, ordinal + 1);
    const owner = Math.min(ordinal, (called.get(id) ?? 1) - 1);
    if (answered.has(part.approvalId)) approved.add(`${owner} ${id}`);
  }
  return { at, has: (id, ordinal) => approved.has(`${ordinal} ${id}`) };
}

function counted(calls: readonly JsonObject[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const id of calls.map(callIdOf)) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}
