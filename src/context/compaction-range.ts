import type { StreamPosition } from '../domain/events/positions.js';
import type { ContextSource } from './context-source.js';
import { firstUnread, groupsOf } from './groups.js';
import { type HistoryItem, callsOf } from './history-items.js';
import type { HistoryRecord } from './history-record.js';
import { buildHistory } from './history.js';
import { type TokenCounter, tokensOf, tokensOfItem } from './token-estimate.js';
import { transcript } from './transcript.js';

export interface CompactionRequest {
  /** Most tokens of the kept tail; the smallest legal tail is kept even if it is larger. */
  readonly keepTokens?: number;
  /** The tail of a compaction that is under way: the range is exactly the one it was started for. */
  readonly keptFrom?: StreamPosition;
  /** Atomic groups to keep at least; used where `keepTokens` is absent. */
  readonly keepGroups?: number;
  /** Allow a tail that begins inside a turn, at any legal place. Default: at a user input only. */
  readonly withinTurn?: boolean;
  readonly countTokens?: TokenCounter;
}

/** What a summary is to replace. The positions go into `CompactionStarted` as they are. */
export interface CompactionRange {
  readonly coveredFrom: StreamPosition;
  readonly coveredTo: StreamPosition;
  readonly keptFrom: StreamPosition;
  /** Calls of the covered range, or of an earlier summary, whose outcome nobody could find out. */
  readonly openCalls: readonly string[];
  /** The earlier summary, which the new one has to take in. */
  readonly earlierSummary?: string;
  readonly items: readonly HistoryItem[];
  /** The covered range as text, for whoever writes the summary. */
  readonly text: string;
  readonly hasFacts: boolean;
  readonly tokensBefore: number;
  readonly tokensCovered: number;
  readonly tokensKept: number;
}

/**
 * Where to cut for a compaction (provider rules, §11). A cut never tears a group, never covers a
 * call that may still get an outcome, and never covers an input that no model has read.
 */
export function compactionRange(
  source: ContextSource,
  request: CompactionRequest,
): CompactionRange | 'nothing_to_compact' {
  const { records, items, summarisedOpen, hiddenOpen } = buildHistory(source);
  const tokens = items.map((item) => tokensOfItem(item, request.countTokens));
  const places = keptPlaces(items);
  const { keptFrom } = request;
  const cut =
    keptFrom === undefined
      ? chosenCut(items, tokens, request)
      : places.findIndex((place) => place !== undefined && isAt(records[place]!, keptFrom));
  const keptPlace = cut === undefined ? undefined : places[cut];
  if (cut === undefined || keptPlace === undefined) return 'nothing_to_compact';
  const covered = items.slice(0, cut);
  const earlierSummary = source.summary?.text;
  const count = request.countTokens ?? tokensOf;
  const tokensCovered = sum(tokens.slice(0, cut)) + count(earlierSummary ?? '');
  const tokensKept = sum(tokens.slice(cut));
  return {
    coveredFrom: positionOf(records[0]!),
    coveredTo: positionOf(records[keptPlace - 1]!),
    keptFrom: positionOf(records[keptPlace]!),
    openCalls: [
      ...summarisedOpen,
      ...covered.flatMap(abandonedCalls),
      ...covered.flatMap((item) => noted(item, hiddenOpen)),
    ],
    earlierSummary,
    items: covered,
    text: transcript(covered, earlierSummary),
    hasFacts: source.facts.length > 0,
    tokensBefore: Math.ceil(tokensCovered + tokensKept),
    tokensCovered: Math.ceil(tokensCovered),
    tokensKept: Math.ceil(tokensKept),
  };
}

/** Every place where a tail may begin, as an index into `items`. */
export function legalCuts(items: readonly HistoryItem[], withinTurn: boolean): readonly number[] {
  const kept = keptPlaces(items);
  const groups = groupsOf(items);
  const firstOpen = groups.find((group) => group.isOpen)?.start ?? items.length;
  const last = Math.min(firstOpen, firstUnread(items), items.length - 1);
  return groups
    .map((group) => group.start)
    .filter((start) => start > 0 && start <= last && kept[start] !== undefined)
    .filter((start) => withinTurn || items[start]!.kind === 'user');
}

/**
 * For each item the place of the first record that it and all later items need; undefined where an
 * earlier item needs a record from there on as well, so that no position can part the two.
 */
function keptPlaces(items: readonly HistoryItem[]): readonly (number | undefined)[] {
  const firsts = new Array<number>(items.length);
  let first = Infinity;
  for (let index = items.length - 1; index >= 0; index -= 1) {
    first = Math.min(first, items[index]!.from);
    firsts[index] = first;
  }
  let last = -1;
  return items.map((item, index) => {
    const place = firsts[index]!;
    const isParted = Number.isFinite(place) && last < place && place > 0;
    last = Math.max(last, item.to);
    return isParted ? place : undefined;
  });
}

function chosenCut(
  items: readonly HistoryItem[],
  tokens: readonly number[],
  request: CompactionRequest,
): number | undefined {
  const cuts = legalCuts(items, request.withinTurn === true);
  const { keepTokens, keepGroups } = request;
  if (keepTokens === undefined && keepGroups !== undefined) {
    const starts = groupsOf(items).map((group) => group.start);
    const wanted = keepGroups <= 0 ? items.length : (starts.at(-keepGroups) ?? 0);
    return cuts.findLast((cut) => cut <= wanted);
  }
  let tail = sum(tokens);
  if (keepTokens !== undefined && tail <= keepTokens) return undefined;
  let index = 0;
  for (const cut of cuts) {
    for (; index < cut; index += 1) tail -= tokens[index]!;
    if (tail <= (keepTokens ?? 0)) return cut;
  }
  return cuts.at(-1);
}

function abandonedCalls(item: HistoryItem): readonly string[] {
  return callsOf(item)
    .filter((call) => call.status === 'abandoned')
    .map((call) => call.callId);
}

/** The call of a hidden part that a note names, while nobody has settled it. */
function noted(item: HistoryItem, open: ReadonlySet<string>): readonly string[] {
  const callId = item.kind === 'context' ? item.callId : undefined;
  return callId !== undefined && open.has(callId) ? [callId] : [];
}

function isAt(record: HistoryRecord, position: StreamPosition): boolean {
  return record.sessionId === position.sessionId && record.revision === position.revision;
}

function positionOf({ sessionId, revision }: HistoryRecord): StreamPosition {
  return { sessionId, revision };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, next) => total + next, 0);
}
