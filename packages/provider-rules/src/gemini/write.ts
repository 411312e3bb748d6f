import type { Draft } from '../format.js';
import type { JsonObject } from '../json.js';
import { answer, type Call, type Unplaced } from '../pairing.js';
import type { RepairLog } from '../repair-log.js';
import { callOf, isResponseTo, responseOf } from './parts.js';
import type { GeminiPiece, GeminiRun } from './read.js';

type Kind = 'calls' | 'responses' | 'plain';

interface Written {
  readonly kind: Kind;
  readonly position: number;
  readonly content: JsonObject;
  readonly parts: readonly JsonObject[];
}

/**
 * A response without id whose name no call has: it stands directly behind open calls, so it belongs
 * to the first of them, and gets its name (G11).
 */
export function placeByPosition(
  unplaced: readonly Unplaced[],
  draft: Draft<readonly GeminiRun[]>,
): Unplaced[] {
  const runs = draft.pieces;
  const runOf = new Map(
    runs.flatMap((run, at) => run.results.map((result) => [result, at] as const)),
  );
  return unplaced.filter(({ result, isDuplicate }) => {
    if (isDuplicate || result.id !== '') return true;
    const open = runs[runOf.get(result)! - 1]?.calls.find((call) => call.result === undefined);
    if (open === undefined) return true;
    answer(open, result);
    return false;
  });
}

/** Section 6.2, steps 4 and 6: calls, one content with their responses, then the rest. */
export function writeGemini(draft: Draft<readonly GeminiRun[]>, log: RepairLog): JsonObject[] {
  const runs = draft.pieces;
  const written: Written[] = [];
  for (let index = 0; index < runs.length; index += 1) {
    const run = runs[index]!;
    if (run.calls.length === 0) {
      written.push(...run.pieces.flatMap(withoutResponses));
      continue;
    }
    const following = runs[index + 1]?.role === 'user' ? runs[index + 1] : undefined;
    if (following !== undefined) index += 1;
    if (isIntact(run, following)) {
      const [responses, ...rest] = following!.pieces;
      written.push(...run.pieces.map((piece) => asWritten('calls', piece)));
      written.push(asWritten('responses', responses!), ...rest.flatMap(withoutResponses));
    } else {
      written.push(...repairedTurn(run, following, log));
    }
  }
  return joined(written, log).map(({ content }) => content);
}

function isIntact(run: GeminiRun, following: GeminiRun | undefined): boolean {
  const first = following?.pieces[0];
  return (
    first !== undefined &&
    run.pieces.every(({ isChanged, parts }) => !isChanged && parts.some(callOf)) &&
    !first.isChanged &&
    first.parts.every(responseOf) &&
    first.parts.length === run.calls.length &&
    following!.results.length === run.calls.length &&
    run.calls.every((call, at) => call.result === following!.results[at] && isNamed(call))
  );
}

function isNamed(call: Call): boolean {
  return isResponseTo(responseOf(call.result!.source)!, callOf(call.source)!);
}

function repairedTurn(run: GeminiRun, following: GeminiRun | undefined, log: RepairLog): Written[] {
  const own = run.pieces.filter(({ parts }) => parts.length > 0);
  const holder = following?.pieces.find(({ parts }) => parts.some(responseOf));
  const parts = run.calls.filter(({ result }) => result !== undefined).map(responsePart);
  logTurn(run, following, log);
  const rest = (following?.pieces ?? []).flatMap(withoutResponses);
  const position = own[0]!.position;
  const responses = {
    kind: 'responses' as const,
    position: holder?.position ?? position,
    content: { ...(holder?.content ?? { role: 'user' }), parts },
    parts,
  };
  return [joinedCalls(own), responses, ...rest];
}

function joinedCalls(pieces: readonly GeminiPiece[]): Written {
  if (pieces.length === 1) return asWritten('calls', pieces[0]!);
  const parts = pieces.flatMap((piece) => piece.parts);
  const { position, content } = pieces[0]!;
  return { kind: 'calls', position, content: { ...content, parts }, parts };
}

function logTurn(run: GeminiRun, following: GeminiRun | undefined, log: RepairLog): void {
  if (run.pieces.length > 1) {
    const reason = 'the model contents of a repaired turn are joined';
    log.add('G1', run.pieces[1]!.position, 'merge_same_role', reason);
  }
  const holders = new Set<number>();
  for (const { result, id, name } of run.calls) {
    if (result === undefined || result.isMade) continue;
    holders.add(result.position);
    if (!following?.results.includes(result)) {
      const reason = `the response to ${id || name} stood away from its call`;
      log.add('G2', result.position, 'reorder_result_to_call', reason);
    }
  }
  const [first, ...others] = [...holders];
  for (const position of others) {
    log.add('G3', position, 'merge_responses', 'the responses of a turn are one content');
  }
  const mixed = following?.pieces.find(({ parts }) => parts.some(responseOf));
  if (mixed !== undefined && !mixed.parts.every(responseOf)) {
    log.add('G4', mixed.position, 'split_content', 'responses stand alone in their content');
  }
  const given = (following?.results ?? []).filter(({ call }) => call && run.calls.includes(call));
  const ordered = run.calls.flatMap(({ result }) => (given.includes(result!) ? [result] : []));
  if (ordered.some((result, index) => result !== given[index])) {
    log.add('G11', first ?? run.pieces[0]!.position, 'reorder_blocks', 'responses in call order');
  }
  const misnamed = run.calls.find((call) => call.result !== undefined && !isNamed(call));
  if (misnamed !== undefined) {
    const reason = `the response takes the name of its call, "${misnamed.name}"`;
    log.add('G11', misnamed.result!.position, 'copy_name', reason);
  }
}

function responsePart({ source, result }: Call): JsonObject {
  const [call, response] = [callOf(source)!, responseOf(result!.source)!];
  if (isResponseTo(response, call)) return result!.source;
  return { ...result!.source, functionResponse: { ...response, name: call.name } };
}

function asWritten(kind: Kind, piece: GeminiPiece): Written {
  return { kind, position: piece.position, content: piece.content, parts: piece.parts };
}

function withoutResponses(piece: GeminiPiece): Written[] {
  const kept = piece.parts.filter((part) => !responseOf(part));
  if (kept.length === 0) return [];
  if (kept.length === piece.parts.length) return [asWritten('plain', piece)];
  const content = { ...piece.content, parts: kept };
  return [{ kind: 'plain', position: piece.position, content, parts: kept }];
}

/** G12 and G1: plain neighbours of one role are one content, and so are plain text and calls. */
function joined(written: readonly Written[], log: RepairLog): Written[] {
  const result: Written[] = [];
  for (const next of written) {
    const last = result.at(-1);
    const isJoinable =
      last?.kind === 'plain' &&
      next.kind !== 'responses' &&
      last.content.role === next.content.role;
    if (!isJoinable) {
      result.push(next);
      continue;
    }
    const parts = [...last.parts, ...next.parts];
    const rule = next.kind === 'calls' ? 'G1' : 'G12';
    log.add(rule, next.position, 'merge_same_role', 'neighbours of one role are joined');
    result[result.length - 1] = { ...next, content: { ...last.content, parts }, parts };
  }
  return result;
}
