import type { Fence } from './commands.js';
import type { QuarantineBudget } from './events/session-events.js';
import type { ObjectKind, Past } from './past.js';
import { Rejection } from './rejection.js';
import { own } from './own.js';
import type { RunState } from './run-state.js';
import type { CallState, SessionState } from './state.js';

/** Checks that several decisions share. Each throws the rejection that its name promises. */

/**
 * The sender owns the session and its run may go on. Order of checks: stale epoch, quarantine,
 * stopped or ended run (reconciliation protocol, §9.2).
 */
export function ownedRun(state: SessionState, fence: Fence): RunState {
  const run = openRun(state, fence);
  if (run.status === 'stopping') {
    throw new Rejection('run_stopped', `run ${run.runId} was stopped by a user`, {
      runId: run.runId,
    });
  }
  return run;
}

/** As `ownedRun`, also while a stop is being carried out: what is certain may still be recorded. */
export function openRun(state: SessionState, fence: Fence): RunState {
  const run = state.run;
  if (fence.epoch !== state.epoch) throw staleEpoch(state);
  if (run === undefined) {
    throw new Rejection('run_ended', 'the run of this epoch has ended', { lastRun: state.lastRun });
  }
  if (run.status === 'quarantined') throw quarantined(state);
  if (!run.owned || run.claimTokenHash !== fence.claimTokenHash) throw staleEpoch(state);
  return run;
}

export function staleEpoch(state: SessionState): Rejection {
  return new Rejection(
    'stale_epoch',
    'you do not own this session: claim it first; an answer to a call that you had started is a late result',
    {
      currentEpoch: state.epoch,
    },
  );
}

/** What a quarantined run has used up, in words that end a sentence. */
export const BUDGETS: Readonly<Record<QuarantineBudget, string>> = {
  recoveryAttempts: 'its recovery attempts',
  recoveryTotal: 'all of its recovery attempts, those that came to something included',
  noProgress: 'the time in which its worker has to do something',
  modelCalls: 'its model calls',
  cost: 'a budget',
};

export function quarantined(state: SessionState): Rejection {
  return new Rejection(
    'session_quarantined',
    `the run used up ${BUDGETS[state.run?.quarantine ?? 'recoveryAttempts']}; resume the session to go on ` +
      'with it, or send a new input that starts another',
    { runId: state.run?.runId, budget: state.run?.quarantine },
  );
}

/** An id that names an object of another kind in this session cannot be used again. */
export function refuseForeignId(id: string, kind: ObjectKind, past: Past): void {
  const used = past.kinds.get(id);
  if (used !== undefined) {
    throw new Rejection('id_in_use', `id ${id} names ${withArticle(used)} of this session`, {
      id,
      kind: used,
      wanted: kind,
    });
  }
}

function withArticle(kind: ObjectKind): string {
  return kind === 'input' ? 'an input' : `a ${kind === 'modelCall' ? 'model call' : kind}`;
}

/** The named run is the session's current one. */
export function currentRun(state: SessionState, runId: string, past: Past): RunState {
  const run = state.run;
  if (run?.runId === runId) return run;
  const outcome =
    past.endedRuns.get(runId) ??
    (state.lastRun?.runId === runId ? state.lastRun.outcome : undefined);
  if (outcome !== undefined) {
    throw new Rejection('run_ended', `run ${runId} has ended (${outcome})`, { runId, outcome });
  }
  throw new Rejection('not_found', `this session has no run ${runId}`);
}

export function callNamed(state: SessionState, callId: string, past: Past): CallState {
  const call = callIn(state, callId, past);
  if (call !== undefined) return call;
  const known = own(state.inheritedCalls, callId);
  if (known !== undefined) throw inherited({ callId, ...known });
  throw new Rejection('not_found', `this session has no tool call ${callId}`);
}

export function callIn(state: SessionState, callId: string, past: Past): CallState | undefined {
  return own(state.calls, callId) ?? past.calls.get(callId);
}

export function invalidState(call: CallState, state: SessionState, advice: string): Rejection {
  return new Rejection('invalid_state', `tool call ${call.callId} is ${call.status}; ${advice}`, {
    callId: call.callId,
    state: call.status,
    revision: state.revision,
  });
}

export function inherited(call: Pick<CallState, 'callId' | 'originSessionId'>): Rejection {
  return new Rejection(
    'inherited_call',
    `this call belongs to session ${call.originSessionId}; only there it is settled`,
    { callId: call.callId, originSessionId: call.originSessionId },
  );
}
