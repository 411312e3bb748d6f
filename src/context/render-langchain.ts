import { FIXED_STRINGS } from '@holdfast/provider-rules';
import type { InputBlock, MediaBlock } from '../domain/content.js';
import { type Answer, AnswerReader, type NamedCall, type OwnBlockKind } from './answer-parts.js';
import type { AssistantItem, HistoryItem } from './history-items.js';
import {
  type JsonObject,
  type MediaContent,
  type RenderInput,
  type Rendered,
  argumentsObject,
  isBlank,
} from './render.js';
import { dataUrl, sentMedia, textAndMedia } from './sendable-media.js';

/**
 * LangChain's stored messages, for `mapStoredMessagesToChatMessages` (provider rules, §4.6). The
 * instructions are the first message, each result is a message, media of results follow as human.
 */
export function renderLangChain(input: RenderInput): Rendered {
  const writer = new LangChainWriter(input);
  for (const item of input.items) writer.write(item);
  const { answers, messages } = writer;
  return { messages, leftOut: answers.leftOut, repairs: answers.repairs };
}

class LangChainWriter {
  readonly messages: JsonObject[] = [];
  readonly answers: AnswerReader;

  constructor(private readonly input: RenderInput) {
    this.answers = new AnswerReader(input, {
      format: 'langchain',
      idRule: 'L4',
      kindOf,
      isCallBlock,
    });
    const { instructions } = input;
    if (instructions === undefined || isBlank(instructions)) return;
    this.messages.push({ type: 'system', data: { content: instructions } });
  }

  write(item: HistoryItem): void {
    if (item.kind === 'assistant') return this.writeAnswer(item);
    const content = item.kind === 'context' ? item.text : humanContent(item.content, this.input);
    if (content.length > 0) this.messages.push({ type: 'human', data: { content } });
    else if (item.kind === 'user') {
      const { at, inputId } = item;
      const reason = 'the input has no text';
      this.answers.leftOut.push({ kind: 'blank_message', reason, at, inputId });
    }
  }

  private writeAnswer(item: AssistantItem): void {
    const answer = this.answers.read(item, this.messages.length);
    if (answer === undefined) return;
    const { calls, fields } = answer;
    const toolCalls = calls.map(toolCall);
    const data = {
      ...fields,
      content: answerContent(answer),
      ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls }),
    };
    this.messages.push({ type: 'ai', data });
    const attached: JsonObject[] = [];
    for (const { call, id, name } of calls) {
      const result = textAndMedia(call, this.input, media);
      attached.push(...result.attached);
      const isEmpty = result.text === '' && result.attached.length > 0;
      const content = isEmpty ? FIXED_STRINGS.seeAttachedContent : result.text;
      const status = call.result.isError ? 'error' : 'success';
      this.messages.push({ type: 'tool', data: { content, tool_call_id: id, name, status } });
    }
    if (attached.length > 0) this.messages.push({ type: 'human', data: { content: attached } });
  }
}

const MESSAGE_FIELDS = ['additional_kwargs', 'response_metadata'];
/** Written from what Holdfast knows: a block that says otherwise would bring in a second call. */
const WRITTEN_TYPES = ['text', 'tool_use', 'tool_call', 'tool_result', 'input_json_delta'];

function kindOf(block: JsonObject): OwnBlockKind | undefined {
  const { type } = block;
  if (type === 'text') return block.text === undefined ? 'fieldsOfNextText' : undefined;
  if (typeof type === 'string') return WRITTEN_TYPES.includes(type) ? undefined : 'part';
  const names = Object.keys(block);
  const isFields = names.length > 0 && names.every((name) => MESSAGE_FIELDS.includes(name));
  return isFields ? 'fieldsOfMessage' : undefined;
}

function isCallBlock(block: JsonObject, { id, name }: NamedCall): boolean {
  const isCall = block.type === 'tool_use' || block.type === 'tool_call';
  return isCall && block.id === id && block.name === name;
}

/**
 * One text, unless the provider's own blocks are in it: adapters take the calls from `tool_calls`
 * only where the content is a text, and from the content where that is a list.
 */
function answerContent({ parts }: Answer): JsonObject[string] {
  const isList = parts.some((part) => part.kind === 'own' || part.own !== undefined);
  if (!isList) {
    return parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n');
  }
  const isAnthropic = parts.some((part) => part.kind === 'own' && isThinking(part.block));
  return parts.flatMap((part): JsonObject[] => {
    if (part.kind === 'own') return [part.block];
    if (part.kind === 'text') return [{ ...part.own, type: 'text', text: part.text }];
    if (part.own !== undefined) return [part.own];
    return isAnthropic ? [toolUse(part.named)] : [];
  });
}

function isThinking({ type }: JsonObject): boolean {
  return type === 'thinking' || type === 'redacted_thinking';
}

function toolUse({ call, id, name }: NamedCall): JsonObject {
  return { type: 'tool_use', id, name, input: argumentsObject(call, FIXED_STRINGS.invalidJson) };
}

function toolCall({ call, id, name }: NamedCall): JsonObject {
  const args = argumentsObject(call, FIXED_STRINGS.invalidJson);
  return { name, args, id, type: 'tool_call' };
}

function humanContent(blocks: readonly InputBlock[], input: RenderInput): string | JsonObject[] {
  const parts = blocks.flatMap((block): JsonObject[] => {
    if (block.type === 'text') {
      return isBlank(block.text) ? [] : [{ type: 'text', text: block.text }];
    }
    const { part, text } = sentMedia(block, input, media);
    return [part ?? { type: 'text', text }];
  });
  return parts.length === 1 && parts[0]!.type === 'text' ? (parts[0]!.text as string) : parts;
}

function media(block: MediaBlock, content: MediaContent): JsonObject {
  if (block.type === 'image') return { type: 'image_url', image_url: { url: dataUrl(content) } };
  const named = { mime_type: content.mediaType, metadata: { filename: block.name ?? 'document' } };
  return 'base64' in content
    ? { type: 'file', source_type: 'base64', data: content.base64, ...named }
    : { type: 'file', source_type: 'url', url: content.url, ...named };
}
