import type { Json } from '../../../domain/content.js';
import type { GivenBlock } from '../../record-assistant-message/assistant-blocks.js';
import {
  type Fields,
  argumentsOf,
  fieldsOf,
  isFields,
  listOf,
  meaningful,
  textOf,
  textWithFields,
  toolCall,
} from './response-fields.js';

/**
 * Blocks of an AI message of LangChain: stored (`{type: "ai", data}`) or serialised
 * (`{type: "constructor", kwargs}`). Undefined for another shape.
 */
export function langChainBlocks(body: Fields): readonly GivenBlock[] | undefined {
  const message = messageOf(body);
  if (message === undefined) return undefined;
  const calls = listOf(message.tool_calls);
  const unplaced = [...calls];
  const said = contentParts(message.content).flatMap((part): GivenBlock[] => {
    if (part.type === 'tool_use' || part.type === 'tool_call') {
      const place = unplaced.findIndex(({ id }) => id === part.id);
      return place === -1 ? [] : [callOf(unplaced.splice(place, 1)[0]!, part)];
    }
    return blockOf(part);
  });
  const invalid = listOf(message.invalid_tool_calls);
  return [
    ...fieldsBlock(message),
    ...said,
    ...unplaced.map((call) => callOf(call)),
    ...invalid.map((call) => callOf(call)),
  ];
}

function messageOf(body: Fields): Fields | undefined {
  if (body.type === 'ai' && isFields(body.data)) return body.data;
  const names = Array.isArray(body.id) ? (body.id as readonly Json[]) : [];
  const isMessage = names.at(-1) === 'AIMessage' || names.at(-1) === 'AIMessageChunk';
  return body.type === 'constructor' && isMessage && isFields(body.kwargs)
    ? body.kwargs
    : undefined;
}

function contentParts(content: Json | undefined): readonly Fields[] {
  if (typeof content !== 'string') return listOf(content);
  return content === '' ? [] : [{ type: 'text', text: content }];
}

function blockOf(part: Fields): GivenBlock[] {
  if (part.type === 'input_json_delta') return [];
  if (part.type !== 'text' || typeof part.text !== 'string') {
    return [{ type: 'provider', block: part }];
  }
  const { text, ...fields } = part;
  return textWithFields(text as string, meaningful(fields), ['type', 'index']);
}

/** `args` of a call that could not be parsed are the model's own text. */
function callOf(call: Fields, block?: Fields): GivenBlock {
  const { name, id, args = {} } = call;
  const read = argumentsOf(args);
  return toolCall({ tool: textOf(name) ?? '', providerCallId: textOf(id), ...read }, block);
}

/** Signatures and raw items of the provider; usage, model and calls are recorded otherwise. */
function fieldsBlock({ additional_kwargs, response_metadata }: Fields): GivenBlock[] {
  const { tool_calls: _, function_call: __, ...kwargs } = fieldsOf(additional_kwargs);
  const { output, output_version, model_provider } = fieldsOf(response_metadata);
  const own = meaningful({ output: output ?? null, output_version: output_version ?? null });
  const metadata = Object.keys(own).length === 0 ? {} : { ...own, ...named(model_provider) };
  const block = meaningful({ additional_kwargs: meaningful(kwargs), response_metadata: metadata });
  return Object.keys(block).length === 0 ? [] : [{ type: 'provider', block }];
}

function named(model_provider: Json | undefined): Fields {
  return model_provider === undefined ? {} : { model_provider };
}
