import { manifestOfCall } from './call-manifest.js';
import { nextAttempt } from './attempts.js';
import type { CommandOf, SessionCommand } from './commands.js';
import type { SessionEvent } from './events.js';
import { evolve } from './evolve.js';
import { quarantined } from './guards.js';
import { Rejection } from './rejection.js';
import { type CallState, type SessionState, callsOf, isUnresolved } from './state.js';
import { own } from './own.js';

const ORDER_NOT_AFTER_MS = 3_600_000;

/** A person orders to undo the call. Ordered again, it is the same call with the same key. */
export function ordered(
  { compensation, now }: CommandOf<'DecideEscalation'>,
  call: CallState,
  state: SessionState,
): readonly SessionEvent[] {
  if (state.run?.status === 'quarantined') throw quarantined(state);
  if (compensation === undefined) {
    throw new Rejection('no_compensation', `nothing is registered that undoes ${call.tool}`, {
      callId: call.callId,
    });
  }
  if (compensation.manifest.effect !== 'keyedWrite') {
    throw new Rejection('no_compensation', `${compensation.tool} is no keyedWrite`, {
      callId: call.callId,
    });
  }
  const requested: SessionEvent = {
    type: 'ToolCompensationRequested',
    data: { callId: call.callId, ...compensation },
  };
  const { compensationCallId } = compensation;
  const known = own(state.calls, compensationCallId);
  if (known === undefined) return [requested];
  return [
    requested,
    {
      type: 'ToolRetryAuthorized',
      data: {
        callId: compensationCallId,
        nextAttempt: nextAttempt(known),
        basis: 'human',
        notAfter: new Date(Date.parse(now) + ORDER_NOT_AFTER_MS).toISOString(),
      },
    },
  ];
}

/** Its run has failed, and its author wants it undone then. Where nothing can do that, people decide. */
export function orderedByItself(
  { compensation, escalationId, now }: CommandOf<'ReconcileCall'>,
  call: CallState,
  state: SessionState,
): readonly SessionEvent[] {
  if (state.run?.status === 'quarantined') return [];
  const { callId } = call;
  if (compensation?.manifest.effect === 'keyedWrite') {
    return [{ type: 'ToolCompensationRequested', data: { callId, ...compensation } }];
  }
  return [asked(call, escalationId, state, now)];
}

/** The next call that undoes another and that some worker has to make: one run each, in turn. */
export function undoingDue(state: SessionState): CallState | undefined {
  return callsOf(state).find(isUndoingDue);
}

export function isUndoingDue({ compensates, status }: CallState): boolean {
  return compensates !== undefined && (status === 'requested' || status === 'retryAuthorized');
}

/**
 * What the end of such a call means for the call that it undoes, in the append that ends it. An
 * answer that is an error has undone nothing that anybody could be sure of: a person is asked.
 */
export function withOutcomesOfUndoing(
  command: SessionCommand,
  events: readonly SessionEvent[],
  state: SessionState,
): readonly SessionEvent[] {
  if (!callsOf(state).some(({ status }) => status === 'compensating')) return events;
  const after = events.reduce(evolve, state);
  const outcomes = callsOf(after).flatMap((call): readonly SessionEvent[] => {
    const undoing = own(after.calls, call.compensationCallId ?? '');
    if (call.status !== 'compensating' || undoing === undefined || isUnresolved(undoing)) return [];
    const isDone = undoing.status === 'completed' && !answeredWithError(undoing.callId, events);
    const verdict = foundNothing(command) ? 'nothingToUndo' : 'undone';
    return isDone || undoing.status === 'applied'
      ? undone(call, undoing, verdict)
      : failed(call, undoing, after, command.now);
  });
  return [...events, ...outcomes];
}

function answeredWithError(callId: string, events: readonly SessionEvent[]): boolean {
  return events.some(
    ({ type, data }) =>
      (type === 'ToolResultRecorded' || type === 'ToolLateResultReceived') &&
      data.callId === callId &&
      data.result.isError,
  );
}

/** Only a call that undoes another can find nothing to undo. */
export function refuseNothingToUndo(
  { nothingToUndo }: { readonly nothingToUndo?: boolean },
  call: CallState,
): void {
  if (nothingToUndo !== true || call.compensates !== undefined) return;
  throw new Rejection('invalid_request', 'nothingToUndo is for calls that undo another', {
    callId: call.callId,
  });
}

function foundNothing(command: SessionCommand): boolean {
  const reports = command.type === 'RecordToolResult' || command.type === 'ReportLateResult';
  return reports && command.nothingToUndo === true;
}

function undone(
  { callId }: CallState,
  undoing: CallState,
  verdict: 'undone' | 'nothingToUndo',
): readonly SessionEvent[] {
  const compensationCallId = undoing.callId;
  return [
    {
      type: 'ToolCompensationRecorded',
      data: { callId, compensationCallId, verdict },
    },
    {
      type: 'ToolOutcomeResolved',
      data: { callId, verdict: 'compensated', basis: 'compensation' },
    },
  ];
}

function failed(
  call: CallState,
  undoing: CallState,
  state: SessionState,
  now: string,
): readonly SessionEvent[] {
  const { callId } = call;
  return [
    {
      type: 'ToolCompensationRecorded',
      data: { callId, compensationCallId: undoing.callId, verdict: 'failed' },
    },
    asked(call, `${undoing.callId}:${state.revision}`, state, now),
  ];
}

function asked(
  call: CallState,
  escalationId: string,
  state: SessionState,
  now: string,
): SessionEvent {
  const manifest = manifestOfCall(call, state);
  return {
    type: 'ToolEscalated',
    data: {
      callId: call.callId,
      escalationId,
      to: manifest.escalateTo,
      dueAt: new Date(Date.parse(now) + manifest.escalationDueMs).toISOString(),
      reason: 'compensationFailed',
      blocking: manifest.onUnknown === 'hold',
    },
  };
}
