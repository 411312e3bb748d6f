import { isObject, type JsonObject } from '../json.js';
import type { GeminiOptions } from '../options.js';
import { isToolNameTooLong } from '../tool-names.js';
import type { Report, Violation } from '../vocabulary.js';
import {
  callKeys,
  callOf,
  hasField,
  isEmptyText,
  isResponseTo,
  lastUserText,
  partsOf,
  responseKeys,
  responseOf,
  roleOf,
  unsignedCall,
} from './parts.js';

/** One content as the order rules see it. */
interface View {
  readonly role: 'user' | 'model' | undefined;
  readonly calls: readonly JsonObject[];
  readonly responses: readonly JsonObject[];
}

/** Rules G1 to G12 of section 4.4. */
export function validateGemini(history: readonly unknown[], options: GeminiOptions): Violation[] {
  const violations: Violation[] = [];
  const report: Report = (rule, kind, at) => violations.push({ rule, kind, at });
  const checkedAfter = options.gemini3 ? lastUserText(history) : Infinity;
  history.forEach((content, at) => {
    if (!isObject(content) || (content.role !== 'user' && content.role !== 'model')) {
      report('G10', 'bad_role', at);
    }
    if (!isObject(content)) return;
    checkParts(content, at, options, report);
    const isChecked = content.role === 'model' && at > checkedAfter;
    if (isChecked && unsignedCall(partsOf(content)) !== -1) {
      report('G5', 'missing_thought_signature', at);
    }
  });
  const views = history.map(viewOf);
  if (views[0]?.role !== 'user') report('G9', 'first_not_user', 0);
  if (views.at(-1)?.role !== 'user') report('G8', 'ends_with_model', history.length - 1);
  const knownKeys = new Set<string>();
  views.forEach((view, at) => {
    checkOrder(view, views[at - 1], knownKeys, at, report);
    for (const key of view.calls.flatMap(callKeys)) knownKeys.add(key);
  });
  checkResponses(views, report);
  return violations;
}

function checkParts(content: JsonObject, at: number, options: GeminiOptions, report: Report): void {
  const parts = partsOf(content);
  if (parts.length === 0) report('G6', 'empty_parts', at);
  for (const part of parts) {
    if (!hasField(part)) {
      report('G6', 'empty_part', at);
      continue;
    }
    const [call, response] = [callOf(part), responseOf(part)];
    if (options.vertex && isEmptyText(part)) report('G6', 'empty_text', at);
    if (call && roleOf(content) !== 'model') report('G10', 'bad_role', at);
    if (response && roleOf(content) !== 'user') report('G10', 'bad_role', at);
    if (isToolNameTooLong('gemini', call?.name ?? response?.name)) {
      report('X2', 'tool_name_too_long', at);
    }
  }
  const responses = parts.filter(responseOf).length;
  if (responses > 0 && responses < parts.length) report('G4', 'mixed_result_content', at);
}

function viewOf(content: unknown): View {
  if (!isObject(content)) return { role: undefined, calls: [], responses: [] };
  const role = roleOf(content);
  const parts = partsOf(content);
  return {
    role,
    calls: role === 'model' ? parts.map(callOf).filter((call) => call !== undefined) : [],
    responses: role === 'user' ? parts.map(responseOf).filter((found) => found !== undefined) : [],
  };
}

/** G1, G2 and G12. `knownKeys` are the keys of all calls before this content. */
function checkOrder(
  view: View,
  before: View | undefined,
  knownKeys: ReadonlySet<string>,
  at: number,
  report: Report,
): void {
  if (view.calls.length > 0) {
    const follows = before?.role === 'user' || (before?.calls.length ?? 0) > 0;
    if (!follows) report('G1', 'call_turn_position', at);
  } else if (view.responses.length > 0) {
    if ((before?.calls.length ?? 0) > 0) return;
    report('G2', 'orphan_tool_result', at);
    const isKnown = view.responses.flatMap(responseKeys).some((key) => knownKeys.has(key));
    if (isKnown) report('G2', 'not_adjacent', at);
  } else {
    const isPlain = before?.calls.length === 0 && before.responses.length === 0;
    if (isPlain && before.role === view.role) report('G12', 'not_alternating', at);
  }
}

/** G3 and G11: the contents with calls in a row share one content with their responses. */
function checkResponses(views: readonly View[], report: Report): void {
  for (let at = 0; at < views.length; at += 1) {
    if (views[at]!.calls.length === 0) continue;
    const calls: JsonObject[] = [];
    const start = at;
    for (; (views[at]?.calls.length ?? 0) > 0; at += 1) calls.push(...views[at]!.calls);
    const responses = views[at]?.responses ?? [];
    comparePairs(calls, responses, start, at, report);
    at -= 1;
  }
}

function comparePairs(
  calls: readonly JsonObject[],
  responses: readonly JsonObject[],
  callsAt: number,
  responsesAt: number,
  report: Report,
): void {
  const isInOrder =
    calls.length === responses.length &&
    calls.every((call, index) => isResponseTo(responses[index]!, call));
  if (isInOrder) return;
  const open = calls.map((call) => ({ keys: callKeys(call), isOpen: true }));
  let unmatched = 0;
  for (const response of responses) {
    const keys = responseKeys(response);
    const known = open.filter((call) => call.keys.some((key) => keys.includes(key)));
    const found = known.find(({ isOpen }) => isOpen);
    if (found !== undefined) found.isOpen = false;
    else {
      unmatched += 1;
      const kind = known.length > 0 ? 'duplicate_tool_result' : 'orphan_tool_result';
      report('G3', kind, responsesAt);
    }
  }
  const missing = open.filter(({ isOpen }) => isOpen);
  for (const _ of missing) report('G3', 'missing_tool_result', callsAt);
  if (responses.length > calls.length) report('G3', 'too_many_tool_results', responsesAt);
  if (unmatched === 0 && missing.length === 0) report('G11', 'result_order', responsesAt);
}
