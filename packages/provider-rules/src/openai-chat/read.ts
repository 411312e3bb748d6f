import type { Draft } from '../format.js';
import { isObject, type JsonObject } from '../json.js';
import type { Call, Result, Turn, WalkStep } from '../pairing.js';
import type { RepairLog } from '../repair-log.js';
import { isSyntheticText, plainText } from '../texts.js';
import { idText } from './rules.js';
import {
  isContentMissing,
  isToolContent,
  separatedMedia,
  toolCallsOf,
  withoutCalls,
  type ChatShape,
} from './shape.js';
import { hasBadCallList } from './validate.js';

/** One message on its way through the repair. */
export interface ChatPiece {
  readonly position: number;
  readonly role: string;
  readonly message: JsonObject;
  readonly isChanged: boolean;
  readonly calls: readonly Call[];
  readonly result: Result | undefined;
}

/** Media that were taken out of a tool result; they follow the run of that result (C9). */
export type MediaOf = Map<Result, readonly JsonObject[]>;

export interface ChatPieces {
  readonly pieces: readonly ChatPiece[];
  readonly media: MediaOf;
}

/** Section 6.2, step 1, for Chat and LangChain. */
export function readChat(
  history: readonly unknown[],
  shape: ChatShape,
  log: RepairLog,
): Draft<ChatPieces> {
  const walk: WalkStep[] = [];
  const pieces: ChatPiece[] = [];
  const idScopes: Call[][] = [];
  const media: MediaOf = new Map();
  history.forEach((given, position) => {
    const role = isObject(given) ? shape.roleOf(given) : undefined;
    if (role === undefined || !isObject(given)) {
      log.leaveOut('X4', position, given, 'this is no message of the format');
      return;
    }
    if (role === 'tool') {
      const result = readResult(given, position, shape, log, media);
      walk.push({ result });
      const isChanged = result.source !== given;
      const message = result.source;
      pieces.push({ position, role, message, isChanged, calls: [], result });
      return;
    }
    const message = role === 'assistant' ? cleanedAssistant(given, position, shape, log) : given;
    const body = shape.bodyOf(message);
    const calls = role === 'assistant' ? readCalls(body, position, shape) : [];
    if (isContentMissing(body) && calls.length === 0 && !isNullAllowed(role, body, shape)) {
      log.add(`${shape.prefix}6`, position, 'drop_message', 'the message has no content');
      return;
    }
    const turn: Turn = { calls };
    if (role === 'assistant') walk.push({ turn });
    if (calls.length > 0) idScopes.push(calls);
    const isChanged = message !== given;
    pieces.push({ position, role, message, isChanged, calls, result: undefined });
  });
  return { walk, idScopes, pieces: { pieces, media } };
}

function isNullAllowed(role: string, body: JsonObject, shape: ChatShape): boolean {
  return role === 'function' || (role === 'assistant' && shape.hasOtherPayload(body));
}

function cleanedAssistant(
  given: JsonObject,
  position: number,
  shape: ChatShape,
  log: RepairLog,
): JsonObject {
  let body = shape.bodyOf(given);
  const calls = toolCallsOf(body);
  if (hasBadCallList(body, shape)) {
    log.add(`${shape.prefix}5`, position, 'remove_field', 'tool_calls holds no usable call');
    body = calls.length > 0 ? { ...body, tool_calls: calls } : withoutCalls(body);
  }
  const sendable = calls.map((call) => cleanedCall(call, position, shape, log));
  if (sendable.some((call, index) => call !== calls[index])) {
    body = { ...body, tool_calls: sendable };
  }
  const hasPayload = calls.length > 0 || shape.hasOtherPayload(body);
  const isUnusable = isContentMissing(body) && body.content !== null && body.content !== undefined;
  if (hasPayload && isUnusable) {
    log.add(`${shape.prefix}6`, position, 'remove_field', 'content is neither text nor parts');
    body = { ...body, content: null };
  }
  return body === shape.bodyOf(given) ? given : shape.withBody(given, body);
}

function cleanedCall(
  call: JsonObject,
  position: number,
  shape: ChatShape,
  log: RepairLog,
): JsonObject {
  let cleaned = call;
  if (!shape.hasUsableArguments(call)) {
    const reason = `the arguments of call "${idText(call.id)}" are no JSON object`;
    log.add(`${shape.prefix}8`, position, 'wrap_invalid_json', reason);
    cleaned = shape.withWrappedArguments(cleaned);
  }
  if (shape.isNameTooLong(shape.nameOf(cleaned))) {
    log.add('X2', position, 'shorten_name', 'the tool name is longer than the provider takes');
    cleaned = shape.withShortName(cleaned);
  }
  return cleaned;
}

function readCalls(body: JsonObject, position: number, shape: ChatShape): Call[] {
  return toolCallsOf(body).map((source) => {
    const id = idText(source.id);
    const name = shape.nameOf(source);
    return {
      id,
      newId: id,
      hasStringId: typeof source.id === 'string',
      name: typeof name === 'string' ? name : undefined,
      position,
      needsResult: true,
      keys: [id],
      source,
      result: undefined,
    };
  });
}

function readResult(
  given: JsonObject,
  position: number,
  shape: ChatShape,
  log: RepairLog,
  mediaOf: MediaOf,
): Result {
  let body = shape.bodyOf(given);
  const id = idText(body.tool_call_id);
  let media: readonly JsonObject[] = [];
  if (!isToolContent(body.content)) {
    const separated = separatedMedia(body.content);
    media = separated.media;
    body = { ...body, content: separated.content };
    const action = media.length > 0 ? 'move_media_to_user' : 'convert_content_type';
    log.add(`${shape.prefix}9`, position, action, `the result of "${id}" is not only text`);
  }
  if (typeof body.tool_call_id !== 'string') {
    log.add(`${shape.prefix}10`, position, 'rewrite_ids', 'the call id of a result is no text');
    body = { ...body, tool_call_id: id };
  }
  if (shape.isNameTooLong(body.name)) {
    log.add('X2', position, 'shorten_name', 'the tool name is longer than the provider takes');
    body = { ...body, name: shape.shortName(String(body.name)) };
  }
  const text = plainText(body.content);
  const result: Result = {
    position,
    id,
    keys: [id],
    isSynthetic: text !== undefined && isSyntheticText(text),
    isMade: false,
    source: body === shape.bodyOf(given) ? given : shape.withBody(given, body),
    call: undefined,
  };
  if (media.length > 0) mediaOf.set(result, media);
  return result;
}
