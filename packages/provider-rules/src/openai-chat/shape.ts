import { isObject, jsonText, parsedJson, textOf, withoutKeys, type JsonObject } from '../json.js';
import { FIXED_STRINGS } from '../texts.js';
import { isToolNameTooLong, shortenToolName } from '../tool-names.js';

/** Where Chat Completions and LangChain keep the same facts; the rules are shared. */
export interface ChatShape {
  /** `C` or `L`: Ln is Cn after mapping the roles. */
  readonly prefix: 'C' | 'L';
  /** True if `tool_calls: []` is refused (C5); LangChain stores it in every AI message. */
  readonly refusesEmptyCalls: boolean;
  /** The role in Chat's words, or undefined if the format has no such message. */
  roleOf(message: JsonObject): string | undefined;
  /** The object with `content`, `tool_calls` and `tool_call_id`. */
  bodyOf(message: JsonObject): JsonObject;
  withBody(message: JsonObject, body: JsonObject): JsonObject;
  /** Audio, refusal or an old function call: content may be null beside them (C6). */
  hasOtherPayload(body: JsonObject): boolean;
  nameOf(call: JsonObject): unknown;
  hasUsableArguments(call: JsonObject): boolean;
  withWrappedArguments(call: JsonObject): JsonObject;
  isNameTooLong(name: unknown): boolean;
  withShortName(call: JsonObject): JsonObject;
  shortName(name: string): string;
  message(role: 'user' | 'assistant', content: unknown): JsonObject;
  toolMessage(callId: string, text: string, isError: boolean): JsonObject;
}

const ROLES = new Set(['system', 'developer', 'user', 'assistant', 'tool', 'function']);

function isTextOfObject(text: unknown): boolean {
  return typeof text === 'string' && isObject(parsedJson(text));
}

export function invalidJsonText(raw: unknown): string {
  const empty = `{"${FIXED_STRINGS.invalidJson}":""}`;
  return jsonText({ [FIXED_STRINGS.invalidJson]: raw ?? '' }, empty);
}

export const chatShape: ChatShape = {
  prefix: 'C',
  refusesEmptyCalls: true,
  roleOf: ({ role }) => (typeof role === 'string' && ROLES.has(role) ? role : undefined),
  bodyOf: (message) => message,
  withBody: (_message, body) => body,
  hasOtherPayload: (body) => hasPayload(body),
  nameOf: (call) => (isObject(call.function) ? call.function.name : undefined),
  hasUsableArguments: (call) =>
    isCustomCall(call) || (isObject(call.function) && isTextOfObject(call.function.arguments)),
  withWrappedArguments: (call) => {
    const described = isObject(call.function) ? call.function : { name: '' };
    const wrapped = { ...described, arguments: invalidJsonText(described.arguments) };
    return { ...call, function: wrapped };
  },
  isNameTooLong: (name) => isToolNameTooLong('openai-chat', name),
  withShortName: (call) => {
    const described = call.function as JsonObject;
    const name = shortenToolName('openai-chat', textOf(described.name) ?? '');
    return { ...call, function: { ...described, name } };
  },
  shortName: (name) => shortenToolName('openai-chat', name),
  message: (role, content) => ({ role, content }),
  toolMessage: (callId, text) => ({ role: 'tool', tool_call_id: callId, content: text }),
};

/** Free-form calls carry text, not JSON (`type: "custom"`). */
function isCustomCall(call: JsonObject): boolean {
  return call.type === 'custom' && isObject(call.custom);
}

function hasPayload(body: JsonObject): boolean {
  return ['audio', 'refusal', 'function_call'].some((field) => {
    const value = body[field];
    return value !== undefined && value !== null;
  });
}

/** The calls of an assistant body; entries that are no objects are no calls. */
export function toolCallsOf(body: JsonObject): JsonObject[] {
  return Array.isArray(body.tool_calls) ? body.tool_calls.filter(isObject) : [];
}

/** True if `content` is neither a string nor a list. */
export function isContentMissing(body: JsonObject): boolean {
  return typeof body.content !== 'string' && !Array.isArray(body.content);
}

export function isTextPart(part: unknown): boolean {
  return isObject(part) && part.type === 'text' && typeof part.text === 'string';
}

/** True if a tool message may be sent with this content (C9). */
export function isToolContent(content: unknown): boolean {
  if (typeof content === 'string') return true;
  return Array.isArray(content) && content.every(isTextPart);
}

/** Tool content without what Chat refuses there, and the media that move to a user message. */
export function separatedMedia(content: unknown): { content: unknown; media: JsonObject[] } {
  if (!Array.isArray(content)) {
    const text = content === null || content === undefined ? '' : jsonText(content, '');
    return { content: text, media: [] };
  }
  const asParts = content.map((part: unknown) =>
    typeof part === 'string' ? { type: 'text', text: part } : part,
  );
  const texts = asParts.filter(isTextPart);
  const media = asParts.filter(
    (part): part is JsonObject => isObject(part) && part.type !== 'text',
  );
  if (texts.length > 0) return { content: texts, media };
  return { content: media.length > 0 ? FIXED_STRINGS.seeAttachedContent : '', media };
}

export function withoutCalls(body: JsonObject): JsonObject {
  return withoutKeys(body, 'tool_calls');
}
