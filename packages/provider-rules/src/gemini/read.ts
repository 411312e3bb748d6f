import type { Draft } from '../format.js';
import { isObject, textOf, type JsonObject } from '../json.js';
import type { GeminiOptions } from '../options.js';
import type { Call, Result, WalkStep } from '../pairing.js';
import type { RepairLog } from '../repair-log.js';
import { isSyntheticText } from '../texts.js';
import { isToolNameTooLong, shortenToolName } from '../tool-names.js';
import {
  callKeys,
  callOf,
  hasField,
  idOf,
  isEmptyText,
  partsOf,
  responseKeys,
  responseOf,
  roleOf,
  type GeminiRole,
} from './parts.js';

export interface GeminiPiece {
  readonly position: number;
  readonly content: JsonObject;
  readonly parts: readonly JsonObject[];
  readonly isChanged: boolean;
}

/** Neighbours of one role, as they stood in the given history. */
export interface GeminiRun {
  readonly role: GeminiRole | 'none';
  readonly pieces: GeminiPiece[];
  readonly calls: Call[];
  readonly results: Result[];
}

/** Section 6.2, step 1, for Gemini. */
export function readGemini(
  history: readonly unknown[],
  options: GeminiOptions,
  log: RepairLog,
): Draft<readonly GeminiRun[]> {
  const runs: GeminiRun[] = [];
  history.forEach((given, position) => {
    const role = isObject(given) ? (roleOf(given) ?? 'none') : 'none';
    if (runs.at(-1)?.role !== role) runs.push({ role, pieces: [], calls: [], results: [] });
    const run = runs.at(-1)!;
    if (role === 'none' || !isObject(given)) {
      log.leaveOut('G10', position, given, 'the role is neither user nor model');
      return;
    }
    const piece = cleanedPiece(given, role, position, options, log);
    if (piece.parts.length === 0) {
      log.add('G6', position, 'drop_content', 'the content has no part that can be sent');
    }
    run.pieces.push(piece);
    for (const part of piece.parts) {
      const [call, response] = [callOf(part), responseOf(part)];
      if (call) run.calls.push(toCall(part, call, position));
      if (response) run.results.push(toResult(part, response, position));
    }
  });
  const walk = runs.flatMap((run): WalkStep[] =>
    run.role === 'model' ? [{ turn: run }] : run.results.map((result) => ({ result })),
  );
  return { walk, idScopes: [], pieces: runs };
}

function cleanedPiece(
  given: JsonObject,
  role: GeminiRole,
  position: number,
  options: GeminiOptions,
  log: RepairLog,
): GeminiPiece {
  const givenParts = partsOf(given);
  const parts = givenParts.flatMap((part) => cleanedPart(part, role, position, options, log));
  const hasRole = given.role === role;
  if (!hasRole) log.add('G10', position, 'set_role', 'a content without a role counts as user');
  const isChanged =
    !hasRole ||
    parts.length !== givenParts.length ||
    parts.some((part, index) => part !== givenParts[index]);
  const content = isChanged ? { ...given, role, parts } : given;
  return { position, content, parts, isChanged };
}

function cleanedPart(
  given: unknown,
  role: GeminiRole,
  position: number,
  options: GeminiOptions,
  log: RepairLog,
): JsonObject[] {
  const drop = (rule: string, reason: string): JsonObject[] => {
    log.add(rule, position, 'drop_block', reason);
    return [];
  };
  const part = typeof given === 'string' ? { text: given } : given;
  if (part !== given) log.add('G6', position, 'convert_content_type', 'text became a text part');
  if (!hasField(part)) return drop('G6', 'the part has no field');
  if (options.vertex && isEmptyText(part)) return drop('G6', 'Vertex refuses empty text');
  const [call, response] = [callOf(part), responseOf(part)];
  if (call && role !== 'model') return drop('G10', 'a call outside a model content');
  if (response && role !== 'user') return drop('G10', 'a response outside a user content');
  const named = call ?? response;
  if (named === undefined || !isToolNameTooLong('gemini', named.name)) return [part];
  log.add('X2', position, 'shorten_name', 'the tool name is longer than the provider takes');
  const shortened = { ...named, name: shortenToolName('gemini', String(named.name)) };
  return [{ ...part, [call ? 'functionCall' : 'functionResponse']: shortened }];
}

function toCall(source: JsonObject, call: JsonObject, position: number): Call {
  const id = idOf(call) ?? '';
  return {
    id,
    newId: id,
    hasStringId: true,
    name: textOf(call.name),
    position,
    needsResult: true,
    keys: callKeys(call),
    source,
    result: undefined,
  };
}

function toResult(source: JsonObject, response: JsonObject, position: number): Result {
  const payload = isObject(response.response) ? response.response : {};
  const texts = [payload.error, payload.output].filter((text) => typeof text === 'string');
  return {
    position,
    id: idOf(response) ?? '',
    keys: responseKeys(response),
    isSynthetic: texts.length === 1 && isSyntheticText(texts[0]!),
    isMade: false,
    source,
    call: undefined,
  };
}
