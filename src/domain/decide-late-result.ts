import { everyOtherRefused, latestPermit } from './attempts.js';
import { refuseNothingToUndo } from './compensation.js';
import type { CommandOf } from './commands.js';
import type { SessionEvent } from './events.js';
import type { ConflictKind, ResolvedVerdict } from './events/tool-events.js';
import { callNamed, inherited } from './guards.js';
import type { Past } from './past.js';
import { Rejection } from './rejection.js';
import { unknown } from './settle.js';
import type { CallState, SessionState } from './state.js';

/**
 * A result from a worker that is no longer the owner, or of an attempt that is no longer current:
 * never refused, never lost; it settles what it can settle (protocol, §8.5 and §9.2).
 */
export function reportLateResult(
  command: CommandOf<'ReportLateResult'>,
  state: SessionState,
  past: Past,
): readonly SessionEvent[] {
  const call = callNamed(state, command.callId, past);
  if (call.originSessionId !== undefined) throw inherited(call);
  refuseNothingToUndo(command, call);
  const reported = call.attempts.find((attempt) => attempt.attempt === command.attempt)?.result;
  if (reported !== undefined) return secondReport(command, call, reported.hash);
  return command.status === 'completed' ? lateAnswer(command, call) : lateRefusal(command, call);
}

/**
 * One result per attempt: the same again is nothing new, another one contradicts the first. Two
 * reads may differ without any contradiction; the first one stays all the same.
 */
export function secondReport(
  command: { readonly callId: string; readonly attempt: number; readonly resultHash: string },
  call: CallState,
  recordedHash: string,
): readonly SessionEvent[] {
  if (recordedHash === command.resultHash) return [];
  if (call.effect === 'readOnly') {
    throw new Rejection('result_conflict', 'this attempt has another result; the first one stays', {
      callId: call.callId,
      attempt: command.attempt,
    });
  }
  return [
    {
      type: 'ToolConflictDetected',
      data: {
        callId: command.callId,
        kind: 'resultMismatch',
        detail: `attempt ${command.attempt} was reported again with another result`,
      },
    },
  ];
}

function lateAnswer(
  command: CommandOf<'ReportLateResult'>,
  call: CallState,
): readonly SessionEvent[] {
  if (call.status === 'completed') {
    const writes = call.effect === 'queryableWrite' || call.effect === 'opaqueWrite';
    return [late(command, true), ...(writes ? [conflict(call, 'duplicateEffect')] : [])];
  }
  // Until its undoing has ended, nobody knows which of the two came first.
  if (call.status === 'compensating') return [late(command, null)];
  if (call.status === 'compensated') {
    return [late(command, null), conflict(call, 'effectAfterCompensation')];
  }
  const contradiction = contradictionOf(command, call);
  return [
    late(command, agreementOf(call)),
    ...(contradiction === undefined ? [] : [conflict(call, contradiction)]),
    resolved(call, 'completed'),
  ];
}

/** What an answer contradicts; two reads may differ without any contradiction. */
function contradictionOf(
  command: CommandOf<'ReportLateResult'>,
  call: CallState,
): ConflictKind | undefined {
  if (call.effect === 'readOnly') return undefined;
  switch (call.status) {
    case 'requested':
    case 'skipped':
      return 'undeclaredAttempt';
    case 'failed':
      return 'failedContradicted';
    case 'notApplied':
      return 'notAppliedContradicted';
    case 'running':
    case 'retryAuthorized':
      return probeSaidNotApplied(command.attempt, call) ? 'probeContradicted' : undefined;
    default:
      return undefined;
  }
}

/** The answered attempt is one of those of which a probe had said that they did nothing. */
function probeSaidNotApplied(answered: number, call: CallState): boolean {
  const next = call.retry ?? latestPermit(call);
  if (call.effect !== 'queryableWrite' || next?.basis !== 'probeNotApplied') return false;
  return answered < ('nextAttempt' in next ? next.nextAttempt : next.attempt);
}

function agreementOf(call: CallState): boolean | null {
  if (call.status === 'applied') return true;
  return call.status === 'failed' || call.status === 'notApplied' ? false : null;
}

function lateRefusal(
  command: CommandOf<'ReportLateResult'>,
  call: CallState,
): readonly SessionEvent[] {
  switch (call.status) {
    case 'running':
      return refusedWhileRunning(command, call);
    case 'unknown':
    case 'awaitingHuman':
    case 'abandoned':
      return settledByRefusal(command, call)
        ? [late(command, null), resolved(call, 'failed')]
        : [late(command, null)];
    case 'applied':
      return call.effect !== 'readOnly' && everyOtherRefused(call, command.attempt)
        ? [late(command, false), conflict(call, 'appliedContradicted')]
        : [late(command, null)];
    case 'notApplied':
      return [late(command, true)];
    default:
      return [late(command, null)];
  }
}

/** While an attempt runs, only a refusal of that attempt says anything about the call. */
function refusedWhileRunning(
  command: CommandOf<'ReportLateResult'>,
  call: CallState,
): readonly SessionEvent[] {
  if (command.attempt !== latestPermit(call)?.attempt) return [late(command, null)];
  return settledByRefusal(command, call)
    ? [late(command, null), resolved(call, 'failed')]
    : [late(command, null), unknown(call, 'earlierAttemptOpen')];
}

/** What a target said of the whole operation is older than any attempt made after it. */
function settledByRefusal(command: CommandOf<'ReportLateResult'>, call: CallState): boolean {
  if (everyOtherRefused(call, command.attempt)) return true;
  const ofOperation = call.effect === 'readOnly' || command.scope === 'operation';
  return ofOperation && command.attempt === latestPermit(call)?.attempt;
}

function late(command: CommandOf<'ReportLateResult'>, agrees: boolean | null): SessionEvent {
  const { callId, attempt, claimedEpoch, status, scope, resultHash, result } = command;
  return {
    type: 'ToolLateResultReceived',
    data: { callId, attempt, claimedEpoch, status, scope, resultHash, result, agrees },
  };
}

function resolved(call: CallState, verdict: ResolvedVerdict): SessionEvent {
  return {
    type: 'ToolOutcomeResolved',
    data: { callId: call.callId, verdict, basis: 'lateResult' },
  };
}

function conflict(call: CallState, kind: ConflictKind): SessionEvent {
  return { type: 'ToolConflictDetected', data: { callId: call.callId, kind } };
}
