import { FIXED_STRINGS } from '@holdfast/provider-rules';
import type { InputBlock, MediaBlock } from '../domain/content.js';
import {
  type AnswerPart,
  AnswerReader,
  type NamedCall,
  type OwnBlockKind,
} from './answer-parts.js';
import { isObject } from './history-record.js';
import type { AssistantItem, HistoryItem } from './history-items.js';
import {
  type JsonObject,
  type MediaContent,
  type RenderInput,
  type Rendered,
  argumentsObject,
  isBlank,
} from './render.js';
import { resultBlocks, sentMedia } from './sendable-media.js';

/**
 * `ModelMessage[]` of the Vercel AI SDK, version 6 (provider rules, §4.5). The system field is the
 * SDK's `system` option. The results of an answer are one tool message.
 */
export function renderAiSdk(input: RenderInput): Rendered {
  const writer = new AiSdkWriter(input);
  for (const item of input.items) writer.write(item);
  const { answers, messages } = writer;
  const { instructions } = input;
  const system = instructions === undefined || isBlank(instructions) ? undefined : instructions;
  return { system, messages, leftOut: answers.leftOut, repairs: answers.repairs };
}

class AiSdkWriter {
  readonly messages: JsonObject[] = [];
  readonly answers: AnswerReader;

  constructor(private readonly input: RenderInput) {
    this.answers = new AnswerReader(input, {
      format: 'ai-sdk',
      idRule: 'V4',
      kindOf,
      isCallBlock,
    });
  }

  write(item: HistoryItem): void {
    if (item.kind === 'assistant') return this.writeAnswer(item);
    const content =
      item.kind === 'context'
        ? [{ type: 'text', text: item.text }]
        : userContent(item.content, this.input);
    if (content.length > 0) this.messages.push({ role: 'user', content });
    else if (item.kind === 'user') {
      const { at, inputId } = item;
      const reason = 'the input has no text';
      this.answers.leftOut.push({ kind: 'blank_message', reason, at, inputId });
    }
  }

  private writeAnswer(item: AssistantItem): void {
    const answer = this.answers.read(item, this.messages.length);
    if (answer === undefined) return;
    this.messages.push({ role: 'assistant', content: answer.parts.map(partOf) });
    if (answer.calls.length === 0) return;
    const attached: JsonObject[] = [];
    const content = answer.calls.map((named) => toolResult(named, this.input, attached));
    this.messages.push({ role: 'tool', content });
    if (attached.length > 0) this.messages.push({ role: 'user', content: attached });
  }
}

function kindOf(block: JsonObject): OwnBlockKind | undefined {
  switch (block.type) {
    case 'text':
      return block.text === undefined ? 'fieldsOfNextText' : undefined;
    case 'reasoning':
      return typeof block.text === 'string' ? 'part' : undefined;
    case 'file':
      return typeof block.data === 'string' && typeof block.mediaType === 'string'
        ? 'part'
        : undefined;
    // What the provider itself ran, and its result, stand in the answer.
    case 'tool-call':
      return block.providerExecuted === true && namesCall(block) ? 'part' : undefined;
    case 'tool-result':
      return namesCall(block) && isObject(block.output) ? 'part' : undefined;
    default:
      return undefined;
  }
}

function namesCall(block: JsonObject): boolean {
  return typeof block.toolCallId === 'string' && typeof block.toolName === 'string';
}

function isCallBlock(block: JsonObject, { id, name }: NamedCall): boolean {
  const isCall = block.type === 'tool-call' && block.providerExecuted !== true;
  return isCall && block.toolCallId === id && block.toolName === name && isObject(block.input);
}

function partOf(part: AnswerPart): JsonObject {
  if (part.kind === 'own') return part.block;
  if (part.kind === 'text') return { ...part.own, type: 'text', text: part.text };
  if (part.own !== undefined) return part.own;
  const { call, id, name } = part.named;
  const input = argumentsObject(call, FIXED_STRINGS.invalidJson);
  return { type: 'tool-call', toolCallId: id, toolName: name, input };
}

/** An output is either marked as an error or has media; those of an error follow in `attached`. */
function toolResult(
  { call, id, name }: NamedCall,
  input: RenderInput,
  attached: JsonObject[],
): JsonObject {
  const { isError } = call.result;
  const parts = resultBlocks(call).map((block): JsonObject => {
    if (block.type === 'text') return { type: 'text', text: block.text };
    const { part, text } = sentMedia(block, input, isError ? file : outputFile);
    return part ?? { type: 'text', text };
  });
  const media = parts.filter(({ type }) => type !== 'text');
  const text = parts.flatMap((part) => (part.type === 'text' ? [part.text as string] : []));
  let output: JsonObject;
  if (isError) {
    attached.push(...media);
    output = { type: 'error-text', value: text.join('\n') };
  } else {
    output =
      media.length === 0
        ? { type: 'text', value: text.join('\n') }
        : { type: 'content', value: parts };
  }
  return { type: 'tool-result', toolCallId: id, toolName: name, output };
}

function userContent(blocks: readonly InputBlock[], input: RenderInput): JsonObject[] {
  return blocks.flatMap((block): JsonObject[] => {
    if (block.type === 'text') {
      return isBlank(block.text) ? [] : [{ type: 'text', text: block.text }];
    }
    const { part, text } = sentMedia(block, input, file);
    return [part ?? { type: 'text', text }];
  });
}

/** The SDK tells an address from base64 by itself. */
function file({ name }: MediaBlock, content: MediaContent): JsonObject {
  const data = 'base64' in content ? content.base64 : content.url;
  return { type: 'file', data, mediaType: content.mediaType, ...named(name) };
}

function outputFile({ type, name }: MediaBlock, content: MediaContent): JsonObject {
  const kind = type === 'image' ? 'image' : 'file';
  const { mediaType } = content;
  if ('url' in content) return { type: `${kind}-url`, url: content.url };
  const filename = kind === 'image' ? undefined : name;
  return { type: `${kind}-data`, data: content.base64, mediaType, ...named(filename) };
}

function named(filename: string | undefined): JsonObject {
  return filename === undefined ? {} : { filename };
}
