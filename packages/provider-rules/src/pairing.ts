import type { IdOwner } from './ids.js';
import type { JsonObject } from './json.js';

/** A tool call of the history while it is repaired. */
export interface Call extends IdOwner {
  readonly name: string | undefined;
  readonly position: number;
  /** False for calls that a server answers itself; they may have a result here, but need none. */
  readonly needsResult: boolean;
  /** Keys under which a result finds this call; the plain id in most formats. */
  readonly keys: readonly string[];
  /** The call block as it will be sent, except for its id. */
  readonly source: JsonObject;
  result: Result | undefined;
}

/** A tool result of the history, or one made by the repair. */
export interface Result {
  readonly position: number;
  readonly id: string;
  /** Keys to look for, best first. */
  readonly keys: readonly string[];
  /** The text is one of the fixed synthetic texts, so a real result may replace it. */
  readonly isSynthetic: boolean;
  /** True if the repair made this result. */
  readonly isMade: boolean;
  /** The result block or message as it will be sent, except for its id. */
  readonly source: JsonObject;
  call: Call | undefined;
}

export interface Turn {
  readonly calls: Call[];
}

/** Turns and results in the order of the history. */
export type WalkStep = { readonly turn: Turn } | { readonly result: Result };

/** A result that found no call; `isDuplicate` if calls with its key exist but are all answered. */
export interface Unplaced {
  readonly result: Result;
  readonly isDuplicate: boolean;
}

type TurnsOfKey = Map<string, { readonly turn: Turn; readonly order: number }[]>;

/**
 * Matches results with calls in one ordered walk (section 6.2, step 2). A result looks at the
 * turns from the most recent to the oldest; in a turn it answers the oldest open call of its id,
 * and if none is open there and it is real, it replaces a synthetic result.
 *
 * The most recent turn comes first because servers reuse ids: with "oldest open call first", a
 * call that was interrupted in an old turn would take the result of a later call of the same id.
 */
export function pair(walk: readonly WalkStep[]): Unplaced[] {
  const turnsOfKey: TurnsOfKey = new Map();
  const unplaced: Unplaced[] = [];
  walk.forEach((step, order) => {
    if ('turn' in step) {
      for (const key of new Set(step.turn.calls.flatMap((call) => call.keys))) {
        const turns = turnsOfKey.get(key) ?? [];
        turns.push({ turn: step.turn, order });
        turnsOfKey.set(key, turns);
      }
      return;
    }
    const { result } = step;
    for (const turn of mostRecentFirst(turnsOfKey, result.keys)) {
      if (placeInTurn(turn, result, unplaced)) return;
    }
    const isDuplicate = result.keys.some((key) => turnsOfKey.has(key));
    unplaced.push({ result, isDuplicate });
    forgetFullTurns(turnsOfKey, result.keys);
  });
  return unplaced;
}

/** Turns that can take no more results of a key, or many duplicates would cost quadratic time. */
function forgetFullTurns(turnsOfKey: TurnsOfKey, keys: readonly string[]): void {
  for (const key of keys) {
    const turns = turnsOfKey.get(key);
    if (turns === undefined) continue;
    const mayTake = ({ keys: own, result }: Call): boolean =>
      own.includes(key) && (result === undefined || result.isSynthetic);
    turnsOfKey.set(
      key,
      turns.filter(({ turn }) => turn.calls.some(mayTake)),
    );
  }
}

function* mostRecentFirst(turnsOfKey: TurnsOfKey, keys: readonly string[]): Generator<Turn> {
  const lists = keys.map((key) => turnsOfKey.get(key) ?? []);
  const next = lists.map((list) => list.length - 1);
  for (;;) {
    const newest = Math.max(...lists.map((list, index) => list[next[index]!]?.order ?? -1));
    const found = lists.findIndex((list, index) => list[next[index]!]?.order === newest);
    if (found === -1) return;
    yield lists[found]![next[found]!]!.turn;
    lists.forEach((list, index) => {
      if (list[next[index]!]?.order === newest) next[index]! -= 1;
    });
  }
}

function placeInTurn(turn: Turn, result: Result, unplaced: Unplaced[]): boolean {
  for (const key of result.keys) {
    const open = turn.calls.find((call) => call.result === undefined && call.keys.includes(key));
    if (open !== undefined) {
      answer(open, result);
      return true;
    }
  }
  if (result.isSynthetic) return false;
  for (const key of result.keys) {
    const closed = turn.calls.find((call) => call.result?.isSynthetic && call.keys.includes(key));
    if (closed?.result !== undefined) {
      closed.result.call = undefined;
      unplaced.push({ result: closed.result, isDuplicate: true });
      answer(closed, result);
      return true;
    }
  }
  return false;
}

export function answer(call: Call, result: Result): void {
  call.result = result;
  result.call = call;
}

export function callsOf(walk: readonly WalkStep[]): Call[] {
  return walk.flatMap((step) => ('turn' in step ? step.turn.calls : []));
}
