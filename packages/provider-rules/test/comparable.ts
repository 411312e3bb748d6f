import type { ProviderName } from '../src/index.js';

type Fields = Record<string, unknown>;

const ID_FIELDS = new Set(['tool_call_id', 'tool_use_id', 'call_id', 'toolCallId']);
const CALL_TYPES = new Set(['function', 'tool_use']);

/**
 * A history as the cases compare it: string content of Anthropic as one text block, and, if
 * `hasFreeIds`, call ids up to a one-to-one renaming.
 */
export function comparable(
  provider: ProviderName,
  history: unknown[],
  hasFreeIds: boolean,
): unknown {
  const plain = provider === 'anthropic' ? history.map(withBlocks) : history;
  return hasFreeIds ? renamed(plain, new Map()) : plain;
}

function withBlocks(message: unknown): unknown {
  const { content } = message as Fields;
  if (typeof content !== 'string') return message;
  return { ...(message as Fields), content: [{ type: 'text', text: content }] };
}

function renamed(value: unknown, names: Map<unknown, string>): unknown {
  if (Array.isArray(value)) return value.map((element) => renamed(element, names));
  if (typeof value !== 'object' || value === null) return value;
  const fields = value as Fields;
  return Object.fromEntries(
    Object.entries(fields).map(([key, field]) => {
      const isId = ID_FIELDS.has(key) || (key === 'id' && CALL_TYPES.has(String(fields.type)));
      return [key, isId ? nameOf(field, names) : renamed(field, names)];
    }),
  );
}

function nameOf(id: unknown, names: Map<unknown, string>): string {
  if (!names.has(id)) names.set(id, `id ${names.size}`);
  return names.get(id)!;
}
