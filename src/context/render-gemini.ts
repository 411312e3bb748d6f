import { FIXED_STRINGS } from '@holdfast/provider-rules';
import type { InputBlock, MediaBlock } from '../domain/content.js';
import {
  type AnswerPart,
  AnswerReader,
  type NamedCall,
  type OwnBlockKind,
} from './answer-parts.js';
import { providerObject } from './content-guards.js';
import type { AssistantItem, HistoryItem } from './history-items.js';
import {
  type JsonObject,
  type MediaContent,
  type RenderInput,
  type Rendered,
  argumentsObject,
  isBlank,
} from './render.js';
import { isSendable, sentMedia, textAndMedia } from './sendable-media.js';

/**
 * Gemini `contents` (provider rules, §4.4). The system field is `systemInstruction`. Neighbours of
 * one role are one content, responses stand alone in theirs, media of results follow them.
 */
export function renderGemini(input: RenderInput): Rendered {
  const writer = new GeminiWriter(input);
  for (const item of input.items) writer.write(item);
  const { answers, contents } = writer;
  const { instructions } = input;
  const system =
    instructions === undefined || isBlank(instructions)
      ? undefined
      : { parts: [{ text: instructions }] };
  return { system, messages: contents, leftOut: answers.leftOut, repairs: answers.repairs };
}

class GeminiWriter {
  readonly contents: JsonObject[] = [];
  readonly answers: AnswerReader;
  /** The last content holds neither calls nor responses, so its role may go on in it. */
  private isPlain = false;

  constructor(private readonly input: RenderInput) {
    this.answers = new AnswerReader(input, {
      format: 'gemini',
      idRule: 'G11',
      kindOf,
      isCallBlock,
    });
  }

  write(item: HistoryItem): void {
    if (item.kind === 'assistant') return this.writeAnswer(item);
    const parts =
      item.kind === 'context' ? [{ text: item.text }] : inputParts(item.content, this.input);
    if (parts.length > 0) this.add('user', parts, true);
    else if (item.kind === 'user') {
      const { at, inputId } = item;
      const reason = 'the input has no text';
      this.answers.leftOut.push({ kind: 'blank_message', reason, at, inputId });
    }
  }

  private writeAnswer(item: AssistantItem): void {
    const answer = this.answers.read(item, this.contents.length);
    if (answer === undefined) return;
    const written = this.signed(answer.parts.map(partOf));
    this.add('model', written, answer.calls.length === 0);
    if (answer.calls.length === 0) return;
    const attached: JsonObject[] = [];
    const responses = answer.parts.flatMap((part): JsonObject[] => {
      if (part.kind !== 'call') return [];
      const result = textAndMedia(part.named.call, this.input, media, isTaken);
      attached.push(...result.attached);
      return [responseOf(part, result.text, result.attached.length > 0)];
    });
    this.add('user', responses, false);
    if (attached.length > 0) this.add('user', attached, true);
  }

  private add(role: 'user' | 'model', parts: readonly JsonObject[], isPlain: boolean): void {
    const last = this.contents.at(-1);
    const isResponse = role === 'user' && !isPlain;
    if (last?.role === role && this.isPlain && !isResponse) {
      const joined = [...(last.parts as readonly JsonObject[]), ...parts];
      this.contents[this.contents.length - 1] = { ...last, parts: joined };
    } else {
      this.contents.push({ role, parts });
    }
    this.isPlain = isPlain;
  }

  /**
   * Gemini 3 wants the first call of each content signed. The repair sees to it for the present
   * turn only, which would change the bytes of that turn as soon as it is a past one.
   */
  private signed(parts: readonly JsonObject[]): readonly JsonObject[] {
    if (this.input.options.gemini3 !== true) return parts;
    const first = parts.findIndex((part) => part.functionCall !== undefined);
    const thoughtSignature = FIXED_STRINGS.skipThoughtSignature;
    return parts.map((part, index) =>
      index === first && part.thoughtSignature === undefined ? { ...part, thoughtSignature } : part,
    );
  }
}

const DATA_FIELDS = [
  'text',
  'inlineData',
  'fileData',
  'executableCode',
  'codeExecutionResult',
  'toolCall',
  'toolResponse',
];

/** A part without data (a signature alone) belongs to the text that follows it in the record. */
function kindOf(block: JsonObject): OwnBlockKind | undefined {
  if ('functionCall' in block || 'functionResponse' in block || 'type' in block) return undefined;
  if (DATA_FIELDS.some((field) => field in block)) {
    return block.text === undefined || typeof block.text === 'string' ? 'part' : undefined;
  }
  return typeof block.thoughtSignature === 'string' ? 'fieldsOfNextText' : undefined;
}

function isCallBlock({ functionCall }: JsonObject, { id, name, call }: NamedCall): boolean {
  const own = functionCall === undefined ? undefined : providerObject(functionCall);
  if (own === undefined || own.name !== name) return false;
  return own.id === id || (own.id === undefined && (call.providerCallId ?? '') === '');
}

function partOf(part: AnswerPart): JsonObject {
  if (part.kind === 'own') return part.block;
  if (part.kind === 'text') return { ...part.own, text: part.text };
  if (part.own !== undefined) return part.own;
  const { call, id, name } = part.named;
  return { functionCall: { id, name, args: argumentsObject(call, FIXED_STRINGS.invalidJson) } };
}

function responseOf(
  { named, own }: Extract<AnswerPart, { kind: 'call' }>,
  text: string,
  hasMedia: boolean,
): JsonObject {
  const { id, name, call } = named;
  const hasNoId = own !== undefined && providerObject(own.functionCall!)?.id === undefined;
  const said = text === '' && hasMedia ? FIXED_STRINGS.seeAttachedContent : text;
  const response: JsonObject = call.result.isError ? { error: said } : { output: said };
  return { functionResponse: { ...(hasNoId ? {} : { id }), name, response } };
}

function inputParts(blocks: readonly InputBlock[], input: RenderInput): JsonObject[] {
  return blocks.flatMap((block): JsonObject[] => {
    if (block.type === 'text') return isBlank(block.text) ? [] : [{ text: block.text }];
    const { part, text } = sentMedia(block, input, media, isTaken);
    return [part ?? { text }];
  });
}

/** Gemini reads no GIF. */
function isTaken(block: MediaBlock, content: MediaContent): boolean {
  return isSendable(block, content) && content.mediaType !== 'image/gif';
}

function media(_: MediaBlock, content: MediaContent): JsonObject {
  const { mediaType: mimeType } = content;
  return 'base64' in content
    ? { inlineData: { mimeType, data: content.base64 } }
    : { fileData: { mimeType, fileUri: content.url } };
}
