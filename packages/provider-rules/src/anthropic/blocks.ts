import { isBlank, isObject, textOf, type JsonObject } from '../json.js';
import type { AnthropicOptions } from '../options.js';

export type Role = 'user' | 'assistant' | 'system';

export function roleOf(message: unknown, options: AnthropicOptions): Role | undefined {
  if (!isObject(message)) return undefined;
  if (message.role === 'user' || message.role === 'assistant') return message.role;
  return message.role === 'system' && options.midSystem ? 'system' : undefined;
}

/** Content as blocks: a string is one text block. */
export function blocksOf(message: JsonObject): readonly unknown[] {
  const { content } = message;
  if (Array.isArray(content)) return content;
  return typeof content === 'string' && content !== '' ? [{ type: 'text', text: content }] : [];
}

export function isBlock(block: unknown): block is JsonObject {
  return isObject(block) && typeof block.type === 'string';
}

export function isText(block: unknown): block is JsonObject {
  return isObject(block) && block.type === 'text';
}

export function isBlankText(block: unknown): boolean {
  return isText(block) && isBlank(textOf(block.text) ?? '');
}

export function isThinking(block: unknown): block is JsonObject {
  return isObject(block) && (block.type === 'thinking' || block.type === 'redacted_thinking');
}

export function isToolUse(block: unknown): block is JsonObject {
  return isObject(block) && block.type === 'tool_use';
}

export function isToolResult(block: unknown): block is JsonObject {
  return isObject(block) && block.type === 'tool_result';
}

export function isServerToolUse(block: unknown): block is JsonObject {
  return isObject(block) && (block.type === 'server_tool_use' || block.type === 'mcp_tool_use');
}

export function isServerToolResult(block: unknown): block is JsonObject {
  // The client's own `tool_result` has no prefix.
  return isObject(block) && typeof block.type === 'string' && block.type.endsWith('_tool_result');
}

/**
 * A14 as far as a history shows it: signed, and of the model of this request. Empty but signed
 * thinking is real.
 */
export function isThinkingIntact(block: JsonObject, options: AnthropicOptions): boolean {
  if (block.type === 'redacted_thinking' && !textOf(block.data)) return false;
  const isSigned = typeof block.thinking === 'string' && !!textOf(block.signature);
  if (block.type === 'thinking' && !isSigned) return false;
  const madeBy = textOf(block._model);
  return options.model === undefined || madeBy === undefined || madeBy === options.model;
}

/** A26: calls and thinking are the assistant's, results are the user's. */
export function isInWrongRole(block: JsonObject, role: Role): boolean {
  if (isToolUse(block) || isThinking(block)) return role !== 'assistant';
  return isToolResult(block) && role !== 'user';
}

export function idOf(id: unknown): string {
  if (typeof id === 'string') return id;
  return typeof id === 'number' ? String(id) : '';
}

export function hasMark(block: JsonObject): boolean {
  return block.cache_control !== undefined && block.cache_control !== null;
}

/** A21: blocks that may carry a cache mark. */
export function mayCarryMark(block: JsonObject): boolean {
  return !isThinking(block) && !isBlankText(block);
}

/** A12: a paused turn ends in a block of a server tool and goes back as it is. */
export function endsPaused(blocks: readonly unknown[]): boolean {
  const last = blocks.at(-1);
  return isServerToolUse(last) || isServerToolResult(last) || isToolUse(last);
}

/** A9 exempts an optional final assistant message; with `prefill: false` there is none. */
export function mayBeEmpty(
  history: readonly unknown[],
  at: number,
  options: AnthropicOptions,
): boolean {
  const message = history[at];
  if (!isObject(message) || message.role !== 'assistant') return false;
  const isContent = message.content === '' || Array.isArray(message.content);
  return isContent && at === history.length - 1 && options.prefill !== false;
}

/**
 * Stable order inside each segment between thinking blocks: `tool_use` last (A4).
 * `typeOf` tells the block of an entry.
 */
export function withToolUseLast<T>(entries: readonly T[], blockOf: (entry: T) => unknown): T[] {
  const ordered: T[] = [];
  let calls: T[] = [];
  for (const entry of entries) {
    const block = blockOf(entry);
    if (isToolUse(block)) {
      calls.push(entry);
    } else if (isThinking(block)) {
      ordered.push(...calls, entry);
      calls = [];
    } else {
      ordered.push(entry);
    }
  }
  return [...ordered, ...calls];
}
