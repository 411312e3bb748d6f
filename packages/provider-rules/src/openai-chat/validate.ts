import { isLegalId } from '../ids.js';
import { isObject, type JsonObject } from '../json.js';
import type { OpenAiChatOptions } from '../options.js';
import type { Report, Violation } from '../vocabulary.js';
import { chatIdRule, idText, TOOL_CALLS_MAX } from './rules.js';
import { isContentMissing, isToolContent, toolCallsOf, type ChatShape } from './shape.js';

/** Rules C1 to C12, or L1 to L10, of section 4.1. */
export function validateChat(
  history: readonly unknown[],
  shape: ChatShape,
  options: OpenAiChatOptions,
): Violation[] {
  const violations: Violation[] = [];
  const report: Report = (rule, kind, at) => violations.push({ rule, kind, at });
  const numbered: Report = (number, kind, at) => report(`${shape.prefix}${number}`, kind, at);
  const roles = history.map((message) => (isObject(message) ? shape.roleOf(message) : undefined));
  history.forEach((message, at) => {
    const role = roles[at];
    if (role === undefined || !isObject(message)) {
      report('X4', 'bad_role', at);
      return;
    }
    const body = shape.bodyOf(message);
    if (role === 'assistant') {
      checkAssistant(body, at, shape, options, numbered, report);
    } else if (role === 'tool') {
      if (!isToolContent(body.content)) numbered('9', 'tool_content_not_text', at);
      if (typeof body.tool_call_id !== 'string') numbered('10', 'bad_tool_call_id', at);
      if (shape.isNameTooLong(body.name)) report('X2', 'tool_name_too_long', at);
    } else if (isContentMissing(body) && role !== 'function') {
      numbered('6', 'null_content', at);
    }
    if (options.mistral && role === 'user' && roles[at - 1] === 'tool') {
      numbered('12', 'not_alternating', at);
    }
  });
  checkRuns(history, roles, shape, numbered);
  return violations;
}

function checkAssistant(
  body: JsonObject,
  at: number,
  shape: ChatShape,
  options: OpenAiChatOptions,
  numbered: Report,
  report: Report,
): void {
  const calls = toolCallsOf(body);
  if (hasBadCallList(body, shape)) numbered('5', 'empty_tool_calls', at);
  const mayBeNull = calls.length > 0 || shape.hasOtherPayload(body);
  const isNull = body.content === null || body.content === undefined;
  if (isContentMissing(body) && !(isNull && mayBeNull)) numbered('6', 'null_content', at);
  if (calls.length > TOOL_CALLS_MAX) numbered('7', 'too_many_tool_calls', at);
  const ids = new Set<string>();
  for (const call of calls) {
    if (!shape.hasUsableArguments(call)) numbered('8', 'invalid_arguments', at);
    if (shape.isNameTooLong(shape.nameOf(call))) report('X2', 'tool_name_too_long', at);
    const id = idText(call.id);
    if (typeof call.id !== 'string') {
      numbered('10', 'bad_tool_call_id', at);
    } else if (!isLegalId(id, chatIdRule(options))) {
      if (options.mistral) numbered('11', 'bad_tool_call_id', at);
      else numbered('10', 'tool_call_id_too_long', at);
    }
    if (ids.has(id)) numbered('4', 'duplicate_tool_call_id', at);
    ids.add(id);
  }
}

/** C5, and entries that are no objects. */
export function hasBadCallList(body: JsonObject, shape: ChatShape): boolean {
  if (!Object.hasOwn(body, 'tool_calls') || body.tool_calls === undefined) return false;
  const listed: unknown = body.tool_calls;
  if (!Array.isArray(listed)) return true;
  if (listed.length === 0) return shape.refusesEmptyCalls;
  return listed.some((call) => !isObject(call));
}

/** C1, C2 and C3: the run of an assistant message is the row of tool messages directly after it. */
function checkRuns(
  history: readonly unknown[],
  roles: readonly (string | undefined)[],
  shape: ChatShape,
  numbered: Report,
): void {
  const bodyAt = (at: number): JsonObject => shape.bodyOf(history[at] as JsonObject);
  for (let at = 0; at < history.length; at += 1) {
    if (roles[at] === 'tool') {
      numbered('2', 'orphan_tool_result', at);
      continue;
    }
    if (roles[at] !== 'assistant') continue;
    const open = new Map<string, number>();
    const calls = toolCallsOf(bodyAt(at));
    for (const call of calls) open.set(idText(call.id), (open.get(idText(call.id)) ?? 0) + 1);
    let end = at + 1;
    for (; roles[end] === 'tool'; end += 1) {
      const id = idText(bodyAt(end).tool_call_id);
      const count = open.get(id);
      if (count === undefined) numbered('2', 'orphan_tool_result', end);
      else if (count === 0) numbered('3', 'duplicate_tool_result', end);
      else open.set(id, count - 1);
    }
    for (const count of open.values()) {
      for (let missing = 0; missing < count; missing += 1) numbered('1', 'missing_tool_result', at);
    }
    at = end - 1;
  }
}
