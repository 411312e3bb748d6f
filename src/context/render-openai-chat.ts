import { FIXED_STRINGS } from '@holdfast/provider-rules';
import type { InputBlock, MediaBlock } from '../domain/content.js';
import { mediaName, providerObject } from './content-guards.js';
import type { LeftOut } from './context-source.js';
import { type AssistantItem, type HistoryItem, type ShownCall, callsOf } from './history-items.js';
import {
  type JsonObject,
  type RenderInput,
  type Rendered,
  argumentsObject,
  artifactLine,
  isBlank,
  mediaContent,
  wireId,
} from './render.js';

/** OpenAI Chat Completions: the instructions are the first message, each result is a message. */
export function renderOpenAiChat(input: RenderInput): Rendered {
  const leftOut: LeftOut[] = [];
  const { instructions } = input;
  const system: JsonObject[] =
    instructions === undefined || isBlank(instructions)
      ? []
      : [{ role: 'system', content: instructions }];
  const messages = input.items.flatMap((item) => messagesOf(item, input, leftOut));
  return { messages: [...system, ...messages], leftOut, repairs: [] };
}

function messagesOf(item: HistoryItem, input: RenderInput, leftOut: LeftOut[]): JsonObject[] {
  switch (item.kind) {
    case 'context':
      return [{ role: 'user', content: item.text }];
    case 'user':
      return [{ role: 'user', content: userContent(item.content, input) }];
    case 'assistant':
      return assistantMessages(item, input, leftOut);
  }
}

function userContent(blocks: readonly InputBlock[], input: RenderInput): string | JsonObject[] {
  if (blocks.length === 0) return '';
  if (blocks.length === 1 && blocks[0]!.type === 'text') return blocks[0]!.text;
  return blocks.map((block) =>
    block.type === 'text' ? { type: 'text', text: block.text } : media(block, input),
  );
}

function assistantMessages(
  item: AssistantItem,
  input: RenderInput,
  leftOut: LeftOut[],
): JsonObject[] {
  const replays = input.replays(item);
  const fields: Record<string, JsonObject[string]> = {};
  const parts: JsonObject[] = [];
  for (const block of item.blocks) {
    if (block.type === 'text' && !isBlank(block.text)) {
      parts.push({ type: 'text', text: block.text });
    }
    if (block.type !== 'provider') continue;
    const own = replays ? messageFields(providerObject(block.block)) : undefined;
    if (own !== undefined) {
      Object.assign(fields, own);
      continue;
    }
    const reason = 'only the provider and model that made this block can read it';
    leftOut.push({ kind: 'provider_block', reason, at: item.at, messageId: item.messageId });
  }
  const calls = callsOf(item);
  if (parts.length === 0 && calls.length === 0) {
    leftOut.push({ kind: 'blank_message', reason: 'no text', at: item.at });
    return [];
  }
  const answer: JsonObject = {
    ...fields,
    role: 'assistant',
    content: textContent(parts),
    ...(calls.length === 0 ? {} : { tool_calls: calls.map((call) => toolCall(call, replays)) }),
  };
  return [answer, ...results(calls, input)];
}

function textContent(parts: readonly JsonObject[]): JsonObject[string] {
  if (parts.length === 0) return null;
  return parts.length === 1 ? parts[0]!.text! : parts;
}

const OWN_FIELDS = ['role', 'content', 'tool_calls', 'tool_call_id', 'function_call', 'name'];

/**
 * A provider's block of this format is a set of further fields of the message, such as
 * `{reasoning_content}` or `{reasoning_details}`; a typed block belongs to another format.
 */
function messageFields(block: JsonObject | undefined): JsonObject | undefined {
  if (block === undefined || 'type' in block) return undefined;
  return OWN_FIELDS.some((name) => name in block) ? undefined : block;
}

function toolCall(call: ShownCall, replays: boolean): JsonObject {
  const own = replays && call.block !== undefined ? providerObject(call.block) : undefined;
  if (own?.type === 'function' && own.id === wireId(call)) return own;
  const args = JSON.stringify(argumentsObject(call, FIXED_STRINGS.invalidJson));
  return { id: wireId(call), type: 'function', function: { name: call.tool, arguments: args } };
}

/** One message per call, in their order; media follow in a user message, as only text may stand here. */
function results(calls: readonly ShownCall[], input: RenderInput): JsonObject[] {
  const attached: JsonObject[] = [];
  const messages = calls.map((call): JsonObject => {
    const { content } = call.result;
    const blocks =
      typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;
    const texts: string[] = [];
    let hasMedia = false;
    for (const block of blocks) {
      if (block.type === 'text') {
        texts.push(block.text);
        continue;
      }
      const shown = media(block, input);
      if (typeof shown.text === 'string') texts.push(shown.text);
      else attached.push(shown);
      hasMedia ||= shown.type !== 'text';
    }
    const line = artifactLine(call);
    if (line !== undefined) texts.push(line);
    const isEmpty = texts.length === 0 && hasMedia;
    const text = isEmpty ? FIXED_STRINGS.seeAttachedContent : texts.join('\n');
    return { role: 'tool', tool_call_id: wireId(call), content: text };
  });
  return attached.length === 0 ? messages : [...messages, { role: 'user', content: attached }];
}

function media(block: MediaBlock, input: RenderInput): JsonObject {
  const content = mediaContent(block, input.artifacts);
  const name: JsonObject = { type: 'text', text: mediaName(block) };
  if (content === undefined) return name;
  if (block.type === 'image') {
    const url =
      'base64' in content ? `data:${content.mediaType};base64,${content.base64}` : content.url;
    return { type: 'image_url', image_url: { url } };
  }
  // Documents are taken by value only.
  if (!('base64' in content) || content.mediaType !== 'application/pdf') return name;
  return {
    type: 'file',
    file: {
      filename: block.name ?? 'document.pdf',
      file_data: `data:${content.mediaType};base64,${content.base64}`,
    },
  };
}
