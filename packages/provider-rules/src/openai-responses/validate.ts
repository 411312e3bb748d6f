import { isLegalId, type IdRule } from '../ids.js';
import { isObject, type JsonObject } from '../json.js';
import type { OpenAiResponsesOptions } from '../options.js';
import { isToolNameTooLong } from '../tool-names.js';
import type { Report, Violation } from '../vocabulary.js';
import {
  callIdOf,
  hasBadId,
  hasContent,
  hasEncryptedContent,
  hasStringCallId,
  isForeign,
  isPartOf,
  itemId,
  kindOf,
} from './items.js';
import { itemsWithoutReasoning, reasoningWithoutFollower } from './reasoning.js';

/** Documented: `call_id` has 1 to 64 characters (openai/openai-openapi). */
export const RESPONSES_IDS: IdRule = { charactersMax: 64, isRequired: true };

/** Rules R1 to R14 of section 4.2. */
export function validateResponses(
  history: readonly unknown[],
  options: OpenAiResponsesOptions,
): Violation[] {
  const violations: Violation[] = [];
  const report: Report = (rule, kind, at) => violations.push({ rule, kind, at });
  history.forEach((item, at) => {
    if (kindOf(item) === 'unknown') report('X4', 'bad_role', at);
    else checkItem(item as JsonObject, at, options, report);
  });
  checkItemIds(history, options, report);
  for (const at of reasoningWithoutFollower(history)) {
    report('R4', 'reasoning_without_follower', at);
  }
  for (const at of itemsWithoutReasoning(history, options)) {
    report('R5', 'item_without_reasoning', at);
  }
  checkPairs(history, options, report);
  return violations;
}

function checkItem(
  item: JsonObject,
  at: number,
  options: OpenAiResponsesOptions,
  report: Report,
): void {
  const kind = kindOf(item);
  if (options.store === false) {
    const isBare = kind === 'reasoning' && !hasEncryptedContent(item);
    if (kind === 'reference' || isBare) report('R6', 'unpersisted_item', at);
  }
  if (kind === 'reference' && itemId(item) === undefined) report('R9', 'bad_item_id', at);
  if (isForeign(item, options.encryptedOwner)) report('R7', 'foreign_encrypted_content', at);
  if (hasBadId(item)) report('R9', 'bad_item_id', at);
  if (isToolNameTooLong('openai-responses', item.name) && kind === 'call') {
    report('X2', 'tool_name_too_long', at);
  }
  if (kind === 'message') {
    const parts = Array.isArray(item.content) ? item.content : [];
    const isUnusable = !hasContent(item) || !parts.every((part) => isPartOf(part, item.role));
    if (isUnusable) report('R10', 'bad_content_type', at);
  }
  if (kind === 'call' || kind === 'output') {
    const id = callIdOf(item);
    if (!hasStringCallId(item) || id === '') report('R11', 'bad_tool_call_id', at);
    else if (!isLegalId(id, RESPONSES_IDS)) report('R11', 'tool_call_id_too_long', at);
  }
}

/** R8: ids are unique, and what the server has is not sent again. */
function checkItemIds(
  history: readonly unknown[],
  options: OpenAiResponsesOptions,
  report: Report,
): void {
  const seen = new Set(options.serverKnownItemIds);
  history.forEach((item, at) => {
    const id = isObject(item) ? countedItemId(item) : undefined;
    if (id === undefined) return;
    if (seen.has(id)) report('R8', 'duplicate_item_id', at);
    seen.add(id);
  });
}

/** The id of a local shell output is the id of its call, so it is no item id. */
export function countedItemId(item: JsonObject): string | undefined {
  return item.type === 'local_shell_call_output' ? undefined : itemId(item);
}

/** R1, R2, R3, R12, R13 and R14. Matching is global, so ids decide alone. */
function checkPairs(
  history: readonly unknown[],
  options: OpenAiResponsesOptions,
  report: Report,
): void {
  const callsAt = new Map<string, number[]>();
  history.forEach((item, at) => {
    if (!isObject(item) || kindOf(item) !== 'call') return;
    const id = callIdOf(item);
    const calls = callsAt.get(id) ?? [];
    if (calls.length > 0) report('R13', 'duplicate_tool_call_id', at);
    callsAt.set(id, [...calls, at]);
  });
  const serverOpen = new Set(options.serverKnownCallIds);
  const answers = new Map<string, number>();
  history.forEach((item, at) => {
    if (!isObject(item) || kindOf(item) !== 'output') return;
    const id = callIdOf(item);
    const calls = callsAt.get(id) ?? [];
    const isBeforeAll = calls.every((call) => call > at);
    if (isBeforeAll && options.serverKnownCallIds?.includes(id)) {
      if (!serverOpen.delete(id)) report('R12', 'duplicate_tool_result', at);
      return;
    }
    const count = (answers.get(id) ?? 0) + 1;
    answers.set(id, count);
    if (calls.length === 0) report('R2', 'orphan_tool_result', at);
    else if (count > calls.length) report('R12', 'duplicate_tool_result', at);
    else if (isBeforeAll) report('R3', 'result_before_call', at);
    else if (options.adjacentPairs && !calls.includes(at - 1)) report('R14', 'not_adjacent', at);
  });
  for (const [id, calls] of callsAt) {
    const missing = calls.slice(answers.get(id) ?? 0);
    for (const at of missing) report('R1', 'missing_tool_result', at);
  }
}
