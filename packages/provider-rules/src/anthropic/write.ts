import type { Draft } from '../format.js';
import type { JsonObject } from '../json.js';
import type { AnthropicOptions } from '../options.js';
import type { Call } from '../pairing.js';
import type { RepairLog } from '../repair-log.js';
import { blocksOf, withToolUseLast } from './blocks.js';
import { entriesOf, messageOf, type AnthropicRun, type Entry } from './read.js';

/** A message with the range of given messages that it stands for. */
interface Written {
  readonly message: JsonObject;
  readonly first: number;
  readonly last: number;
}

/** Section 6.2, steps 4 and 6, on the merged view. */
export function writeAnthropic(
  draft: Draft<readonly AnthropicRun[]>,
  options: AnthropicOptions,
  log: RepairLog,
): JsonObject[] {
  const runs = draft.pieces;
  const written: Written[] = [];
  for (let index = 0; index < runs.length; index += 1) {
    const run = runs[index]!;
    const calls = entriesOf(run).flatMap(({ call }) => call ?? []);
    const following = runs[index + 1]?.role === 'user' ? runs[index + 1] : undefined;
    if (calls.length === 0) {
      const isJoined = run.role === 'assistant' && !isAsGiven(run);
      written.push(...(isJoined ? joinedRun(run, log) : run.pieces.flatMap(withoutResults)));
      continue;
    }
    if (following !== undefined) index += 1;
    if (isIntact(run, calls, following)) {
      written.push(...asGiven(run), ...asGiven(following!));
    } else {
      written.push(...joinedRun(run, log), resultMessage(run, calls, following, log));
    }
  }
  return merged(written, options, log).map(({ message }) => message);
}

function isAsGiven(run: AnthropicRun): boolean {
  const entries = entriesOf(run);
  const ordered = withToolUseLast(entries, ({ block }) => block);
  return (
    run.pieces.every(({ isChanged }) => !isChanged) &&
    entries.every((entry, at) => entry === ordered[at]) &&
    entries.every(({ call }) => !call || (call.newId === call.id && call.hasStringId))
  );
}

function isIntact(
  run: AnthropicRun,
  calls: readonly Call[],
  following: AnthropicRun | undefined,
): boolean {
  if (following === undefined || !isAsGiven(run) || !isAsGiven(following)) return false;
  const results = entriesOf(following).map(({ result }) => result);
  const leading = results.slice(0, calls.length);
  return (
    leading.every((result) => result?.call !== undefined && calls.includes(result.call)) &&
    leading.length === calls.length &&
    results.slice(calls.length).every((result) => result === undefined)
  );
}

function asGiven(run: AnthropicRun): Written[] {
  return run.pieces.map(({ message, position }) => ({ message, first: position, last: position }));
}

/** A user message that holds no results of calls right before it: its results go. */
function withoutResults(piece: AnthropicRun['pieces'][number]): Written[] {
  const kept = piece.entries.filter(({ result }) => result === undefined);
  if (kept.length === 0 && !piece.isKeptEmpty) return [];
  const isSame = kept.length === piece.entries.length;
  const message = isSame
    ? messageOf(piece)
    : { ...piece.message, content: kept.map(({ block }) => block) };
  return [{ message, first: piece.position, last: piece.position }];
}

/** The messages of a repaired turn as one, with its calls last in each segment. */
function joinedRun(run: AnthropicRun, log: RepairLog): Written[] {
  const live = run.pieces.filter(({ entries, isKeptEmpty }) => entries.length > 0 || isKeptEmpty);
  if (live.length === 0) return [];
  const entries = live.flatMap((piece) => piece.entries);
  const ordered = withToolUseLast(entries, ({ block }) => block);
  const position = live[0]!.position;
  if (ordered.some((entry, at) => entry !== entries[at])) {
    log.add('A4', position, 'reorder_blocks', 'tool_use stands last in its segment');
  }
  if (live.length > 1) {
    const reason = 'the assistant messages of a repaired turn are joined';
    log.add('A1', live[1]!.position, 'merge_same_role', reason);
  }
  const isSame = live.length === 1 && isAsGiven({ role: run.role, pieces: live });
  const message = isSame
    ? live[0]!.message
    : { ...live[0]!.message, content: ordered.map(blockWithId) };
  return [{ message, first: run.pieces[0]!.position, last: run.pieces.at(-1)!.position }];
}

function blockWithId({ block, call }: Entry): JsonObject {
  return call === undefined || block.id === call.newId ? block : { ...block, id: call.newId };
}

/** The user turn behind calls: results first and in call order, then everything else. */
function resultMessage(
  run: AnthropicRun,
  calls: readonly Call[],
  following: AnthropicRun | undefined,
  log: RepairLog,
): Written {
  const others = following ? entriesOf(following).filter(({ result }) => !result) : [];
  logOrder(calls, following, log);
  const content = [...calls.map(resultBlock), ...others.map(({ block }) => block)];
  const base = following?.pieces[0]?.message ?? { role: 'user' };
  // Halves keep a made message apart from its neighbours, which did not stand beside it.
  const end = run.pieces.at(-1)!.position + 0.5;
  return {
    message: { ...base, content },
    first: following?.pieces[0]?.position ?? end,
    last: following?.pieces.at(-1)?.position ?? end,
  };
}

function logOrder(
  calls: readonly Call[],
  following: AnthropicRun | undefined,
  log: RepairLog,
): void {
  const entries = following ? entriesOf(following) : [];
  const inPlace = new Set(entries.flatMap(({ result }) => result ?? []));
  for (const { id, result } of calls) {
    if (result === undefined || result.isMade || inPlace.has(result)) continue;
    const reason = `the result of "${id}" stood outside the user turn behind its call`;
    log.add('A1', result.position, 'reorder_result_to_call', reason);
  }
  const firstOther = entries.findIndex(({ result }) => !result);
  const lastResult = entries.findLastIndex(({ result }) => result !== undefined);
  if (firstOther !== -1 && firstOther < lastResult) {
    const position = following!.pieces[0]!.position;
    log.add('A3', position, 'reorder_blocks', 'results stand first in their user turn');
  }
}

function resultBlock({ newId, result }: Call): JsonObject {
  const { source } = result!;
  return source.tool_use_id === newId ? source : { ...source, tool_use_id: newId };
}

/** Joins what became neighbours; with `strictAlternation` also what stood side by side. */
function merged(written: readonly Written[], options: AnthropicOptions, log: RepairLog): Written[] {
  const result: Written[] = [];
  for (const next of written) {
    const last = result.at(-1);
    const isSameRole = last !== undefined && last.message.role === next.message.role;
    const stoodApart = last !== undefined && next.first !== last.last + 1;
    if (!isSameRole || !(stoodApart || options.strictAlternation)) {
      result.push(next);
      continue;
    }
    const rule = stoodApart ? 'A9' : 'A11';
    log.add(rule, Math.floor(next.first), 'merge_same_role', 'neighbours of one role are joined');
    const content = [...blocksOf(last.message), ...blocksOf(next.message)];
    const message = { ...last.message, content };
    result[result.length - 1] = { message, first: last.first, last: next.last };
  }
  return result;
}
