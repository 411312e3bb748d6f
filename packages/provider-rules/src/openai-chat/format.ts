import type { Format } from '../format.js';
import type { OpenAiChatOptions } from '../options.js';
import type { RepairLog } from '../repair-log.js';
import { FIXED_STRINGS, isErrorReason } from '../texts.js';
import { readChat, type ChatPieces } from './read.js';
import { chatIdRule } from './rules.js';
import { chatShape, type ChatShape } from './shape.js';
import { validateChat } from './validate.js';
import { writeChat } from './write.js';

/** Chat Completions and LangChain differ in their shape only. */
export function chatFormat(shape: ChatShape): Format<OpenAiChatOptions, ChatPieces> {
  const { prefix } = shape;
  return {
    emptyRule: `${prefix}0`,
    emptyKind: 'empty_history',
    pairing: { missing: `${prefix}1`, orphan: `${prefix}2`, duplicate: `${prefix}3` },
    idRules: { illegal: `${prefix}10`, duplicate: `${prefix}4` },
    idRule: chatIdRule,
    validate: (history, options) => validateChat(history, shape, options),
    userMessage: (text) => shape.message('user', text),
    read: (history, _options, log) => readChat(history, shape, log),
    synthesize: (call, text, reason) => shape.toolMessage(call.id, text, isErrorReason(reason)),
    write: (draft, _options, log) => writeChat(draft, shape, log),
    finish: (history, options, log) =>
      options.mistral ? withBridges(history, shape, log) : [...history],
  };
}

/** C12: Mistral takes no user message directly after a tool message. */
function withBridges(history: readonly unknown[], shape: ChatShape, log: RepairLog): unknown[] {
  const roles = history.map((message) => shape.roleOf(message as never));
  return history.flatMap((message, at) => {
    if (roles[at] !== 'user' || roles[at - 1] !== 'tool') return [message];
    const reason = 'the server takes no user message directly after a tool message';
    log.add(`${shape.prefix}12`, at, 'insert_assistant', reason);
    return [shape.message('assistant', FIXED_STRINGS.done), message];
  });
}

export const openAiChat = chatFormat(chatShape);
