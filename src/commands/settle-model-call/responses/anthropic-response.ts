import type { Json } from '../../../domain/content.js';
import type { GivenBlock } from '../../record-assistant-message/assistant-blocks.js';
import {
  type Fields,
  argumentsOf,
  listOf,
  meaningful,
  textOf,
  textWithFields,
  toolCall,
} from './response-fields.js';

/** Blocks of a message of the Messages API; undefined for another shape. */
export function anthropicBlocks(body: Fields): readonly GivenBlock[] | undefined {
  if (!Array.isArray(body.content) || body.role !== 'assistant') return undefined;
  return listOf(body.content).flatMap(blockOf);
}

function blockOf(block: Fields): GivenBlock[] {
  if (block.type === 'text' && typeof block.text === 'string') {
    const { text, ...fields } = block;
    return textWithFields(text as string, meaningful(fields), ['type']);
  }
  if (block.type === 'tool_use' && typeof block.name === 'string') {
    const { id, name, input = {} } = block;
    const call = { tool: name as string, providerCallId: textOf(id), ...argumentsOf(input) };
    return [toolCall(call, block, { type: 'tool_use', id: id as Json, name, input })];
  }
  return [{ type: 'provider', block }];
}
