import type { GivenBlock } from '../../record-assistant-message/assistant-blocks.js';
import {
  type Fields,
  argumentsOf,
  listOf,
  textOf,
  textWithFields,
  toolCall,
} from './response-fields.js';

/** Blocks of the output items of a response; undefined for another shape. */
export function responsesBlocks(body: Fields): readonly GivenBlock[] | undefined {
  return Array.isArray(body.output) ? listOf(body.output).flatMap(blocksOf) : undefined;
}

function blocksOf(item: Fields): readonly GivenBlock[] {
  switch (item.type) {
    case 'message':
      return messageBlocks(item);
    case 'function_call': {
      const { id: _, status: __, ...block } = item;
      const name = textOf(item.name) ?? '';
      const read = argumentsOf(item.arguments ?? '{}');
      const written = JSON.stringify(read.args ?? {});
      const callId = item.call_id ?? null;
      const plain = { type: 'function_call', call_id: callId, name, arguments: written };
      return [
        toolCall({ tool: name, providerCallId: textOf(item.call_id), ...read }, block, plain),
      ];
    }
    case 'custom_tool_call': {
      const { id: _, status: __, ...block } = item;
      const args = { input: item.input ?? '' };
      const tool = textOf(item.name) ?? '';
      return [toolCall({ tool, providerCallId: textOf(item.call_id), args }, block)];
    }
    default:
      return [{ type: 'provider', block: item }];
  }
}

/** The phase of a message is sent back with it; ids, status and annotations are not. */
function messageBlocks({ phase, content }: Fields): GivenBlock[] {
  const fields: Fields =
    typeof phase === 'string' ? { type: 'message', phase } : { type: 'message' };
  return listOf(content).flatMap((part) => {
    const text = textOf(part.text) ?? textOf(part.refusal);
    return text === undefined ? [] : textWithFields(text, fields, ['type']);
  });
}
