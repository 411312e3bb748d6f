import type { Draft } from '../format.js';
import { isLegalId } from '../ids.js';
import type { JsonObject } from '../json.js';
import type { OpenAiResponsesOptions } from '../options.js';
import { answer, callsOf, type Call, type Result, type Unplaced } from '../pairing.js';
import type { RepairLog } from '../repair-log.js';
import { callIdField } from './items.js';
import type { ItemPieces } from './read.js';
import { RESPONSES_IDS } from './validate.js';
import { settleReasoning, type Placed } from './reasoning.js';

/** Outputs of calls on the server (R2), and outputs that precede all calls of their id (R3). */
export function placeOutputs(
  unplaced: readonly Unplaced[],
  draft: Draft<ItemPieces>,
  options: OpenAiResponsesOptions,
): Unplaced[] {
  const serverKnown = new Set(options.serverKnownCallIds);
  const openCalls = new Map<string, Call[]>();
  for (const call of callsOf(draft.walk)) {
    if (call.result !== undefined) continue;
    openCalls.set(call.id, [...(openCalls.get(call.id) ?? []), call]);
  }
  return unplaced.filter(({ result, isDuplicate }) => {
    if (isDuplicate) return true;
    if (isLegalId(result.id, RESPONSES_IDS) && serverKnown.delete(result.id)) {
      draft.pieces.serverResults.add(result);
      return false;
    }
    if (options.serverKnownCallIds?.includes(result.id)) return true;
    const open = openCalls.get(result.id)?.shift();
    if (open === undefined) return true;
    answer(open, result);
    return false;
  });
}

/** Section 6.2, steps 4 and 7: outputs keep their place unless they have to move to their call. */
export function writeResponses(
  draft: Draft<ItemPieces>,
  options: OpenAiResponsesOptions,
  log: RepairLog,
): JsonObject[] {
  const { items, serverResults } = draft.pieces;
  const placed: Placed[] = [];
  for (const { position, item, call, result } of items) {
    if (call) {
      placed.push({ position, item: withCallId(item, call.newId) });
      const answering = call.result;
      if (answering === undefined || !isMoved(answering, options)) continue;
      logMove(answering, log);
      placed.push({ position: answering.position, item: withNewId(answering) });
    } else if (result === undefined || serverResults.has(result)) {
      placed.push({ position, item });
    } else if (result.call !== undefined && !isMoved(result, options)) {
      placed.push({ position, item: withNewId(result) });
    }
  }
  const settled = settleReasoning(placed, options, (rule, position) => {
    if (rule === 'R4') log.add(rule, position, 'drop_reasoning', 'no item with an id follows it');
    else log.add(rule, position, 'strip_item_id', 'its reasoning item is not in the input');
  });
  return settled.map(({ item }) => item);
}

/** True if the output stands directly after its call instead of where it was. */
function isMoved(result: Result, options: OpenAiResponsesOptions): boolean {
  const precedes = result.position < (result.call?.position ?? 0);
  return result.isMade || precedes || options.adjacentPairs === true;
}

function logMove(result: Result, log: RepairLog): void {
  const { call, position, id, isMade } = result;
  if (isMade || call === undefined) return;
  if (position < call.position) {
    log.add('R3', position, 'reorder_result_to_call', `the output of "${id}" preceded its call`);
  } else if (position !== call.position + 1) {
    log.add('R14', position, 'interleave_pairs', `the output of "${id}" joins its call`);
  }
}

function withNewId(result: Result): JsonObject {
  return withCallId(result.source, result.call!.newId);
}

function withCallId(item: JsonObject, callId: string): JsonObject {
  const field = callIdField(item);
  return item[field] === callId ? item : { ...item, [field]: callId };
}
