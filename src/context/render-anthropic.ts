import { FIXED_STRINGS } from '@holdfast/provider-rules';
import type { InputBlock, MediaBlock } from '../domain/content.js';
import {
  type AnswerPart,
  AnswerReader,
  type NamedCall,
  type OwnBlockKind,
} from './answer-parts.js';
import { isReasoning, isUnsignedThinking } from './content-guards.js';
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
 * Anthropic Messages: system beside the messages, results first in the next user message. What the
 * rules ask of a single message (ids, names, order of blocks) is done here already: a repair of a
 * turn may join it with what follows, and the bytes of what a model has read must not change.
 */
export function renderAnthropic(input: RenderInput): Rendered {
  const writer = new AnthropicWriter(input);
  const ends = input.items.map((item) => {
    writer.write(item);
    return writer.messages.length;
  });
  const { answers, messages } = writer;
  const { instructions } = input;
  const system = instructions === undefined || isBlank(instructions) ? undefined : instructions;
  return { system, messages, leftOut: answers.leftOut, repairs: answers.repairs, ends };
}

class AnthropicWriter {
  readonly messages: JsonObject[] = [];
  readonly answers: AnswerReader;

  constructor(private readonly input: RenderInput) {
    this.answers = new AnswerReader(input, {
      format: 'anthropic',
      idRule: 'A7',
      kindOf: (block) => kindOf(block, input.dropsReasoning),
      isCallBlock: ({ type, id, name }, named) =>
        type === 'tool_use' && id === named.id && name === named.name,
    });
  }

  write(item: HistoryItem): void {
    if (item.kind === 'assistant') return this.writeAnswer(item);
    const content =
      item.kind === 'context' ? textBlocks(item.text) : inputContent(item.content, this.input);
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
    const content = callsLast(withoutTrailingReasoning(answer.parts.map(blockOf)));
    this.messages.push({ role: 'assistant', content });
    if (answer.calls.length === 0) return;
    const results = answer.calls.map((named) => toolResult(named, this.input));
    this.messages.push({ role: 'user', content: results });
  }
}

const REPLAYED_ELSEWHERE = ['tool_use', 'tool_result'];

/** What goes back verbatim, unless it could only get the request refused. */
function kindOf(block: JsonObject, dropsReasoning: boolean): OwnBlockKind | undefined {
  const { type, text } = block;
  if (typeof type !== 'string' || REPLAYED_ELSEWHERE.includes(type)) return undefined;
  if (type === 'text' && text === undefined) return 'fieldsOfNextText';
  if (type === 'text' && (typeof text !== 'string' || isBlank(text))) return undefined;
  const isRefused = isUnsignedThinking(block) || (dropsReasoning && isReasoning(block));
  return isRefused ? undefined : 'part';
}

function blockOf(part: AnswerPart): JsonObject {
  if (part.kind === 'own') return part.block;
  if (part.kind === 'text') return { ...part.own, type: 'text', text: part.text };
  if (part.own !== undefined) return part.own;
  const { call, id, name } = part.named;
  return { type: 'tool_use', id, name, input: argumentsObject(call, FIXED_STRINGS.invalidJson) };
}

/** An answer that ends in thinking is refused (A17). */
function withoutTrailingReasoning(blocks: readonly JsonObject[]): readonly JsonObject[] {
  const last = blocks.findLastIndex((block) => !isReasoning(block));
  return blocks.slice(0, last + 1);
}

/** Calls stand last in each segment between thinking blocks (A4). */
function callsLast(blocks: readonly JsonObject[]): readonly JsonObject[] {
  const ordered: JsonObject[] = [];
  let calls: JsonObject[] = [];
  for (const block of blocks) {
    if (block.type === 'tool_use') {
      calls.push(block);
      continue;
    }
    if (isReasoning(block)) {
      ordered.push(...calls);
      calls = [];
    }
    ordered.push(block);
  }
  return [...ordered, ...calls];
}

function toolResult({ call, id }: NamedCall, input: RenderInput): JsonObject {
  const { isError } = call.result;
  const shown = inputContent(resultBlocks(call), input);
  return {
    type: 'tool_result',
    tool_use_id: id,
    ...(shown.length === 0 ? {} : { content: shown }),
    ...(isError ? { is_error: true } : {}),
  };
}

function inputContent(blocks: readonly InputBlock[], input: RenderInput): JsonObject[] {
  return blocks.flatMap((block): JsonObject[] => {
    if (block.type === 'text') return textBlocks(block.text);
    const { part, text } = sentMedia(block, input, media);
    return [part ?? { type: 'text', text }];
  });
}

function textBlocks(text: string): JsonObject[] {
  return isBlank(text) ? [] : [{ type: 'text', text }];
}

function media(block: MediaBlock, content: MediaContent): JsonObject {
  const source: JsonObject =
    'base64' in content
      ? { type: 'base64', media_type: content.mediaType, data: content.base64 }
      : { type: 'url', url: content.url };
  if (block.type === 'image') return { type: 'image', source };
  return { type: 'document', source, ...(block.name === undefined ? {} : { title: block.name }) };
}
