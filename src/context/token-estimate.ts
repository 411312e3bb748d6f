import type { InputBlock, Json, ToolContent } from '../domain/content.js';
import { isHidden } from '../domain/shown.js';
import type { ContextSource } from './context-source.js';
import { type AssistantItem, type HistoryItem, callsOf } from './history-items.js';
import type { HistoryRecord } from './history-record.js';
import { own } from '../domain/own.js';

/** Counts an image or a page-less document; inferred, no provider says it for all. */
const MEDIA_TOKENS_MIN = 1_600;
const DOCUMENT_BYTES_PER_TOKEN = 20;
/** JSON around a block, when a whole request is counted by its characters. */
const BLOCK_TOKENS = 20;
/** Measured 95th percentile of what Anthropic adds to a request with tools (provider rules, §12). */
const ANTHROPIC_TOOLS_TOKENS = 1_629;
const NEW_FACTOR = 1.3;
const NEW_BLOCK_TOKENS = 50;
const MARGIN_TOKENS = 100;
const NOT_ASCII = /[^\0-\x7f]/;

/** ASCII characters / 4 + one for each other character (provider rules, §12). */
export function tokensOf(text: string): number {
  if (!NOT_ASCII.test(text)) return text.length / 4;
  let ascii = 0;
  let other = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) ascii += 1;
    else if (unit < 0xdc00 || unit > 0xdfff) other += 1;
  }
  return ascii / 4 + other;
}

export type TokenCounter = (text: string) => number;

export interface EstimateInput {
  readonly format: string;
  readonly instructions?: string;
  readonly tools?: Json;
  readonly items: readonly HistoryItem[];
  readonly source: ContextSource;
  /** The records that the items' places point into. */
  readonly records: readonly HistoryRecord[];
  readonly model?: string;
  /** A prefix period begins with this request: nothing that was counted before holds. */
  readonly isNewPeriod: boolean;
  readonly count?: TokenCounter;
}

export interface Estimate {
  readonly tokens: number;
  /** The estimate adds to what a provider has counted. */
  readonly isAnchored: boolean;
}

/** Tokens of the request: anchored on the last reported usage where that holds, else from zero. */
export function estimateTokens(input: EstimateInput): Estimate {
  const anchor = input.isNewPeriod ? undefined : anchorOf(input);
  const tokens = anchor === undefined ? fromZero(input) : fromAnchor(input, anchor);
  return { tokens: Math.ceil(tokens) + shortBy(input), isAnchored: anchor !== undefined };
}

/** What earlier estimates for the model were short by; of the worst one, if no model is named. */
function shortBy({ source: { underestimates = {} }, model }: EstimateInput): number {
  if (model === undefined) return Math.max(0, ...Object.values(underestimates));
  return own(underestimates, model) ?? 0;
}

function fromZero({ format, instructions, tools, items, count = tokensOf }: EstimateInput): number {
  const toolTokens = tools === undefined ? 0 : count(JSON.stringify(tools));
  const overhead = format === 'anthropic' && tools !== undefined ? ANTHROPIC_TOOLS_TOKENS : 0;
  const itemTokens = sum(items.map((item) => tokensOfItem(item, count) + overheadOf(item)));
  return count(instructions ?? '') + toolTokens + overhead + itemTokens + MARGIN_TOKENS;
}

interface Anchor {
  readonly place: number;
  readonly modelCallId: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

function fromAnchor({ items, count = tokensOf }: EstimateInput, anchor: Anchor): number {
  const isAnswer = (item: HistoryItem): item is AssistantItem =>
    item.kind === 'assistant' && item.modelCallId === anchor.modelCallId;
  const answers = items.filter(isAnswer);
  const later = items.filter((item) => item.place > anchor.place && !isAnswer(item));
  const written = sum(answers.map((item) => writtenTokens(item, count)));
  const results = answers.flatMap(callsOf);
  const newTokens =
    sum(later.map((item) => tokensOfItem(item, count))) +
    sum(results.map((call) => contentTokens(call.result.content, count)));
  const newBlocks = sum(later.map(blocksOf)) + results.length;
  return (
    anchor.inputTokens +
    Math.max(anchor.outputTokens, written) +
    NEW_FACTOR * newTokens +
    NEW_BLOCK_TOKENS * newBlocks +
    MARGIN_TOKENS
  );
}

/** The anchor holds only for the model that was counted, and only while its input still stands. */
function anchorOf({ source, records, model }: EstimateInput): Anchor | undefined {
  const anchor = source.usageAnchor;
  if (anchor === undefined) return undefined;
  const isOwn = (record: HistoryRecord): boolean => record.sessionId === source.sessionId;
  const settled = records.findLast(
    (record) => isOwn(record) && record.revision === anchor.revision,
  );
  if (settled?.event.type !== 'ModelCallSettled') return undefined;
  const { modelCallId } = settled.event.data;
  const place = records.findLastIndex(
    (record) =>
      isOwn(record) &&
      record.event.type === 'ModelCallStarted' &&
      record.event.data.modelCallId === modelCallId,
  );
  const started = records[place];
  if (started?.event.type !== 'ModelCallStarted') return undefined;
  if (isHidden(started, source.hidden) || isHidden(settled, source.hidden)) return undefined;
  const { requestedModel } = started.event.data;
  const isSameModel = model === undefined || model === anchor.model || model === requestedModel;
  const { inputTokens, outputTokens } = anchor;
  if (!isSameModel || !isCount(inputTokens) || !isCount(outputTokens)) return undefined;
  return { place, modelCallId, inputTokens, outputTokens };
}

function isCount(value: number): boolean {
  return Number.isFinite(value) && value >= 0;
}

/** What the JSON around an item's blocks takes, where a whole request is counted. */
export function overheadOf(item: HistoryItem): number {
  return BLOCK_TOKENS * blocksOf(item);
}

export function tokensOfItem(item: HistoryItem, count: TokenCounter = tokensOf): number {
  switch (item.kind) {
    case 'context':
      return count(item.text);
    case 'user':
      return contentTokens(item.content, count);
    case 'assistant':
      return (
        writtenTokens(item, count) +
        sum(callsOf(item).map((call) => contentTokens(call.result.content, count)))
      );
  }
}

/** What the model itself wrote, the results of its calls left out. */
function writtenTokens(item: AssistantItem, count: TokenCounter): number {
  return sum(
    item.blocks.map((block) => {
      if (block.type === 'text') return count(block.text);
      if (block.type === 'provider') return count(JSON.stringify(block.block));
      const { tool, args, argsText } = block.call;
      return count(tool) + count(argsText ?? JSON.stringify(args ?? {}));
    }),
  );
}

export function contentTokens(content: ToolContent, count: TokenCounter = tokensOf): number {
  if (typeof content === 'string') return count(content);
  return sum(content.map((block) => blockTokens(block, count)));
}

function blockTokens(block: InputBlock, count: TokenCounter): number {
  if (block.type === 'text') return count(block.text);
  const bytes = block.artifact?.sizeBytes ?? ((block.base64?.length ?? 0) * 3) / 4;
  return block.type === 'image'
    ? MEDIA_TOKENS_MIN
    : Math.max(MEDIA_TOKENS_MIN, bytes / DOCUMENT_BYTES_PER_TOKEN);
}

function blocksOf(item: HistoryItem): number {
  if (item.kind === 'context') return 1;
  if (item.kind === 'user') return item.content.length;
  return item.blocks.length + callsOf(item).length;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, next) => total + next, 0);
}
