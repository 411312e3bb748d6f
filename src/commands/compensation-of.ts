import type { Json } from '../domain/content.js';
import { manifestOfCall } from '../domain/call-manifest.js';
import type { OrderedCompensation } from '../domain/settling-commands.js';
import type { CallState, SessionState } from '../domain/state.js';
import { type RegisteredTools, newestManifest } from '../domain/tenant/tools.js';
import { manifestOf } from '../domain/tool-manifest.js';
import { compensationCallId, derivedId, operationKey } from '../identity/derived-ids.js';
import type { CommandContext } from './handle-command.js';
import { canonicalText } from './session-command.js';

/** The call that would undo this one; undefined when nobody has said what does. */
export function compensationOf(
  call: CallState,
  { scope, state, hash }: CommandContext,
  registered: RegisteredTools,
): OrderedCompensation | undefined {
  const tool = manifestOfCall(call, state).compensate;
  if (tool === undefined) return undefined;
  const manifest = newestManifest(registered, tool) ?? manifestOf(tool, state.tools);
  const id = compensationCallId(scope.sessionId, call.callId);
  const args: Json = {
    callId: call.callId,
    tool: call.tool,
    operationKey: call.opKey,
    ...(call.externalRef === undefined ? {} : { externalRef: call.externalRef }),
  };
  return {
    compensationCallId: id,
    runId: runOf(state) ?? derivedId('undoing run', id, state.revision),
    tool,
    manifest,
    opKey: operationKey(scope.tenantId, scope.sessionId, id),
    argsHash: hash(canonicalText(args)),
    args,
  };
}

/** The run that is under way makes it; a stopped or ended one cannot. */
function runOf({ run }: SessionState): string | undefined {
  return run?.status === 'active' || run?.status === 'interrupted' ? run.runId : undefined;
}
