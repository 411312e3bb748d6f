import type { Draft } from '../format.js';
import { isObject, textOf, type JsonObject } from '../json.js';
import type { AnthropicOptions } from '../options.js';
import type { Call, Result, WalkStep } from '../pairing.js';
import type { RepairLog } from '../repair-log.js';
import { isSyntheticText, plainText } from '../texts.js';
import { blocksOf, idOf, isThinking, mayBeEmpty, roleOf, type Role } from './blocks.js';
import { unboundThinking } from './bound-thinking.js';
import { BlockCleaner } from './clean-blocks.js';
import { finalTurn } from './runs.js';

export interface Entry {
  readonly block: JsonObject;
  readonly call?: Call;
  readonly result?: Result;
}

export interface AnthropicPiece {
  readonly position: number;
  readonly message: JsonObject;
  entries: readonly Entry[];
  isChanged: boolean;
  /** True for an empty final assistant message, which stays. */
  readonly isKeptEmpty: boolean;
}

/** Neighbours of one role, as they stood in the given history. */
export interface AnthropicRun {
  readonly role: Role | 'none';
  readonly pieces: AnthropicPiece[];
}

/** Section 6.2, step 1, for Anthropic. */
export function readAnthropic(
  history: readonly unknown[],
  options: AnthropicOptions,
  log: RepairLog,
): Draft<readonly AnthropicRun[]> {
  const unbound = options.boundPrefix ? unboundThinking(history) : new Set<JsonObject>();
  const cleaner = new BlockCleaner(options, unbound, log);
  const runs: AnthropicRun[] = [];
  history.forEach((message, position) => {
    const role = roleOf(message, options) ?? 'none';
    if (runs.at(-1)?.role !== role) {
      runs.push({ role, pieces: [] });
      cleaner.startTurn();
    }
    if (role === 'none' || !isObject(message)) {
      const rule = isObject(message) ? 'A27' : 'X4';
      log.leaveOut(rule, position, message, 'messages take the roles user and assistant');
      return;
    }
    const given = blocksOf(message);
    const blocks = cleaner.clean(given, role, position);
    const isSame =
      blocks.length === given.length && blocks.every((block, at) => block === given[at]);
    const isKeptEmpty = given.length === 0 && mayBeEmpty(history, position, options);
    const entries = blocks.map((block) => toEntry(block, position));
    const isChanged = !isSame || (blocks.length === 0 && !isKeptEmpty);
    runs.at(-1)!.pieces.push({ position, message, entries, isChanged, isKeptEmpty });
  });
  dropThinking(runs, options, log);
  for (const piece of runs.flatMap(({ pieces }) => pieces)) {
    if (piece.entries.length > 0 || piece.isKeptEmpty) continue;
    log.add('A9', piece.position, 'drop_message', 'the message has no content');
  }
  const walk = runs.flatMap(stepsOf);
  const idScopes = runs.map((run) => entriesOf(run).flatMap(({ call }) => call ?? []));
  return { walk, idScopes, pieces: runs };
}

export function entriesOf(run: AnthropicRun): Entry[] {
  return run.pieces.flatMap(({ entries }) => entries);
}

function stepsOf(run: AnthropicRun): WalkStep[] {
  const entries = entriesOf(run);
  if (run.role === 'assistant') {
    return [{ turn: { calls: entries.flatMap(({ call }) => call ?? []) } }];
  }
  return entries.flatMap(({ result }) => (result ? [{ result }] : []));
}

function toEntry(block: JsonObject, position: number): Entry {
  const isCall = block.type === 'tool_use';
  if (isCall) return { block, call: toCall(block, position) };
  return block.type === 'tool_result' ? { block, result: toResult(block, position) } : { block };
}

function toCall(source: JsonObject, position: number): Call {
  const id = idOf(source.id);
  return {
    id,
    newId: id,
    hasStringId: typeof source.id === 'string',
    name: textOf(source.name),
    position,
    needsResult: true,
    keys: [id],
    source,
    result: undefined,
  };
}

function toResult(source: JsonObject, position: number): Result {
  const id = idOf(source.tool_use_id);
  const text = plainText(source.content);
  return {
    position,
    id,
    keys: [id],
    isSynthetic: text !== undefined && isSyntheticText(text),
    isMade: false,
    source,
    call: undefined,
  };
}

/** A18 for the final turn, and A17 for every turn. */
function dropThinking(
  runs: readonly AnthropicRun[],
  options: AnthropicOptions,
  log: RepairLog,
): void {
  if (options.thinking === false) {
    const views = runs.map((run) => ({ role: run.role, blocks: entriesOf(run), run }));
    for (const piece of finalTurn(views)?.run.pieces ?? []) {
      const kept = piece.entries.filter(({ block }) => !isThinking(block));
      if (kept.length === piece.entries.length) continue;
      log.add('A18', piece.position, 'drop_block', 'thinking is off, and this turn is the last');
      replaceEntries(piece, kept);
    }
  }
  for (const run of runs) {
    if (run.role === 'assistant') dropThinkingTail(run, log);
  }
}

function dropThinkingTail(run: AnthropicRun, log: RepairLog): void {
  for (const piece of [...run.pieces].reverse()) {
    const end = piece.entries.findLastIndex(({ block }) => !isThinking(block)) + 1;
    if (end < piece.entries.length) {
      log.add('A17', piece.position, 'drop_block', 'an assistant turn cannot end in thinking');
      replaceEntries(piece, piece.entries.slice(0, end));
    }
    if (end > 0) return;
  }
}

function replaceEntries(piece: AnthropicPiece, entries: readonly Entry[]): void {
  piece.entries = entries;
  piece.isChanged = true;
}

/** The message with the entries as its content; the given message if nothing changed. */
export function messageOf(piece: AnthropicPiece): JsonObject {
  if (!piece.isChanged) return piece.message;
  return { ...piece.message, content: piece.entries.map(({ block }) => block) };
}
