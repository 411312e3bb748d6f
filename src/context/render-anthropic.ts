import { FIXED_STRINGS } from '@holdfast/provider-rules';
import type { InputBlock, MediaBlock, ProviderBlock } from '../domain/content.js';
import {
  isReasoning,
  isUnsignedThinking,
  mediaName,
  providerObject,
} from './content-guards.js';
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

/** Anthropic Messages: system beside the messages, results first in the next user message. */
export function renderAnthropic(input: RenderInput): Rendered {
  const leftOut: LeftOut[] = [];
  const messages = input.items.flatMap((item) => messagesOf(item, input, leftOut));
  const { instructions } = input;
  const system = instructions === undefined || isBlank(instructions) ? undefined : instructions;
  return { system, messages, leftOut };
}

function messagesOf(item: HistoryItem, input: RenderInput, leftOut: LeftOut[]): JsonObject[] {
  switch (item.kind) {
    case 'context':
      return [{ role: 'user', content: [{ type: 'text', text: item.text }] }];
    case 'user': {
      const content = inputContent(item.content, input);
      if (content.length > 0) return [{ role: 'user', content }];
      leftOut.push({ kind: 'blank_message', reason: 'no text', at: item.at, inputId: item.inputId });
      return [];
    }
    case 'assistant':
      return assistantMessages(item, input, leftOut);
  }
}

function assistantMessages(
  item: AssistantItem,
  input: RenderInput,
  leftOut: LeftOut[],
): JsonObject[] {
  const replays = input.replays(item);
  const content = item.blocks.flatMap((block): JsonObject[] => {
    if (block.type === 'text') return textBlocks(block.text);
    if (block.type === 'call') return [toolUse(block.call, replays)];
    const verbatim = replays ? replayed(block, input.dropsReasoning) : undefined;
    if (verbatim !== undefined) return [verbatim];
    const reason = 'only the provider and model that made this block can read it';
    leftOut.push({ kind: 'provider_block', reason, at: item.at, messageId: item.messageId });
    return [];
  });
  const calls = callsOf(item);
  if (content.length === 0) {
    leftOut.push({ kind: 'blank_message', reason: 'no text', at: item.at });
    return [];
  }
  const answer: JsonObject = { role: 'assistant', content };
  if (calls.length === 0) return [answer];
  return [answer, { role: 'user', content: calls.map((call) => toolResult(call, input)) }];
}

const REPLAYED_ELSEWHERE = ['tool_use', 'tool_result'];

/** The block verbatim, unless it could only get the request refused. */
function replayed(block: ProviderBlock, dropsReasoning: boolean): JsonObject | undefined {
  const fields = providerObject(block.block);
  if (fields === undefined || typeof fields.type !== 'string') return undefined;
  if (REPLAYED_ELSEWHERE.includes(fields.type) || isUnsignedThinking(block.block)) return undefined;
  return dropsReasoning && isReasoning(block.block) ? undefined : fields;
}

function toolUse(call: ShownCall, replays: boolean): JsonObject {
  const own = replays && call.block !== undefined ? providerObject(call.block) : undefined;
  if (own?.type === 'tool_use' && own.id === wireId(call) && own.name === call.tool) return own;
  const input = argumentsObject(call, FIXED_STRINGS.invalidJson);
  return { type: 'tool_use', id: wireId(call), name: call.tool, input };
}

function toolResult(call: ShownCall, input: RenderInput): JsonObject {
  const { content, isError } = call.result;
  const blocks: InputBlock[] =
    typeof content === 'string' ? [{ type: 'text', text: content }] : [...content];
  const line = artifactLine(call);
  if (line !== undefined) blocks.push({ type: 'text', text: line });
  const shown = inputContent(blocks, input);
  return {
    type: 'tool_result',
    tool_use_id: wireId(call),
    ...(shown.length === 0 ? {} : { content: shown }),
    ...(isError ? { is_error: true } : {}),
  };
}

function inputContent(blocks: readonly InputBlock[], input: RenderInput): JsonObject[] {
  return blocks.flatMap((block) =>
    block.type === 'text' ? textBlocks(block.text) : [media(block, input)],
  );
}

function textBlocks(text: string): JsonObject[] {
  return isBlank(text) ? [] : [{ type: 'text', text }];
}

const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];

function media(block: MediaBlock, input: RenderInput): JsonObject {
  const content = mediaContent(block, input.artifacts);
  const fits =
    block.type === 'image'
      ? IMAGE_TYPES.includes(content?.mediaType ?? '')
      : content?.mediaType === 'application/pdf';
  if (content === undefined || !fits) return { type: 'text', text: mediaName(block) };
  const source: JsonObject =
    'base64' in content
      ? { type: 'base64', media_type: content.mediaType, data: content.base64 }
      : { type: 'url', url: content.url };
  if (block.type === 'image') return { type: 'image', source };
  return { type: 'document', source, ...(block.name === undefined ? {} : { title: block.name }) };
}
