import type { Format } from '../format.js';
import { textOf, type JsonObject } from '../json.js';
import type { AnthropicOptions } from '../options.js';
import type { RepairLog } from '../repair-log.js';
import { FIXED_STRINGS, isErrorReason } from '../texts.js';
import { blocksOf, endsPaused, isText } from './blocks.js';
import { withoutFinalThinking, withoutInvalidatedThinking } from './bound-thinking.js';
import { withLegalMarks } from './cache-marks.js';
import { readAnthropic, type AnthropicRun } from './read.js';
import { finalTurn, loopWithoutThinking, runsOf } from './runs.js';
import { ANTHROPIC_IDS, validateAnthropic } from './validate.js';
import { writeAnthropic } from './write.js';

/** `messages` of the Messages API. */
export const anthropic: Format<AnthropicOptions, readonly AnthropicRun[]> = {
  emptyRule: 'A0',
  emptyKind: 'empty_history',
  pairing: { missing: 'A1', orphan: 'A2', duplicate: 'A6' },
  idRules: { illegal: 'A7', duplicate: 'A5' },
  idRule: () => ANTHROPIC_IDS,
  validate: validateAnthropic,
  userMessage,
  read: readAnthropic,
  synthesize: (call, text, reason) => ({
    type: 'tool_result',
    tool_use_id: call.id,
    content: text,
    ...(isErrorReason(reason) ? { is_error: true } : {}),
  }),
  write: writeAnthropic,
  finish: (history, options, log, end) => {
    const ended = withEnds(history, options, log, end);
    return withLegalMarks(ended, options.cacheControlElsewhere ?? 0, log);
  },
  reconsider: (given, repaired, options) => {
    if (options.thinking === false) {
      const final = finalTurn(runsOf(repaired, options))?.blocks ?? [];
      const blocks = new Set(final.map(({ block }) => block));
      const without = withoutFinalThinking(given, repaired, blocks);
      if (without !== undefined) return without;
    }
    return options.boundPrefix ? withoutInvalidatedThinking(given, repaired) : undefined;
  },
  optionsToChange: (history, options) => {
    if (!options.thinking || !options.thinkingRequired) return undefined;
    const loop = loopWithoutThinking(runsOf(history, options));
    return loop === undefined ? undefined : { thinking: false };
  },
};

function userMessage(text: string): JsonObject {
  return { role: 'user', content: [{ type: 'text', text }] };
}

/** A10, A12 and A13: ephemeral head and tail, for the request only. */
function withEnds(
  history: readonly unknown[],
  options: AnthropicOptions,
  log: RepairLog,
  end: number,
): unknown[] {
  const ended = [...history] as JsonObject[];
  if (options.strictAlternation && ended[0]?.role !== 'user') {
    log.add('A10', 0, 'prepend_user', 'the first message must be of the user');
    ended.unshift(userMessage(FIXED_STRINGS.conversationContinues));
  }
  const last = ended.at(-1);
  if (last?.role !== 'assistant') return ended;
  if (options.prefill !== false) {
    ended[ended.length - 1] = withTrimmedEnd(last, log, end);
  } else if (!endsPaused(blocksOf(last))) {
    log.add('A12', end, 'append_ephemeral_user', 'the model takes no assistant message at the end');
    ended.push(userMessage(FIXED_STRINGS.continue));
  }
  return ended;
}

function withTrimmedEnd(message: JsonObject, log: RepairLog, end: number): JsonObject {
  const blocks = blocksOf(message);
  const last = blocks.at(-1);
  const text = isText(last) ? (textOf(last.text) ?? '') : '';
  const trimmed = text.trimEnd();
  if (!isText(last) || trimmed === text) return message;
  log.add('A13', end - 1, 'trim_end', 'the final assistant text ends in whitespace');
  if (typeof message.content === 'string') return { ...message, content: trimmed };
  return { ...message, content: [...blocks.slice(0, -1), { ...last, text: trimmed }] };
}
