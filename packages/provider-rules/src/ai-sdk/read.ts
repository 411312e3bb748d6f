import type { Draft } from '../format.js';
import { isObject, type JsonObject } from '../json.js';
import type { AiSdkOptions } from '../options.js';
import type { Call, Result, WalkStep } from '../pairing.js';
import type { RepairLog } from '../repair-log.js';
import { isSyntheticText } from '../texts.js';
import { isToolNameTooLong, shortenToolName } from '../tool-names.js';
import {
  type ApprovedCalls,
  approvedAtEnd,
  callIdOf,
  isCall,
  isEmptyContent,
  isResult,
  isTypedOutput,
  partsOf,
  ROLES,
  withTypedOutput,
} from './parts.js';

export interface AiSdkPiece {
  readonly position: number;
  readonly role: string;
  readonly message: JsonObject;
  readonly isChanged: boolean;
  readonly calls: readonly Call[];
  readonly results: readonly Result[];
}

/** Section 6.2, step 1, for the AI SDK. */
export function readAiSdk(
  history: readonly unknown[],
  options: AiSdkOptions,
  log: RepairLog,
): Draft<readonly AiSdkPiece[]> {
  const walk: WalkStep[] = [];
  const pieces: AiSdkPiece[] = [];
  const idScopes: Call[][] = [];
  const approved = approvedAtEnd(history);
  history.forEach((given, position) => {
    if (!isSendable(given, position, options, log)) return;
    const role = String(given.role);
    const message = withCleanParts(given, position, log);
    const isChanged = message !== given;
    if (role === 'tool') {
      const results = partsOf(message)
        .filter(isResult)
        .map((part) => readResult(part, position));
      for (const result of results) walk.push({ result });
      pieces.push({ position, role, message, isChanged, calls: [], results });
      return;
    }
    const calls =
      role === 'assistant' ? partsOf(message).filter(isCall).map(toCall(position, approved)) : [];
    if (role === 'assistant') walk.push({ turn: { calls } });
    if (calls.length > 0) idScopes.push(calls);
    pieces.push({ position, role, message, isChanged, calls, results: [] });
  });
  return { walk, idScopes, pieces };
}

function isSendable(
  given: unknown,
  position: number,
  options: AiSdkOptions,
  log: RepairLog,
): given is JsonObject {
  if (!isObject(given) || !ROLES.has(given.role)) {
    log.leaveOut('X4', position, given, 'this is no message of the format');
    return false;
  }
  if (given.role === 'system' && !options.allowSystemInMessages) {
    log.leaveOut('V3', position, given, 'system messages belong into the system option');
    return false;
  }
  if (given.role === 'assistant' && isEmptyContent(given.content)) {
    log.add('V5', position, 'drop_message', 'the assistant message is empty');
    return false;
  }
  if (given.role === 'tool' && !Array.isArray(given.content)) {
    log.add('V2', position, 'drop_message', 'the tool message has no list of parts');
    return false;
  }
  return true;
}

function withCleanParts(given: JsonObject, position: number, log: RepairLog): JsonObject {
  const parts = partsOf(given);
  const cleaned = parts.map((part) => {
    let clean = part;
    if (isResult(part) && !isTypedOutput(part.output)) {
      const reason = `the output of "${callIdOf(part)}" is no typed object`;
      log.add('V6', position, 'convert_content_type', reason);
      clean = withTypedOutput(part);
    }
    if (isResult(clean) && typeof clean.toolCallId !== 'string') {
      log.add('V2', position, 'rewrite_ids', 'the call id of a result is no text');
      clean = { ...clean, toolCallId: callIdOf(clean) };
    }
    if ((isCall(clean) || isResult(clean)) && isToolNameTooLong('ai-sdk', clean.toolName)) {
      log.add('X2', position, 'shorten_name', 'the tool name is longer than providers take');
      clean = { ...clean, toolName: shortenToolName('ai-sdk', String(clean.toolName)) };
    }
    return clean;
  });
  const isSame = cleaned.every((part, index) => part === parts[index]);
  return isSame ? given : { ...given, content: cleaned };
}

function toCall(position: number, approved: ApprovedCalls): (source: JsonObject) => Call {
  const seen = new Map<string, number>();
  return (source) => {
    const id = callIdOf(source);
    const ordinal = seen.get(id) ?? 0;
    seen.set(id, ordinal + 1);
    const isApproved = position === approved.at && approved.has(id, ordinal);
    return {
      id,
      newId: id,
      hasStringId: typeof source.toolCallId === 'string',
      name: typeof source.toolName === 'string' ? source.toolName : undefined,
      position,
      needsResult: source.providerExecuted !== true && !isApproved,
      keys: [id],
      source,
      result: undefined,
    };
  };
}

function readResult(source: JsonObject, position: number): Result {
  const id = callIdOf(source);
  const value = isObject(source.output) ? source.output.value : undefined;
  return {
    position,
    id,
    keys: [id],
    isSynthetic: typeof value === 'string' && isSyntheticText(value),
    isMade: false,
    source,
    call: undefined,
  };
}
