import type { Draft } from '../format.js';
import { isObject, type JsonObject } from '../json.js';
import type { Call, Result } from '../pairing.js';
import type { RepairLog } from '../repair-log.js';
import { callIdOf, isCall, isResult, partsOf } from './parts.js';
import type { AiSdkPiece } from './read.js';

/**
 * Section 6.2, step 4: each assistant message, then its run. A repaired run is one tool message:
 * approval answers first, then the results in call order.
 */
export function writeAiSdk(draft: Draft<readonly AiSdkPiece[]>, log: RepairLog): JsonObject[] {
  const pieces = draft.pieces;
  const written: JsonObject[] = [];
  for (let index = 0; index < pieces.length; index += 1) {
    const piece = pieces[index]!;
    if (piece.role !== 'assistant' || piece.calls.length === 0) {
      written.push(...withoutStrayResults(piece));
      continue;
    }
    const run = runAfter(pieces, index);
    index += run.length;
    if (isIntact(piece, run)) {
      written.push(piece.message, ...run.map(({ message }) => message));
    } else {
      logMoves(piece.calls, run, log);
      written.push(withNewIds(piece), ...repairedRun(piece.calls, run));
    }
  }
  return written;
}

function runAfter(pieces: readonly AiSdkPiece[], index: number): AiSdkPiece[] {
  const run: AiSdkPiece[] = [];
  for (let next = index + 1; pieces[next]?.role === 'tool'; next += 1) run.push(pieces[next]!);
  return run;
}

function resultsOf(run: readonly AiSdkPiece[]): Result[] {
  return run.flatMap(({ results }) => results);
}

function isIntact(piece: AiSdkPiece, run: readonly AiSdkPiece[]): boolean {
  const results = resultsOf(run);
  const answered = piece.calls.filter(({ result }) => result !== undefined);
  return (
    !piece.isChanged &&
    run.every(({ isChanged }) => !isChanged) &&
    piece.calls.every((call) => call.newId === call.id && call.hasStringId) &&
    results.length === answered.length &&
    results.every(({ call }) => call !== undefined && piece.calls.includes(call))
  );
}

function logMoves(calls: readonly Call[], run: readonly AiSdkPiece[], log: RepairLog): void {
  const inRun = new Set(resultsOf(run));
  for (const { id, result } of calls) {
    if (result === undefined || result.isMade || inRun.has(result)) continue;
    const reason = `the result of "${id}" stood outside the run of its call`;
    log.add('V1', result.position, 'reorder_result_to_call', reason);
  }
}

/** A tool message outside of any run keeps its approval answers and loses its results. */
function withoutStrayResults(piece: AiSdkPiece): JsonObject[] {
  if (piece.results.length === 0) return [piece.message];
  const kept = partsOf(piece.message).filter((part) => !isResult(part));
  return kept.length > 0 ? [{ ...piece.message, content: kept }] : [];
}

function repairedRun(calls: readonly Call[], run: readonly AiSdkPiece[]): JsonObject[] {
  const results = calls
    .filter(({ result }) => result !== undefined)
    .map(({ newId, result }) => withCallId(result!.source, newId));
  const others = run.flatMap(({ message }) => partsOf(message).filter((part) => !isResult(part)));
  const content = [...others, ...results];
  return content.length > 0 ? [{ ...(run[0]?.message ?? { role: 'tool' }), content }] : [];
}

function withCallId(part: JsonObject, id: string): JsonObject {
  return part.toolCallId === id ? part : { ...part, toolCallId: id };
}

/**
 * Renamed calls, and with them every part of the same message that names a call: results of calls
 * that the provider executed and approval requests. The n-th such part belongs to the n-th call.
 */
function withNewIds(piece: AiSdkPiece): JsonObject {
  const { calls, message } = piece;
  if (calls.every((call) => call.newId === call.id && call.hasStringId)) return message;
  const seen = new Map<string, number>();
  let callIndex = 0;
  const content = partsOf(message).map((part) => {
    if (isCall(part)) return withCallId(part, calls[callIndex++]!.newId);
    if (!isObject(part) || part.toolCallId === undefined) return part;
    const id = callIdOf(part);
    const type = String(part.type);
    const sameId = calls.filter((call) => call.id === id && (!isResult(part) || !call.needsResult));
    const count = seen.get(`${type} ${id}`) ?? 0;
    seen.set(`${type} ${id}`, count + 1);
    const owner = sameId[Math.min(count, sameId.length - 1)];
    return owner === undefined ? part : withCallId(part, owner.newId);
  });
  return { ...message, content };
}
