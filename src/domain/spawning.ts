import type { Fence } from './commands.js';
import { invalidState, ownedRun } from './guards.js';
import { own } from './own.js';
import { Rejection } from './rejection.js';
import { type SessionState, isUnresolved } from './state.js';

/**
 * A run starts a child session only under its epoch (reconciliation protocol, §15.3): an owner that
 * was taken over, or whose run was stopped, starts none any more.
 * @param callId the tool call that starts it; undefined: the run itself does.
 */
export function refuseSpawning(
  parent: SessionState,
  fence: Fence,
  callId: string | undefined,
): void {
  const run = ownedRun(parent, fence);
  if (callId === undefined) return;
  const call = own(parent.calls, callId);
  if (call === undefined || call.runId !== run.runId) {
    throw new Rejection('not_found', `run ${run.runId} has no open tool call ${callId}`, {
      callId,
      runId: run.runId,
    });
  }
  if (call.attempts.length === 0) {
    throw new Rejection('not_started', 'ask for the permit of the call first', { callId });
  }
  if (!isUnresolved(call)) throw invalidState(call, parent, 'its outcome is known');
}
