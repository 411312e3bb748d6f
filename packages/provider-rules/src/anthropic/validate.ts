import { isLegalId, type IdRule } from '../ids.js';
import { isBlank, isObject, textOf, type JsonObject } from '../json.js';
import type { AnthropicOptions } from '../options.js';
import { isToolNameTooLong } from '../tool-names.js';
import type { Report, Violation } from '../vocabulary.js';
import {
  blocksOf,
  endsPaused,
  hasMark,
  idOf,
  isBlankText,
  isBlock,
  isInWrongRole,
  isText,
  isThinking,
  isThinkingIntact,
  isToolResult,
  isToolUse,
  mayBeEmpty,
  mayCarryMark,
  roleOf,
  type Role,
} from './blocks.js';
import { unboundThinking } from './bound-thinking.js';
import { excessMarks, longAfterShort, marksOf } from './cache-marks.js';
import { finalTurn, loopWithoutThinking, runsOf } from './runs.js';
import { checkTurns } from './validate-turns.js';

export const ANTHROPIC_IDS: IdRule = {
  charactersMax: 64,
  illegalCharacters: /[^a-zA-Z0-9_-]/gu,
  isRequired: true,
};

/** Rules A1 to A28 of section 4.3. */
export function validateAnthropic(
  history: readonly unknown[],
  options: AnthropicOptions,
): Violation[] {
  const violations: Violation[] = [];
  const report: Report = (rule, kind, at) => violations.push({ rule, kind, at });
  history.forEach((message, at) => {
    const role = roleOf(message, options);
    if (role === undefined || !isObject(message)) {
      report(isObject(message) ? 'A27' : 'X4', 'bad_role', at);
      return;
    }
    checkContent(message, mayBeEmpty(history, at, options), at, report);
    for (const block of blocksOf(message)) checkBlock(block, role, at, options, report);
  });
  const runs = runsOf(history, options);
  checkTurns(runs, report);
  checkThinking(history, options, report);
  checkEnds(history, options, report);
  checkMarks(history, options, report);
  return violations;
}

/** A8 and A9 for whole messages. */
function checkContent(
  message: JsonObject,
  mayBeNothing: boolean,
  at: number,
  report: Report,
): void {
  const { content } = message;
  const isNothing = content === '' || !(typeof content === 'string' || Array.isArray(content));
  const isEmptyList = Array.isArray(content) && content.length === 0;
  if ((isNothing || isEmptyList) && !mayBeNothing) report('A9', 'empty_message', at);
}

function checkBlock(
  block: unknown,
  role: Role,
  at: number,
  options: AnthropicOptions,
  report: Report,
): void {
  if (!isBlock(block)) {
    report('X4', 'bad_content_type', at);
    return;
  }
  if (isInWrongRole(block, role)) report('A26', 'block_in_wrong_role', at);
  if (isText(block) && isBlankText(block)) report('A8', 'empty_text', at);
  if (hasMark(block) && !mayCarryMark(block)) report('A21', 'cache_control_not_allowed', at);
  if (isThinking(block) && !isThinkingIntact(block, options)) {
    report('A14', 'bad_thinking_signature', at);
  }
  if (isToolResult(block) && typeof block.tool_use_id !== 'string') {
    report('A7', 'bad_tool_call_id', at);
  }
  if (!isToolUse(block)) return;
  if (!isObject(block.input)) report('A22', 'invalid_arguments', at);
  if (isToolNameTooLong('anthropic', block.name)) report('X2', 'tool_name_too_long', at);
  if (typeof block.id !== 'string' || !isLegalId(idOf(block.id), ANTHROPIC_IDS)) {
    report('A7', 'bad_tool_call_id', at);
  }
}

/** A15, A18 and A28. */
function checkThinking(
  history: readonly unknown[],
  options: AnthropicOptions,
  report: Report,
): void {
  const runs = runsOf(history, options);
  if (options.thinking && options.thinkingRequired) {
    const loop = loopWithoutThinking(runs);
    if (loop !== undefined) report('A15', 'thinking_missing', loop.at);
  }
  if (options.thinking === false) {
    const blocks = finalTurn(runs)?.blocks ?? [];
    const found = blocks.find(({ block }) => isThinking(block));
    if (found !== undefined) report('A18', 'thinking_when_disabled', found.at);
  }
  if (!options.boundPrefix) return;
  const unbound = unboundThinking(history);
  history.forEach((message, at) => {
    const blocks: readonly unknown[] = isObject(message) ? blocksOf(message) : [];
    if (blocks.some((block) => unbound.has(block as JsonObject))) {
      report('A28', 'thinking_prefix_changed', at);
    }
  });
}

/** A10 to A13. */
function checkEnds(history: readonly unknown[], options: AnthropicOptions, report: Report): void {
  const roles = history.map((message) => (isObject(message) ? message.role : undefined));
  if (options.strictAlternation) {
    if (roles[0] !== 'user') report('A10', 'first_not_user', 0);
    roles.forEach((role, at) => {
      if (at > 0 && role === roles[at - 1]) report('A11', 'not_alternating', at);
    });
  }
  const at = history.length - 1;
  if (roles[at] !== 'assistant') return;
  const blocks = blocksOf(history[at] as JsonObject);
  if (options.prefill === false) {
    if (!endsPaused(blocks)) report('A12', 'prefill_unsupported', at);
    return;
  }
  const last = blocks.at(-1);
  const text = isText(last) ? (textOf(last.text) ?? '') : '';
  if (!isBlank(text) && text !== text.trimEnd()) report('A13', 'trailing_whitespace', at);
}

/** A19 and A20. */
function checkMarks(history: readonly unknown[], options: AnthropicOptions, report: Report): void {
  if (excessMarks(history, options.cacheControlElsewhere ?? 0) > 0) {
    report('A19', 'too_many_cache_control', marksOf(history)[0]?.at ?? 0);
  }
  const at = longAfterShort(history);
  if (at !== -1) report('A20', 'cache_control_ttl_order', at);
}
