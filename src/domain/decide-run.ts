import type { CommandOf } from './commands.js';
import type { SessionEvent } from './events.js';
import { currentRun, ownedRun } from './guards.js';
import type { Past } from './past.js';
import { Rejection } from './rejection.js';
import { endOfRun, leftoversOf } from './settle.js';
import type { RunState } from './run-state.js';
import {
  type CallState,
  type SessionState,
  callsOf,
  isImportedUnknown,
  isUnresolved,
} from './state.js';

export function completeRun(
  command: CommandOf<'CompleteRun'>,
  state: SessionState,
  past: Past,
): readonly SessionEvent[] {
  currentRun(state, command.runId, past);
  const run = ownedRun(state, command.fence);
  refuseOpenWork(state, run);
  return [{ type: 'RunCompleted', data: { runId: run.runId, epoch: run.epoch } }];
}

/** Neither a call with an automatic step left nor a held one may be left behind by "completed". */
function refuseOpenWork(state: SessionState, run: RunState): void {
  refuseUnsettledCalls(callsOf(state).filter((call) => call.runId === run.runId));
  if (state.modelCall !== undefined) {
    throw new Rejection('invalid_state', `model call ${state.modelCall.modelCallId} is open`, {
      modelCallId: state.modelCall.modelCallId,
    });
  }
  if (state.compaction !== undefined) {
    throw new Rejection('compaction_open', 'commit or fail the compaction first', {
      compactionId: state.compaction.compactionId,
    });
  }
}

/** Calls with an automatic step left, and those on which somebody has to decide first. */
export function refuseUnsettledCalls(calls: readonly CallState[]): void {
  const open = calls.filter(
    (call) =>
      ['requested', 'running', 'unknown', 'retryAuthorized'].includes(call.status) &&
      !isImportedUnknown(call),
  );
  if (open.length > 0) throw openCalls(open);
  refuseHeldCalls(calls);
}

function openCalls(calls: readonly CallState[]): Rejection {
  return new Rejection('open_calls', 'tool calls have no outcome yet', {
    calls: calls.map((call) => ({ callId: call.callId, tool: call.tool, state: call.status })),
  });
}

function refuseHeldCalls(calls: readonly CallState[]): void {
  const held = calls.filter((call) => call.escalation?.blocking && isUnresolved(call));
  if (held.length > 0) throw waitingCalls('somebody has to decide on tool calls first', held);
}

export function waitingCalls(detail: string, calls: readonly CallState[]): Rejection {
  return new Rejection('waiting_calls', detail, {
    calls: calls.map((call) => ({
      callId: call.callId,
      tool: call.tool,
      asked: call.escalation?.to,
      dueAt: call.escalation?.dueAt,
    })),
  });
}

export function failRun(
  command: CommandOf<'FailRun'>,
  state: SessionState,
  past: Past,
): readonly SessionEvent[] {
  currentRun(state, command.runId, past);
  const run = ownedRun(state, command.fence);
  const { errorClass, message } = command;
  return [
    ...endOfRun(state, run, 'runEnded', command.now),
    { type: 'RunFailed', data: { runId: run.runId, epoch: run.epoch, errorClass, message } },
  ];
}

/** An orderly shutdown: the run goes on later, and this is not counted as a failed attempt. */
export function interruptRun(
  command: CommandOf<'InterruptRun'>,
  state: SessionState,
  past: Past,
): readonly SessionEvent[] {
  currentRun(state, command.runId, past);
  const run = ownedRun(state, command.fence);
  return [
    ...leftoversOf(state, 'shutdown', command.now),
    {
      type: 'RunInterrupted',
      data: { runId: run.runId, epoch: run.epoch, reason: 'shutdown' },
    },
  ];
}

export function releaseRun(
  command: CommandOf<'ReleaseRun'>,
  state: SessionState,
  past: Past,
): readonly SessionEvent[] {
  currentRun(state, command.runId, past);
  const run = ownedRun(state, command.fence);
  const { reason, waitingFor } = command;
  return [
    ...leftoversOf(state, 'shutdown', command.now),
    { type: 'SessionReleased', data: { runId: run.runId, epoch: run.epoch, reason, waitingFor } },
  ];
}

/** Names its run, so that a stale stop cannot hit a later one. Needs no ownership. */
export function stopRun(
  command: CommandOf<'StopRun'>,
  state: SessionState,
  past: Past,
): readonly SessionEvent[] {
  const run = currentRun(state, command.runId, past);
  if (run.status === 'stopping') return [];
  const requested: SessionEvent = {
    type: 'StopRequested',
    data: {
      runId: run.runId,
      requestedAt: command.now,
      note: command.note,
      dropPendingInputs: command.dropPendingInputs,
    },
  };
  const ownerLives = run.owned && command.lease.live;
  return ownerLives ? [requested] : [requested, ...stopped(state, run, 'reconciler', command.now)];
}

export function confirmStopped(
  command: CommandOf<'ConfirmStopped'>,
  state: SessionState,
): readonly SessionEvent[] {
  const run = state.run;
  if (run?.runId !== command.runId || run.status !== 'stopping') return [];
  return stopped(state, run, command.by, command.now);
}

function stopped(
  state: SessionState,
  run: RunState,
  by: 'owner' | 'reconciler',
  now: string,
): readonly SessionEvent[] {
  return [
    ...endOfRun(state, run, 'stopped', now),
    { type: 'RunStopped', data: { runId: run.runId, by } },
  ];
}
