import { FIXED_STRINGS, legalIds } from '@holdfast/provider-rules';
import type { InputBlock, MediaBlock } from '../domain/content.js';
import {
  type AnswerPart,
  AnswerReader,
  type NamedCall,
  type OwnBlockKind,
} from './answer-parts.js';
import { isReasoning } from './content-guards.js';
import type { AssistantItem, HistoryItem } from './history-items.js';
import {
  type JsonObject,
  type MediaContent,
  type RenderInput,
  type Rendered,
  argumentsObject,
  isBlank,
} from './render.js';
import { dataUrl, resultBlocks, sentMedia } from './sendable-media.js';

/**
 * OpenAI Responses, `input` items in stateless mode: the request says `store: false` and
 * `include: ["reasoning.encrypted_content"]`, and no item carries an id of the server, so that no
 * item can be missed there (provider rules, §4.2). The system field is `instructions`.
 */
export function renderOpenAiResponses(input: RenderInput): Rendered {
  const writer = new ResponsesWriter(input);
  for (const item of input.items) writer.write(item);
  const { items: messages, answers } = writer;
  const { instructions } = input;
  const system = instructions === undefined || isBlank(instructions) ? undefined : instructions;
  return { system, messages, leftOut: answers.leftOut, repairs: answers.repairs };
}

class ResponsesWriter {
  readonly items: JsonObject[] = [];
  readonly answers: AnswerReader;
  private readonly takenIds = new Set<string>();

  constructor(private readonly input: RenderInput) {
    this.answers = new AnswerReader(input, {
      format: 'openai-responses',
      idRule: 'R13',
      kindOf,
      isCallBlock,
      idsOf: (wanted) => wanted.map((id) => this.freeId(id)),
    });
  }

  write(item: HistoryItem): void {
    if (item.kind === 'assistant') return this.writeAnswer(item);
    const content =
      item.kind === 'context'
        ? [{ type: 'input_text', text: item.text }]
        : inputContent(item.content, this.input);
    if (content.length > 0) this.items.push({ type: 'message', role: 'user', content });
    else if (item.kind === 'user') {
      const { at, inputId } = item;
      const reason = 'the input has no text';
      this.answers.leftOut.push({ kind: 'blank_message', reason, at, inputId });
    }
  }

  private writeAnswer(item: AssistantItem): void {
    const answer = this.answers.read(item, this.items.length);
    if (answer === undefined) return;
    // Reasoning is refused without an item of the model behind it (R4).
    const last = answer.parts.findLastIndex(
      (part) => part.kind !== 'own' || !isReasoning(part.block),
    );
    for (const part of answer.parts.slice(0, last + 1)) this.items.push(itemOf(part));
    for (const part of answer.parts) {
      if (part.kind === 'call') this.items.push(outputOf(part.named, part.own, this.input));
    }
  }

  /** Outputs are matched in the whole input, so ids are unique there, in the order of the calls. */
  private freeId(wanted: string): string {
    let id = legalId(wanted);
    for (let number = 2; this.takenIds.has(id); number += 1) id = legalId(`${wanted}__${number}`);
    this.takenIds.add(id);
    return id;
  }
}

function legalId(wanted: string): string {
  return legalIds('openai-responses', [wanted])[0]!;
}

/** Run by the server, and readable without an id that the server would have to know. */
const REPLAYED = ['reasoning', 'compaction', 'web_search_call'];

function kindOf(block: JsonObject): OwnBlockKind | undefined {
  const { type, encrypted_content: encrypted } = block;
  if (type === 'message') return block.content === undefined ? 'fieldsOfNextText' : undefined;
  if (type === 'web_search_call') return 'part';
  const isReadable = typeof encrypted === 'string' && encrypted !== '';
  return isReadable && REPLAYED.some((replayed) => replayed === type) ? 'part' : undefined;
}

const CALL_TYPES = ['function_call', 'custom_tool_call'];

function isCallBlock(block: JsonObject, { id, name }: NamedCall): boolean {
  if (block.call_id !== id || block.name !== name) return false;
  const written = block.type === 'custom_tool_call' ? block.input : block.arguments;
  return CALL_TYPES.some((type) => type === block.type) && typeof written === 'string';
}

function itemOf(part: AnswerPart): JsonObject {
  if (part.kind === 'own') return withoutItemId(part.block);
  if (part.kind === 'text') {
    const own = part.own === undefined ? {} : withoutItemId(part.own);
    return { ...own, type: 'message', role: 'assistant', content: part.text };
  }
  if (part.own !== undefined) return withoutItemId(part.own);
  const { call, id, name } = part.named;
  const args = JSON.stringify(argumentsObject(call, FIXED_STRINGS.invalidJson));
  return { type: 'function_call', call_id: id, name, arguments: args };
}

function withoutItemId(item: JsonObject): JsonObject {
  const { id: _, ...rest } = item;
  return rest;
}

/** The format has no flag for errors; the text of the result says what happened. */
function outputOf(
  { call, id }: NamedCall,
  own: JsonObject | undefined,
  input: RenderInput,
): JsonObject {
  const blocks = resultBlocks(call);
  const parts = inputContent(blocks, input);
  const isText = parts.every(({ type }) => type === 'input_text');
  const output = isText ? parts.map(({ text }) => text as string).join('\n') : parts;
  const type =
    own?.type === 'custom_tool_call' ? 'custom_tool_call_output' : 'function_call_output';
  return { type, call_id: id, output };
}

function inputContent(blocks: readonly InputBlock[], input: RenderInput): JsonObject[] {
  return blocks.flatMap((block): JsonObject[] => {
    if (block.type === 'text') {
      return isBlank(block.text) ? [] : [{ type: 'input_text', text: block.text }];
    }
    const { part, text } = sentMedia(block, input, media);
    return [part ?? { type: 'input_text', text }];
  });
}

function media(block: MediaBlock, content: MediaContent): JsonObject {
  if (block.type === 'image') {
    return { type: 'input_image', image_url: dataUrl(content), detail: 'auto' };
  }
  if ('url' in content) return { type: 'input_file', file_url: content.url };
  const filename = block.name ?? 'document.pdf';
  return { type: 'input_file', filename, file_data: dataUrl(content) };
}
