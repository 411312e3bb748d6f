import { FIXED_STRINGS, type Repair, legalIds, shortenToolName } from '@holdfast/provider-rules';
import type { InputBlock, MediaBlock, ProviderBlock } from '../domain/content.js';
import { isReasoning, isUnsignedThinking, mediaName, providerObject } from './content-guards.js';
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

/**
 * Anthropic Messages: system beside the messages, results first in the next user message. What the
 * rules ask of a single message (ids, names, order of blocks) is done here already: a repair of a
 * turn may join it with what follows, and the bytes of what a model has read must not change.
 */
export function renderAnthropic(input: RenderInput): Rendered {
  const writer = new AnthropicWriter(input);
  for (const item of input.items) writer.write(item);
  const { messages, leftOut, repairs } = writer;
  const { instructions } = input;
  const system = instructions === undefined || isBlank(instructions) ? undefined : instructions;
  return { system, messages, leftOut, repairs };
}

class AnthropicWriter {
  readonly messages: JsonObject[] = [];
  readonly leftOut: LeftOut[] = [];
  readonly repairs: Repair[] = [];

  constructor(private readonly input: RenderInput) {}

  write(item: HistoryItem): void {
    if (item.kind === 'assistant') return this.writeAnswer(item);
    const content =
      item.kind === 'context' ? textBlocks(item.text) : inputContent(item.content, this.input);
    if (content.length > 0) this.messages.push({ role: 'user', content });
    else if (item.kind === 'user') {
      const { at, inputId } = item;
      this.leftOut.push({ kind: 'blank_message', reason: 'the input has no text', at, inputId });
    }
  }

  private writeAnswer(item: AssistantItem): void {
    const calls = this.namedCalls(callsOf(item));
    const content = callsLast(withoutTrailingReasoning(this.blocksOf(item, calls)));
    if (content.length === 0) {
      const { at, messageId } = item;
      const reason = 'the message has nothing that can be sent';
      this.leftOut.push({ kind: 'blank_message', reason, at, messageId });
      return;
    }
    this.messages.push({ role: 'assistant', content });
    if (calls.length === 0) return;
    const results = calls.map((call) => toolResult(call, this.input));
    this.messages.push({ role: 'user', content: results });
  }

  private blocksOf(item: AssistantItem, calls: readonly NamedCall[]): JsonObject[] {
    const replays = this.input.replays(item);
    const waiting = [...calls];
    return item.blocks.flatMap((block): JsonObject[] => {
      if (block.type === 'text') return textBlocks(block.text);
      if (block.type === 'call') return [toolUse(waiting.shift()!, replays)];
      const verbatim = replays ? replayed(block, this.input.dropsReasoning) : undefined;
      if (verbatim !== undefined) return [verbatim];
      const reason = 'only the provider and model that made this block can read it';
      const { at, messageId } = item;
      this.leftOut.push({ kind: 'provider_block', reason, at, messageId });
      return [];
    });
  }

  /** The calls of a message with ids and names that the provider takes. */
  private namedCalls(calls: readonly ShownCall[]): readonly NamedCall[] {
    const ids = legalIds('anthropic', calls.map(wireId));
    return calls.map((call, index): NamedCall => {
      const id = ids[index]!;
      const name = shortenToolName('anthropic', call.tool);
      const position = this.messages.length;
      if (id !== wireId(call)) {
        const reason = `call id "${wireId(call)}" is sent as "${id}"`;
        this.repairs.push({ rule: 'A7', position, action: 'rewrite_ids', reason });
      }
      if (name !== call.tool) {
        const reason = 'the name of the tool is longer than the provider allows';
        this.repairs.push({ rule: 'X2', position, action: 'shorten_name', reason });
      }
      return { call, id, name };
    });
  }
}

interface NamedCall {
  readonly call: ShownCall;
  readonly id: string;
  readonly name: string;
}

/** An answer that ends in thinking, or is nothing else, is refused (A17). */
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

const REPLAYED_ELSEWHERE = ['tool_use', 'tool_result'];

/** The block verbatim, unless it could only get the request refused. */
function replayed(block: ProviderBlock, dropsReasoning: boolean): JsonObject | undefined {
  const fields = providerObject(block.block);
  if (fields === undefined || typeof fields.type !== 'string') return undefined;
  if (REPLAYED_ELSEWHERE.includes(fields.type) || isUnsignedThinking(block.block)) return undefined;
  if (fields.type === 'text' && (typeof fields.text !== 'string' || isBlank(fields.text))) {
    return undefined;
  }
  return dropsReasoning && isReasoning(block.block) ? undefined : fields;
}

function toolUse({ call, id, name }: NamedCall, replays: boolean): JsonObject {
  const own = replays && call.block !== undefined ? providerObject(call.block) : undefined;
  if (own?.type === 'tool_use' && own.id === id && own.name === name) return own;
  return { type: 'tool_use', id, name, input: argumentsObject(call, FIXED_STRINGS.invalidJson) };
}

function toolResult({ call, id }: NamedCall, input: RenderInput): JsonObject {
  const { content, isError } = call.result;
  const blocks: InputBlock[] =
    typeof content === 'string' ? [{ type: 'text', text: content }] : [...content];
  const line = artifactLine(call);
  if (line !== undefined) blocks.push({ type: 'text', text: line });
  const shown = inputContent(blocks, input);
  return {
    type: 'tool_result',
    tool_use_id: id,
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
