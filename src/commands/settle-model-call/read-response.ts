import type { Json } from '../../domain/content.js';
import { jsonFault } from '../dto/json-value.js';
import type { GivenBlock } from '../record-assistant-message/assistant-blocks.js';

/** What an assistant said, read from a provider's response body. */
export interface ReadResponse {
  readonly api: 'openai-chat' | 'openai-responses' | 'anthropic';
  readonly blocks: readonly GivenBlock[];
}

type Fields = { readonly [key: string]: Json };

/**
 * Anthropic Messages, OpenAI Chat and OpenAI Responses. Answers undefined for another shape:
 * then the message has to come as neutral blocks.
 */
export function readResponse(body: Json): ReadResponse | undefined {
  if (!isFields(body)) return undefined;
  if (Array.isArray(body.content) && body.role === 'assistant') {
    return { api: 'anthropic', blocks: listOf(body.content).map(anthropicBlock) };
  }
  const choice = Array.isArray(body.choices) ? body.choices[0] : undefined;
  if (isFields(choice) && isFields(choice.message)) {
    return { api: 'openai-chat', blocks: chatBlocks(choice.message) };
  }
  if (Array.isArray(body.output)) {
    return { api: 'openai-responses', blocks: listOf(body.output).flatMap(responsesBlocks) };
  }
  return undefined;
}

function anthropicBlock(block: Fields): GivenBlock {
  if (block.type === 'text' && typeof block.text === 'string' && block.citations === undefined) {
    return { type: 'text', text: block.text };
  }
  if (block.type === 'tool_use' && typeof block.name === 'string') {
    return {
      type: 'toolCall',
      tool: block.name,
      providerCallId: textOf(block.id),
      ...argumentsOf(block.input ?? {}),
    };
  }
  return { type: 'provider', block };
}

function chatBlocks(message: Fields): readonly GivenBlock[] {
  const text = textOf(message.content);
  const said: GivenBlock[] = text ? [{ type: 'text', text }] : [];
  const calls = listOf(message.tool_calls).map((call): GivenBlock => {
    const called = isFields(call.function) ? call.function : {};
    return {
      type: 'toolCall',
      tool: textOf(called.name) ?? '',
      providerCallId: textOf(call.id),
      ...argumentsOf(called.arguments ?? '{}'),
    };
  });
  return [...said, ...calls];
}

function responsesBlocks(item: Fields): readonly GivenBlock[] {
  if (item.type === 'message') {
    return listOf(item.content).flatMap((part) =>
      typeof part.text === 'string' ? [{ type: 'text' as const, text: part.text }] : [],
    );
  }
  if (item.type === 'function_call') {
    return [
      {
        type: 'toolCall',
        tool: textOf(item.name) ?? '',
        providerCallId: textOf(item.call_id),
        ...argumentsOf(item.arguments ?? '{}'),
      },
    ];
  }
  return [{ type: 'provider', block: item }];
}

/** Arguments as an object; the model's own text when it is none that is stored here. */
function argumentsOf(given: Json): { readonly args: Json } | { readonly argsText: string } {
  if (isFields(given)) return { args: given };
  const text = typeof given === 'string' ? given : JSON.stringify(given);
  try {
    const parsed = JSON.parse(text) as Json;
    return isFields(parsed) && jsonFault(parsed) === undefined
      ? { args: parsed }
      : { argsText: text };
  } catch {
    return { argsText: text };
  }
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function listOf(value: Json | undefined): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isFields) : [];
}

function isFields(value: Json | undefined): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
