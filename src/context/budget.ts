import { plainTextOf } from './content-guards.js';
import { type Group, groupsOf } from './groups.js';
import {
  type AssistantItem,
  type ContextItem,
  type HistoryItem,
  type ShownCall,
  callsOf,
} from './history-items.js';
import {
  type Estimate,
  type TokenCounter,
  contentTokens,
  overheadOf,
  tokensOf,
  tokensOfItem,
} from './token-estimate.js';

export interface TrimmedResult {
  readonly callId: string;
  readonly tool: string;
  readonly tokens: number;
}

export interface DroppedItems {
  readonly items: number;
  readonly tokens: number;
  readonly callIds: readonly string[];
}

export type BudgetOutcome =
  | {
      readonly fits: true;
      readonly items: readonly HistoryItem[];
      readonly estimatedTokens: number;
      readonly trimmed: readonly TrimmedResult[];
      readonly dropped?: DroppedItems;
    }
  | { readonly fits: false; readonly neededTokens: number };

/** A result shorter than this is not worth a reference. */
const TRIM_TOKENS_MIN = 100;
/** More is cut than is needed at the moment, in steps of this share, so that prompt caches hold. */
const STEP_SHARE = 0.25;

/**
 * Makes a conversation fit (DESIGN §6): first old tool outputs become references, then whole groups
 * go, oldest first. Facts, the summary, inputs without an answer, open calls and the last complete
 * group of calls always stay.
 */
export function fitToBudget(
  items: readonly HistoryItem[],
  estimate: Estimate,
  budgetTokens: number,
  count: TokenCounter = tokensOf,
): BudgetOutcome {
  const estimatedTokens = estimate.tokens;
  if (estimatedTokens <= budgetTokens) {
    return { fits: true, items, estimatedTokens, trimmed: [] };
  }
  const excess = estimatedTokens - budgetTokens;
  const step = Math.max(1, Math.floor(budgetTokens * STEP_SHARE));
  const aim = Math.ceil(excess / step) * step;
  const shortened = trimResults(items, aim, count);
  const afterTrim = estimatedTokens - shortened.freed;
  const { trimmed } = shortened;
  if (afterTrim <= budgetTokens) {
    return { fits: true, items: shortened.items, estimatedTokens: afterTrim, trimmed };
  }
  // Of what a provider has counted, only the text itself is known to go with an item.
  const sizeOf = (item: HistoryItem): number =>
    tokensOfItem(item, count) + (estimate.isAnchored ? 0 : overheadOf(item));
  const cut = dropGroups(shortened.items, aim - shortened.freed, sizeOf);
  const afterDrop = afterTrim - cut.freed;
  if (afterDrop > budgetTokens) return { fits: false, neededTokens: afterDrop };
  return {
    fits: true,
    items: cut.items,
    estimatedTokens: afterDrop,
    trimmed,
    dropped: cut.dropped,
  };
}

interface Candidate {
  readonly place: number;
  readonly callId: string;
  readonly tokens: number;
  readonly freed: number;
}

/** Largest first, in classes of size; within a class the oldest first. */
function trimResults(items: readonly HistoryItem[], aim: number, count: TokenCounter) {
  const candidates = items
    .slice(0, lastCompleteCalls(items))
    .flatMap((item, place) => callsOf(item).flatMap((call) => candidateOf(call, place, count)))
    .sort((one, other) => sizeClass(other) - sizeClass(one) || one.place - other.place);
  const chosen = new Set<string>();
  let freed = 0;
  for (const candidate of candidates) {
    if (freed >= aim) break;
    chosen.add(candidate.callId);
    freed += candidate.freed;
  }
  const trimmed: TrimmedResult[] = [];
  const shortened = items.map((item) => {
    if (!callsOf(item).some((call) => chosen.has(call.callId))) return item;
    return withReferences(item as AssistantItem, chosen, trimmed, count);
  });
  return { items: shortened, freed: Math.floor(freed), trimmed };
}

function candidateOf(call: ShownCall, place: number, count: TokenCounter): Candidate[] {
  if (call.result.synthetic !== undefined) return [];
  const tokens = contentTokens(call.result.content, count);
  const freed = tokens - count(reference(call));
  return tokens < TRIM_TOKENS_MIN || freed <= 0
    ? []
    : [{ place, callId: call.callId, tokens, freed }];
}

function sizeClass({ tokens }: Candidate): number {
  return Math.floor(Math.log2(tokens) / 2);
}

function withReferences(
  item: AssistantItem,
  chosen: ReadonlySet<string>,
  trimmed: TrimmedResult[],
  count: TokenCounter,
): AssistantItem {
  const blocks = item.blocks.map((block) => {
    if (block.type !== 'call' || !chosen.has(block.call.callId)) return block;
    const { call } = block;
    const tokens = Math.ceil(contentTokens(call.result.content, count));
    trimmed.push({ callId: call.callId, tool: call.tool, tokens });
    const result = { ...call.result, content: reference(call) };
    return { ...block, call: { ...call, result, trimmed: true } };
  });
  return { ...item, blocks };
}

function reference({ callId, result }: ShownCall): string {
  const characters = plainTextOf(result.content).length;
  const artifact = result.artifact === undefined ? '' : `, artifact ${result.artifact.hash}`;
  return (
    `[The result of this tool call was left out here to save space: ${characters} characters. ` +
    `It is kept in the session's log under ${callId}${artifact}.]`
  );
}

/** Place of the last item whose calls all have an outcome; what stands from there on is recent. */
function lastCompleteCalls(items: readonly HistoryItem[]): number {
  const place = items.findLastIndex((item) => {
    const calls = callsOf(item);
    return calls.length > 0 && calls.every((call) => call.result.synthetic === undefined);
  });
  return place === -1 ? items.length : place;
}

function dropGroups(
  items: readonly HistoryItem[],
  aim: number,
  sizeOf: (item: HistoryItem) => number,
) {
  const kept = keeper(items);
  const gone = new Set<number>();
  const goneCalls = new Set<string>();
  let freed = -sizeOf(GAP);
  for (const group of groupsOf(items)) {
    if (freed >= aim) break;
    const places = range(group);
    if (places.some((place) => kept(place, group, goneCalls))) continue;
    for (const place of places) {
      const item = items[place]!;
      gone.add(place);
      freed += sizeOf(item);
      for (const call of callsOf(item)) goneCalls.add(call.callId);
    }
  }
  if (gone.size === 0) return { items, freed: 0 };
  const first = Math.min(...gone);
  const rest = items.flatMap((item, place) => {
    if (place === first) return [gapBefore(item)];
    return gone.has(place) ? [] : [item];
  });
  const tokens = Math.floor(freed);
  return {
    items: rest,
    freed: tokens,
    dropped: { items: gone.size, tokens, callIds: [...goneCalls] },
  };
}

const GAP: ContextItem = {
  kind: 'context',
  about: 'gap',
  text: '[An earlier part of the conversation was left out here to save space.]',
  place: 0,
  from: 0,
  to: 0,
};

function gapBefore({ place, from, to }: HistoryItem): ContextItem {
  return { ...GAP, place, from, to };
}

function range({ start, end }: Group): readonly number[] {
  return Array.from({ length: end - start }, (_, offset) => start + offset);
}

/** What may never be dropped, whatever the budget says. */
function keeper(items: readonly HistoryItem[]) {
  const lastCalls = lastCompleteCalls(items);
  const lastAnswer = items.findLastIndex(
    (item) => item.kind === 'assistant' && callsOf(item).length === 0,
  );
  const shownCalls = new Set(items.flatMap(callsOf).map((call) => call.callId));
  return (place: number, group: Group, goneCalls: ReadonlySet<string>): boolean => {
    const item = items[place]!;
    if (place >= lastCalls || group.isOpen || item.place < 0) return true;
    if (item.kind === 'user') return place > lastAnswer;
    if (item.kind === 'assistant') return false;
    if (item.about !== 'outcome' || item.callId === undefined) return item.about !== 'gap';
    return shownCalls.has(item.callId) && !goneCalls.has(item.callId);
  };
}
