import { isObject, type JsonObject } from './json.js';
import { FORMATS } from './formats.js';
import { kindOf, isModelItem } from './openai-responses/items.js';
import { checkedOptions, checkProvider, type ProviderOptions } from './options.js';
import { callsOf, pair, type Call } from './pairing.js';
import { RepairLog } from './repair-log.js';
import { blocksOf, isThinking, isToolResult, isToolUse } from './anthropic/blocks.js';
import type { ProviderName } from './vocabulary.js';

/** Messages that a cut must not part: indices from `start` up to, but not including, `end`. */
export interface AtomicGroup {
  readonly start: number;
  readonly end: number;
  /** True if a call of the group has no result; such a group must not be summarised. */
  readonly hasOpenCall: boolean;
}

/** True for what a model run produced: neighbours of this kind form one turn. */
const IS_MODEL: Readonly<Record<ProviderName, (message: JsonObject) => boolean>> = {
  'openai-chat': ({ role }) => role === 'assistant',
  'openai-responses': (item) => kindOf(item) !== 'unknown' && isModelItem(item),
  anthropic: ({ role }) => role === 'assistant',
  gemini: ({ role }) => role === 'model',
  'ai-sdk': ({ role }) => role === 'assistant',
  langchain: ({ type }) => type === 'ai',
};

/**
 * Groups of section 11, in order and without overlap: a model turn with its calls, all their
 * results and its reasoning; for Anthropic with thinking, the whole tool loop from the user message
 * to the final text. Messages that stand alone are groups of one.
 */
export function atomicGroups<P extends ProviderName>(
  provider: P,
  history: readonly unknown[],
  options?: ProviderOptions[P],
): AtomicGroup[] {
  checkProvider(provider);
  const settings = checkedOptions(provider, options) as never;
  const draft = FORMATS[provider].read(history, settings, new RepairLog());
  pair(draft.walk);
  const calls = callsOf(draft.walk);
  const ends = history.map((_, at) => at + 1);
  const extend = (start: number, end: number): void => {
    ends[start] = Math.max(ends[start]!, end);
  };
  turnsOf(provider, history).forEach(([start, end]) => extend(start, end));
  const open = new Set<number>();
  for (const call of calls) {
    const [start, end] = spanOf(call);
    extend(start, end);
    if (call.needsResult && call.result === undefined) open.add(call.position);
  }
  if (provider === 'anthropic') loopsOf(history).forEach(([start, end]) => extend(start, end));
  return groupsOf(ends, open);
}

/** Positions at which a history may be cut; 0 and its length are always among them. */
export function legalCuts<P extends ProviderName>(
  provider: P,
  history: readonly unknown[],
  options?: ProviderOptions[P],
): number[] {
  return [0, ...atomicGroups(provider, history, options).map(({ end }) => end)];
}

function spanOf({ position, result }: Call): [number, number] {
  const other = result?.position ?? position;
  return [Math.min(position, other), Math.max(position, other) + 1];
}

type Span = readonly [start: number, end: number];

/** Runs of model messages that hold reasoning or calls; plain texts may be parted. */
function turnsOf(provider: ProviderName, history: readonly unknown[]): Span[] {
  const joinsRuns = ['openai-responses', 'anthropic', 'gemini'].includes(provider);
  if (!joinsRuns) return [];
  const isModel = history.map((message) => isObject(message) && IS_MODEL[provider](message));
  const spans: Span[] = [];
  for (let start = 0; start < history.length; start += 1) {
    if (!isModel[start]) continue;
    let end = start + 1;
    while (isModel[end]) end += 1;
    spans.push([start, end]);
    start = end - 1;
  }
  return spans;
}

/** Tool loops with thinking: from the user message before the first call to the final text. */
function loopsOf(history: readonly unknown[]): Span[] {
  const spans: Span[] = [];
  let start = 0;
  let hasCall = false;
  let hasThinking = false;
  const close = (end: number): void => {
    if (hasCall && hasThinking) spans.push([start, end]);
    hasCall = false;
    hasThinking = false;
  };
  history.forEach((message, at) => {
    const blocks = isObject(message) ? blocksOf(message) : [];
    const role = isObject(message) ? message.role : undefined;
    if (role === 'assistant') {
      hasCall ||= blocks.some(isToolUse);
      hasThinking ||= blocks.some(isThinking);
    } else if (!blocks.some(isToolResult)) {
      close(at);
      start = at;
    }
  });
  close(history.length);
  return spans;
}

/** Overlapping spans become one group. */
function groupsOf(ends: readonly number[], open: ReadonlySet<number>): AtomicGroup[] {
  const groups: AtomicGroup[] = [];
  let start = 0;
  while (start < ends.length) {
    let end = ends[start]!;
    let hasOpenCall = open.has(start);
    for (let at = start + 1; at < end; at += 1) {
      end = Math.max(end, ends[at]!);
      hasOpenCall ||= open.has(at);
    }
    groups.push({ start, end, hasOpenCall });
    start = end;
  }
  return groups;
}
