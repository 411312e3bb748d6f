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

/** The run that started a child, by what its parent's log says of it. */
export interface SpawningRun {
  readonly runId: string;
  /** It has ended, and by a stop. */
  readonly wasStopped: boolean;
}

/** Only the first run of a child is its parent's: what a user starts in it is not (§14). */
export function followsParent({ parent, lastRun }: SessionState): boolean {
  return parent?.edge === 'subagent' && parent.detached !== true && lastRun === undefined;
}

/**
 * Whether a child that follows its parent has to stop, or may not run at all (§15.3).
 * @param spawning undefined: no tool call has started the child, and the parent itself counts.
 */
export function isStoppedWithParent(
  { run, stopped }: SessionState,
  spawning: SpawningRun | undefined,
): boolean {
  if (spawning === undefined) return run?.status === 'stopping' || (run === undefined && stopped);
  if (run?.runId === spawning.runId) return run.status === 'stopping';
  return spawning.wasStopped;
}
