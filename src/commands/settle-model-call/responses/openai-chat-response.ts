import type { GivenBlock } from '../../record-assistant-message/assistant-blocks.js';
import {
  type Fields,
  argumentsOf,
  fieldsOf,
  isFields,
  listOf,
  meaningful,
  textOf,
  toolCall,
} from './response-fields.js';

/** What is recorded otherwise, or what a request does not take. */
const OTHERWISE_RECORDED = [
  'role',
  'content',
  'tool_calls',
  'function_call',
  'refusal',
  'annotations',
  'audio',
];

/** Blocks of the first choice of a chat completion; undefined for another shape. */
export function chatBlocks(body: Fields): readonly GivenBlock[] | undefined {
  const choice = Array.isArray(body.choices) ? body.choices[0] : undefined;
  if (!isFields(choice) || !isFields(choice.message)) return undefined;
  const { message } = choice;
  const further = meaningful(
    Object.fromEntries(
      Object.entries(message).filter(([name]) => !OTHERWISE_RECORDED.includes(name)),
    ),
  );
  const own: GivenBlock[] =
    Object.keys(further).length === 0 ? [] : [{ type: 'provider', block: further }];
  return [...own, ...saidIn(message), ...listOf(message.tool_calls).map(callOf)];
}

function saidIn({ content, refusal }: Fields): GivenBlock[] {
  if (Array.isArray(content)) {
    return listOf(content).map((part) =>
      part.type === 'text' && typeof part.text === 'string'
        ? { type: 'text', text: part.text }
        : { type: 'provider', block: part },
    );
  }
  const text = textOf(content) || textOf(refusal);
  return text ? [{ type: 'text', text }] : [];
}

function callOf(call: Fields): GivenBlock {
  const called = fieldsOf(call.function);
  const name = textOf(called.name) ?? '';
  const read = argumentsOf(called.arguments ?? '{}');
  const plain = {
    id: call.id ?? null,
    type: 'function',
    function: { name, arguments: JSON.stringify(read.args ?? {}) },
  };
  const { index: _, ...block } = call;
  return toolCall({ tool: name, providerCallId: textOf(call.id), ...read }, block, plain);
}
