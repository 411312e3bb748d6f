import { everyOtherRefused, latestPermit, nextAttempt } from './attempts.js';
import { refuseNothingToUndo } from './compensation.js';
import type { CommandOf } from './commands.js';
import { refuseUnapproved } from './decide-approval.js';
import type { SessionEvent } from './events.js';
import { secondReport } from './decide-late-result.js';
import { callNamed, inherited, invalidState, openRun, ownedRun } from './guards.js';
import type { Past } from './past.js';
import { Rejection } from './rejection.js';
import { unknown } from './settle.js';
import type { CallAttempt } from './call-attempt.js';
import type { RunState } from './run-state.js';
import { type CallState, type SessionState, isUnresolved } from './state.js';
import { DISPATCH_WINDOW_MS } from './tool-manifest.js';
import { own } from './own.js';

/**
 * The permit: once this is durable the worker may send the call, once, until `dispatchBy`.
 * The table of the reconciliation protocol, §9.2, row by row.
 */
export function startToolCall(
  command: CommandOf<'StartToolCall'>,
  state: SessionState,
  past: Past,
): readonly SessionEvent[] {
  const call = callNamed(state, command.callId, past);
  const run = ownedRun(state, command.fence);
  refuseUnknownTool(call, run);
  switch (call.status) {
    case 'requested':
      refuseUnapproved(call);
      return [permit(command, call, run.epoch, 'first')];
    case 'retryAuthorized':
      return retried(command, call, run.epoch);
    case 'running':
      throw new Rejection('already_running', 'an attempt of this call is running', {
        callId: call.callId,
        attempt: latestPermit(call)?.attempt,
      });
    case 'unknown':
    case 'awaitingHuman':
      throw new Rejection(
        'outcome_unknown',
        'an earlier attempt may have taken effect; it is not repeated by itself',
        { callId: call.callId, state: call.status, opKey: call.opKey },
      );
    case 'inherited':
      throw inherited(call);
    default:
      throw invalidState(call, state, 'it is not started again');
  }
}

/** The worker that owns the run has said which tools it can call. */
function refuseUnknownTool({ callId, tool, status }: CallState, { setup }: RunState): void {
  if (setup?.toolNames === undefined || setup.toolNames.includes(tool)) return;
  if (status !== 'requested' && status !== 'retryAuthorized') return;
  throw new Rejection('manifest_unavailable', `your claim did not name ${tool}: skip the call`, {
    callId,
    tool,
  });
}

/**
 * The permit is answered again while its own attempt runs. Once that attempt is unknown, or may be
 * followed by another, the old permit would read as leave to call again.
 */
export function isSpentPermit(command: CommandOf<'StartToolCall'>, state: SessionState): boolean {
  const call = own(state.calls, command.callId);
  if (call === undefined) return false;
  if (call.status === 'running') return latestPermit(call)?.attempt !== command.attempt;
  return isUnresolved(call);
}

function retried(
  command: CommandOf<'StartToolCall'>,
  call: CallState,
  epoch: number,
): readonly SessionEvent[] {
  const retry = call.retry!;
  // What a person orders is not judged by the windows of the target.
  const isOrdered = retry.basis === 'human';
  const latestNow = isOrdered ? command.now : (command.latestNow ?? command.now);
  if (retry.notAfter !== null && latestNow > retry.notAfter) {
    throw new Rejection('retry_expired', `the retry was allowed until ${retry.notAfter}`, {
      callId: call.callId,
    });
  }
  return [permit(command, call, epoch, retry.basis)];
}

function permit(
  command: CommandOf<'StartToolCall'>,
  call: CallState,
  epoch: number,
  basis: CallAttempt['basis'],
): SessionEvent {
  const next = nextAttempt(call);
  if (command.attempt !== next) {
    throw new Rejection('stale_attempt', `attempt ${next} comes next`, {
      callId: call.callId,
      nextAttempt: next,
    });
  }
  const startedMs = Date.parse(command.now);
  // Longer than the declared flight, and "not found is final" would be believed too early.
  const timeoutMs = Math.min(command.timeoutMs, call.maxFlightMs - DISPATCH_WINDOW_MS);
  return {
    type: 'ToolCallStarted',
    data: {
      callId: call.callId,
      attempt: next,
      epoch,
      startedAt: command.now,
      dispatchBy: new Date(startedMs + DISPATCH_WINDOW_MS).toISOString(),
      deadline: new Date(startedMs + DISPATCH_WINDOW_MS + timeoutMs).toISOString(),
      basis,
    },
  };
}

export function recordToolProgress(
  command: CommandOf<'RecordToolProgress'>,
  state: SessionState,
  past: Past,
): readonly SessionEvent[] {
  const call = callNamed(state, command.callId, past);
  openRun(state, command.fence);
  runningAttempt(call, command.attempt, state);
  const { callId, attempt, externalRef, note } = command;
  return [{ type: 'ToolCallProgressed', data: { callId, attempt, externalRef, note } }];
}

/** "Completed" and "no effect" are certain knowledge; everything else is `ReportToolUnknown`. */
export function recordToolResult(
  command: CommandOf<'RecordToolResult'>,
  state: SessionState,
  past: Past,
): readonly SessionEvent[] {
  const call = callNamed(state, command.callId, past);
  refuseNothingToUndo(command, call);
  const repeated = call.attempts.find((attempt) => attempt.attempt === command.attempt)?.result;
  if (repeated !== undefined) return secondReport(command, call, repeated.hash);
  const run = openRun(state, command.fence);
  runningAttempt(call, command.attempt, state);
  const { callId, attempt, status, scope, resultHash, result, externalRef, durationMs } = command;
  const recorded: SessionEvent = {
    type: 'ToolResultRecorded',
    data: {
      callId,
      attempt,
      epoch: run.epoch,
      status,
      scope,
      resultHash,
      result,
      externalRef,
      durationMs,
    },
  };
  return earlierAttemptOpen(call, command)
    ? [recorded, unknown(call, 'earlierAttemptOpen')]
    : [recorded];
}

/** This attempt did nothing, and an earlier one may have: the call is not settled by it. */
function earlierAttemptOpen(
  call: CallState,
  result: { readonly status: string; readonly scope?: string; readonly attempt: number },
): boolean {
  return (
    result.status === 'noEffect' &&
    result.scope !== 'operation' &&
    call.effect !== 'readOnly' &&
    !everyOtherRefused(call, result.attempt)
  );
}

function runningAttempt(call: CallState, attempt: number, state: SessionState): void {
  if (call.status === 'requested') {
    throw new Rejection('not_started', 'start the call first: its permit comes before its effect', {
      callId: call.callId,
    });
  }
  if (call.status === 'inherited') throw inherited(call);
  const current = latestPermit(call)?.attempt;
  if (call.status === 'unknown' || current !== attempt) {
    throw new Rejection('stale_attempt', `report this as a late result`, {
      callId: call.callId,
      state: call.status,
      attempt: current,
    });
  }
  if (call.status !== 'running') {
    throw invalidState(call, state, 'report this as a late result');
  }
}

export function reportToolUnknown(
  command: CommandOf<'ReportToolUnknown'>,
  state: SessionState,
  past: Past,
): readonly SessionEvent[] {
  const call = callNamed(state, command.callId, past);
  openRun(state, command.fence);
  if (call.status === 'unknown' && latestPermit(call)?.attempt === command.attempt) return [];
  runningAttempt(call, command.attempt, state);
  return [unknown(call, command.reason)];
}

export function skipToolCall(
  command: CommandOf<'SkipToolCall'>,
  state: SessionState,
  past: Past,
): readonly SessionEvent[] {
  const call = callNamed(state, command.callId, past);
  openRun(state, command.fence);
  if (call.status === 'skipped') return [];
  if (call.status !== 'requested') {
    throw invalidState(call, state, 'only a call that never started can be skipped');
  }
  return [{ type: 'ToolCallSkipped', data: { callId: call.callId, reason: command.reason } }];
}
