import { isObject, textOf } from '../json.js';
import type { ChatShape } from '../openai-chat/shape.js';
import { FIXED_STRINGS } from '../texts.js';
import { isToolNameTooLong, shortenToolName } from '../tool-names.js';

/** Stored types, as `mapChatMessagesToStoredMessages` writes them, in Chat's words. */
const ROLE_OF_TYPE: ReadonlyMap<unknown, string> = new Map([
  ['human', 'user'],
  ['ai', 'assistant'],
  ['tool', 'tool'],
  ['system', 'system'],
  ['developer', 'developer'],
  ['function', 'function'],
  ['generic', 'generic'],
]);

const TYPE_OF_ROLE = { user: 'human', assistant: 'ai' } as const;

/** `{type, data}`: everything but the type lives in `data`. */
export const langChainShape: ChatShape = {
  prefix: 'L',
  refusesEmptyCalls: false,
  roleOf: ({ type }) => ROLE_OF_TYPE.get(type),
  bodyOf: ({ data }) => (isObject(data) ? data : {}),
  withBody: (message, body) => ({ ...message, data: body }),
  hasOtherPayload: (body) => hasPayload(body) || hasPayload(body.additional_kwargs),
  nameOf: (call) => call.name,
  hasUsableArguments: (call) => isObject(call.args),
  withWrappedArguments: (call) => ({
    ...call,
    args: { [FIXED_STRINGS.invalidJson]: call.args ?? null },
  }),
  isNameTooLong: (name) => isToolNameTooLong('langchain', name),
  withShortName: (call) => ({
    ...call,
    name: shortenToolName('langchain', textOf(call.name) ?? ''),
  }),
  shortName: (name) => shortenToolName('langchain', name),
  message: (role, content) => ({ type: TYPE_OF_ROLE[role], data: { content } }),
  toolMessage: (callId, text, isError) => ({
    type: 'tool',
    data: { content: text, tool_call_id: callId, ...(isError ? { status: 'error' } : {}) },
  }),
};

function hasPayload(fields: unknown): boolean {
  if (!isObject(fields)) return false;
  return ['audio', 'refusal', 'function_call'].some((field) => {
    const value = fields[field];
    return value !== undefined && value !== null;
  });
}
