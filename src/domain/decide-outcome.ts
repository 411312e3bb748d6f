import { nextAttempt, permitsGiven } from './attempts.js';
import { manifestOfCall } from './call-manifest.js';
import type { CommandOf } from './commands.js';
import { ordered, orderedByItself } from './compensation.js';
import type { SessionEvent } from './events.js';
import type { ProbeVerdict, ResolvedBasis, ResolvedVerdict } from './events/tool-events.js';
import { callNamed, inherited, invalidState } from './guards.js';
import { notFoundFinalAt } from './next-probe.js';
import { automaticStep } from './next-step.js';
import type { Past } from './past.js';
import { retryRefusal, withWayOut } from './possible-decisions.js';
import { Rejection } from './rejection.js';
import { unknown } from './settle.js';
import { type CallState, type SessionState, isUnresolved, owesUndo } from './state.js';
import { own } from './own.js';

export const HUMAN_RETRY_NOT_AFTER_MS = 3_600_000;

/** What somebody found out at the target, with evidence (protocol, §11.4). */
export function recordProbe(
  command: CommandOf<'RecordProbe'>,
  state: SessionState,
  past: Past,
): readonly SessionEvent[] {
  const call = callNamed(state, command.callId, past);
  if (call.originSessionId !== undefined) throw inherited(call);
  refuseProbe(command, call, state);
  const verdict = verdictOf(command, call);
  const recorded: SessionEvent = {
    type: 'ToolProbeRecorded',
    data: {
      callId: call.callId,
      probeNo: call.probes + 1,
      kind: 'query',
      source: command.source,
      requestedAt: command.requestedAt,
      verdict,
      evidence: command.evidence,
    },
  };
  if (verdict === 'applied') return [recorded, resolved(call, 'applied', 'probe')];
  if (verdict !== 'notApplied') return [recorded];
  return mayRetry(call, state)
    ? [recorded, retry(call, 'probeNotApplied', null)]
    : [recorded, resolved(call, 'notApplied', 'probe')];
}

/** A void may be sent at any time and again: it only blocks. Nothing follows from it by itself. */
export function recordVoid(
  command: CommandOf<'RecordVoid'>,
  state: SessionState,
  past: Past,
): readonly SessionEvent[] {
  const call = callNamed(state, command.callId, past);
  if (call.originSessionId !== undefined) throw inherited(call);
  if (call.status !== 'unknown' && call.status !== 'awaitingHuman') {
    throw invalidState(call, state, 'only the key of a call of unknown outcome is made unusable');
  }
  return [
    {
      type: 'ToolProbeRecorded',
      data: {
        callId: call.callId,
        probeNo: call.probes + 1,
        kind: 'void',
        voided: command.voided,
        source: 'http',
        requestedAt: command.requestedAt,
        verdict: command.voided ? 'inconclusive' : 'error',
        evidence: command.evidence,
      },
    },
  ];
}

/** Of a call that was given up only a person's finding still counts. */
function refuseProbe(
  command: CommandOf<'RecordProbe'>,
  call: CallState,
  state: SessionState,
): void {
  switch (call.status) {
    case 'unknown':
    case 'awaitingHuman':
      return;
    case 'requested':
    case 'running':
    case 'retryAuthorized':
    case 'compensating':
      throw invalidState(call, state, 'its outcome is not in question');
    case 'abandoned':
      if (command.source === 'operator') return;
      throw alreadyDecided(call);
    default:
      throw alreadyDecided(call);
  }
}

function alreadyDecided(call: CallState): Rejection {
  return new Rejection('already_decided', `the outcome of this call is ${call.status}`, {
    callId: call.callId,
    state: call.status,
  });
}

/** "Not found" proves something only after the time that the tool's author has named. */
function verdictOf(command: CommandOf<'RecordProbe'>, call: CallState): ProbeVerdict {
  switch (command.answer) {
    case 'found':
      return 'applied';
    case 'inProgress':
      return 'inProgress';
    case 'unclear':
      return 'inconclusive';
    case 'error':
      return 'error';
    case 'notFound':
      return notFoundIsFinal(command, call) ? 'notApplied' : 'inconclusive';
  }
}

/** Whoever asked has a clock of its own: no question was sent after its answer came here. */
function notFoundIsFinal(command: CommandOf<'RecordProbe'>, call: CallState): boolean {
  const { hasWaited = true, now } = command;
  const requestedAt = command.requestedAt < now ? command.requestedAt : now;
  if (call.voidedAt !== undefined && requestedAt >= call.voidedAt) return true;
  const finalAt = notFoundFinalAt(call);
  if (!hasWaited) return false;
  return finalAt !== undefined && Date.parse(requestedAt) >= Date.parse(finalAt);
}

function mayRetry(call: CallState, state: SessionState): boolean {
  const manifest = manifestOfCall(call, state);
  const run = state.run;
  return (
    call.status === 'unknown' &&
    call.voidedAt === undefined &&
    call.effect !== 'opaqueWrite' &&
    manifest.retryWhenNotApplied &&
    permitsGiven(call) < manifest.maxAttempts &&
    run?.runId === call.runId &&
    (run?.status === 'active' || run?.status === 'interrupted')
  );
}

/** A person says what happened, or what shall happen. */
export function decideEscalation(
  command: CommandOf<'DecideEscalation'>,
  state: SessionState,
  past: Past,
): readonly SessionEvent[] {
  const call = callNamed(state, command.callId, past);
  if (call.originSessionId !== undefined) throw inherited(call);
  try {
    return decidedOn(call, command, state);
  } catch (error) {
    throw error instanceof Rejection ? withWayOut(error, call, state) : error;
  }
}

function decidedOn(
  call: CallState,
  command: CommandOf<'DecideEscalation'>,
  state: SessionState,
): readonly SessionEvent[] {
  const lateFinding =
    call.status === 'abandoned' &&
    (command.decision === 'applied' || command.decision === 'notApplied');
  const undecided = call.status === 'awaitingHuman' || call.status === 'unknown';
  if (!undecided && !lateFinding) {
    if (['requested', 'running', 'compensating'].includes(call.status)) {
      throw invalidState(call, state, 'there is nothing to decide yet');
    }
    throw alreadyDecided(call);
  }
  if (answersEarlierQuestion(command, call)) throw answered(command, call);
  const asked = call.status === 'unknown' ? [askedNow(command, call, state)] : [];
  return [...asked, decided(command, call), ...outcomeOf(command, call, state)];
}

function answersEarlierQuestion(command: CommandOf<'DecideEscalation'>, call: CallState): boolean {
  const asked = call.escalation?.escalationId;
  return command.escalationId !== undefined && command.escalationId !== asked;
}

function answered({ escalationId }: CommandOf<'DecideEscalation'>, call: CallState): Rejection {
  const detail = `question ${escalationId} is over; ${call.escalation?.escalationId ?? 'none'} is open`;
  return new Rejection('already_decided', detail, { callId: call.callId, state: call.status });
}

/** A person decides on a call that nobody was asked about yet (an imported one, for example). */
function askedNow(
  command: CommandOf<'DecideEscalation'>,
  call: CallState,
  state: SessionState,
): SessionEvent {
  const manifest = manifestOfCall(call, state);
  return {
    type: 'ToolEscalated',
    data: {
      callId: call.callId,
      escalationId: command.commandId,
      to: manifest.escalateTo,
      dueAt: new Date(Date.parse(command.now) + manifest.escalationDueMs).toISOString(),
      reason: 'noPolicy',
      blocking: false,
    },
  };
}

function decided(command: CommandOf<'DecideEscalation'>, call: CallState): SessionEvent {
  const { callId, decision, note, evidenceRef } = command;
  const escalationId = call.escalation?.escalationId ?? command.commandId;
  return {
    type: 'ToolEscalationDecided',
    data: { callId, escalationId, decision, note, evidenceRef },
  };
}

function outcomeOf(
  command: CommandOf<'DecideEscalation'>,
  call: CallState,
  state: SessionState,
): readonly SessionEvent[] {
  if (command.decision === 'compensate') return ordered(command, call, state);
  if (command.decision !== 'retry') {
    const verdict = command.decision === 'abandon' ? 'abandoned' : command.decision;
    return [resolved(call, verdict, 'human', command.evidenceRef)];
  }
  const refusal = retryRefusal(call, state);
  if (refusal !== undefined) throw refusal;
  const notAfter = new Date(Date.parse(command.now) + HUMAN_RETRY_NOT_AFTER_MS).toISOString();
  return [retry(call, 'human', notAfter)];
}

/**
 * A manifest's promise proved false: no later step relies on it. What was authorized on its word is
 * taken back; what a person ordered stays.
 */
export function lowerToolCall(
  command: CommandOf<'LowerToolCall'>,
  state: SessionState,
  past: Past,
): readonly SessionEvent[] {
  const call = callNamed(state, command.callId, past);
  if (call.originSessionId !== undefined) throw inherited(call);
  if (!isUnresolved(call)) throw alreadyDecided(call);
  if (call.effect === 'opaqueWrite') return [];
  if (call.effect === 'readOnly' && call.status !== 'requested') {
    throw invalidState(call, state, 'a read that was started has done nothing that could be asked');
  }
  const { callId, effect: from } = call;
  const lowered: SessionEvent = {
    type: 'ToolEffectLowered',
    data: { callId, from, note: command.note },
  };
  const takenBack = call.status === 'retryAuthorized' && call.retry?.basis !== 'human';
  return takenBack ? [lowered, unknown(call, 'retryStopped')] : [lowered];
}

/** The next automatic step of one call, if one is due; otherwise nothing. */
export function reconcileCall(
  command: CommandOf<'ReconcileCall'>,
  state: SessionState,
): readonly SessionEvent[] {
  const call = own(state.calls, command.callId);
  if (call === undefined) return [];
  if (owesUndo(call)) return orderedByItself(command, call, state);
  const { now, escalationId, latestNow } = command;
  const step = automaticStep(call, state, now, escalationId, latestNow);
  return step === undefined ? [] : [step];
}

export function resolved(
  call: CallState,
  verdict: ResolvedVerdict,
  basis: ResolvedBasis,
  evidenceRef?: string,
): SessionEvent {
  return {
    type: 'ToolOutcomeResolved',
    data: { callId: call.callId, verdict, basis, evidenceRef },
  };
}

function retry(
  call: CallState,
  basis: 'probeNotApplied' | 'human',
  notAfter: string | null,
): SessionEvent {
  return {
    type: 'ToolRetryAuthorized',
    data: { callId: call.callId, nextAttempt: nextAttempt(call), basis, notAfter },
  };
}
