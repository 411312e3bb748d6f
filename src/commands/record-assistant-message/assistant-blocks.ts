import type { AssistantBlock, Json } from '../../domain/content.js';
import { jsonFault } from '../dto/json-value.js';

/** A tool call as the sender gives it, in its place among the message's blocks. */
export interface GivenToolCall {
  readonly type: 'toolCall';
  readonly tool: string;
  readonly providerCallId?: string;
  readonly args?: Json;
  /** The model's text, when it is not a JSON object. */
  readonly argsText?: string;
  /** The provider's own block, to be replayed verbatim. */
  readonly block?: Json;
}

export type GivenBlock = Exclude<AssistantBlock, { type: 'toolCall' }> | GivenToolCall;

const BLOCKS_MAX = 512;
const KEYS: Readonly<Record<string, readonly string[]>> = {
  text: ['type', 'text'],
  provider: ['type', 'block'],
  toolCall: ['type', 'tool', 'providerCallId', 'args', 'argsText', 'block'],
};

/** What is wrong with the blocks of an assistant message; undefined when they are right. */
export function assistantBlocksFault(value: unknown): string | undefined {
  if (!Array.isArray(value)) return 'must be a list of text, toolCall and provider blocks';
  if (value.length > BLOCKS_MAX) return `must have at most ${BLOCKS_MAX} blocks`;
  for (const [index, block] of value.entries()) {
    const fault = blockFault(block);
    if (fault !== undefined) return `block ${index} ${fault}`;
  }
  return undefined;
}

function blockFault(block: unknown): string | undefined {
  if (typeof block !== 'object' || block === null) return 'must be an object';
  const { type, text, tool } = block as Record<string, unknown>;
  const keys = typeof type === 'string' && Object.hasOwn(KEYS, type) ? KEYS[type] : undefined;
  if (keys === undefined) return 'must have the type text, toolCall or provider';
  const unknown = Object.keys(block).find((key) => !keys.includes(key));
  if (unknown !== undefined) return `has an unknown key "${unknown}"`;
  if (type === 'text' && typeof text !== 'string') return 'needs a "text"';
  if (type === 'provider' && !('block' in block)) return 'needs a "block"';
  if (type === 'toolCall') return toolCallFault(block as Record<string, unknown>, tool);
  return jsonFault(block);
}

function toolCallFault(block: Record<string, unknown>, tool: unknown): string | undefined {
  if (typeof tool !== 'string' || tool.length === 0) return 'needs the name of a "tool"';
  const { providerCallId, args, argsText } = block;
  if (providerCallId !== undefined && typeof providerCallId !== 'string') {
    return '"providerCallId" must be a text';
  }
  if (argsText !== undefined && typeof argsText !== 'string') return '"argsText" must be a text';
  if (args !== undefined && argsText !== undefined) {
    return 'has "args" and "argsText"; give the text only when it is not a JSON object';
  }
  return jsonFault(block);
}
