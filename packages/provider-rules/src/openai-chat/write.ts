import type { Draft } from '../format.js';
import type { JsonObject } from '../json.js';
import type { Call, Result } from '../pairing.js';
import type { RepairLog } from '../repair-log.js';
import type { ChatPiece, ChatPieces, MediaOf } from './read.js';
import { toolCallsOf, type ChatShape } from './shape.js';

/** Section 6.2, step 4: each assistant message, then its run. A repaired run is in call order. */
export function writeChat(
  draft: Draft<ChatPieces>,
  shape: ChatShape,
  log: RepairLog,
): JsonObject[] {
  const { pieces, media } = draft.pieces;
  const written: JsonObject[] = [];
  pieces.forEach((piece, index) => {
    if (piece.role === 'tool') return;
    if (piece.calls.length === 0) {
      written.push(piece.message);
      return;
    }
    const run = runAfter(pieces, index);
    if (isIntact(piece, run)) {
      written.push(piece.message, ...run.map(({ message }) => message));
      return;
    }
    logMoves(piece, run, shape, log);
    written.push(withNewIds(piece, shape), ...repairedRun(piece.calls, media, shape));
  });
  return written;
}

function runAfter(pieces: readonly ChatPiece[], index: number): ChatPiece[] {
  const run: ChatPiece[] = [];
  for (let next = index + 1; pieces[next]?.role === 'tool'; next += 1) run.push(pieces[next]!);
  return run;
}

function isIntact(piece: ChatPiece, run: readonly ChatPiece[]): boolean {
  return (
    !piece.isChanged &&
    run.length === piece.calls.length &&
    piece.calls.every((call) => call.newId === call.id && call.hasStringId) &&
    run.every(
      ({ isChanged, result }) =>
        !isChanged && result?.call !== undefined && piece.calls.includes(result.call),
    )
  );
}

function logMoves(
  piece: ChatPiece,
  run: readonly ChatPiece[],
  shape: ChatShape,
  log: RepairLog,
): void {
  const inRun = new Set(run.map(({ result }) => result));
  for (const { id, result } of piece.calls) {
    if (result === undefined || result.isMade || inRun.has(result)) continue;
    const reason = `the result of "${id}" stood outside the run of its call`;
    log.add(`${shape.prefix}1`, result.position, 'reorder_result_to_call', reason);
  }
}

function withNewIds(piece: ChatPiece, shape: ChatShape): JsonObject {
  const { calls, message } = piece;
  if (calls.every((call) => call.newId === call.id && call.hasStringId)) return message;
  const body = shape.bodyOf(message);
  const renamed = toolCallsOf(body).map((call, index) => ({ ...call, id: calls[index]!.newId }));
  return shape.withBody(message, { ...body, tool_calls: renamed });
}

function repairedRun(calls: readonly Call[], media: MediaOf, shape: ChatShape): JsonObject[] {
  const answered = calls.filter((call) => call.result !== undefined);
  const run = answered.map((call) => withCallId(call.result!, call.newId, shape));
  const moved = answered.flatMap((call) => media.get(call.result!) ?? []);
  return moved.length > 0 ? [...run, shape.message('user', moved)] : run;
}

function withCallId(result: Result, callId: string, shape: ChatShape): JsonObject {
  const body = shape.bodyOf(result.source);
  if (body.tool_call_id === callId) return result.source;
  return shape.withBody(result.source, { ...body, tool_call_id: callId });
}
