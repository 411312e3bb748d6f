import { isObject } from '../json.js';
import type { AiSdkOptions } from '../options.js';
import { isToolNameTooLong } from '../tool-names.js';
import type { Report, Violation } from '../vocabulary.js';
import {
  approvedAtEnd,
  callIdOf,
  isCall,
  isEmptyContent,
  isResult,
  isTypedOutput,
  partsOf,
  ROLES,
} from './parts.js';

/** Rules V1 to V6 of section 4.5. */
export function validateAiSdk(history: readonly unknown[], options: AiSdkOptions): Violation[] {
  const violations: Violation[] = [];
  const report: Report = (rule, kind, at) => violations.push({ rule, kind, at });
  history.forEach((message, at) => {
    if (!isObject(message) || !ROLES.has(message.role)) {
      report('X4', 'bad_role', at);
      return;
    }
    const { role, content } = message;
    if (role === 'system' && !options.allowSystemInMessages) report('V3', 'bad_role', at);
    if (role === 'assistant' && isEmptyContent(content)) report('V5', 'empty_message', at);
    if (role === 'tool' && !Array.isArray(content)) report('V2', 'bad_content_type', at);
    for (const part of partsOf(message)) {
      if (!isCall(part) && !isResult(part)) continue;
      if (isResult(part) && typeof part.toolCallId !== 'string') {
        report('V2', 'bad_tool_call_id', at);
      }
      if (isResult(part) && !isTypedOutput(part.output)) report('V6', 'bad_tool_output', at);
      if (isToolNameTooLong('ai-sdk', part.toolName)) report('X2', 'tool_name_too_long', at);
    }
  });
  checkRuns(history, report);
  return violations;
}

/** V1, V2 and V4: the run of an assistant message is the row of tool messages directly after it. */
function checkRuns(history: readonly unknown[], report: Report): void {
  const approved = approvedAtEnd(history);
  let needed = new Map<string, number>();
  let optional = new Map<string, number>();
  let callsAt = 0;
  const closeRun = (): void => {
    for (const count of needed.values()) {
      for (let open = 0; open < count; open += 1) report('V1', 'missing_tool_result', callsAt);
    }
  };
  history.forEach((message, at) => {
    const role = isObject(message) ? message.role : undefined;
    if (role === 'tool') {
      const results = partsOf(message as never).filter(isResult);
      for (const id of results.map(callIdOf)) {
        if (take(needed, id) || take(optional, id)) continue;
        const isKnown = needed.has(id) || optional.has(id);
        report('V2', isKnown ? 'duplicate_tool_result' : 'orphan_tool_result', at);
      }
      return;
    }
    closeRun();
    needed = new Map();
    optional = new Map();
    callsAt = at;
    if (role !== 'assistant') return;
    for (const call of partsOf(message as never).filter(isCall)) {
      const id = callIdOf(call);
      if (typeof call.toolCallId !== 'string') report('V4', 'bad_tool_call_id', at);
      if (needed.has(id) || optional.has(id)) report('V4', 'duplicate_tool_call_id', at);
      const ordinal = (needed.get(id) ?? 0) + (optional.get(id) ?? 0);
      const isApproved = at === approved.at && approved.has(id, ordinal);
      const group = call.providerExecuted === true || isApproved ? optional : needed;
      group.set(id, (group.get(id) ?? 0) + 1);
    }
  });
  closeRun();
}

function take(counts: Map<string, number>, id: string): boolean {
  const count = counts.get(id) ?? 0;
  if (count === 0) return false;
  counts.set(id, count - 1);
  return true;
}
