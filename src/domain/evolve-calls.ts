import type { EventOf } from './events.js';
import type { ToolEvents } from './events/tool-events.js';
import { everyOtherRefused } from './attempts.js';
import type { CallAttempt } from './call-attempt.js';
import type { CallState, CallStatus, SessionState } from './state.js';
import { own } from './own.js';

/** How the tool-call events change the state of their call. */
export function evolveCall(state: SessionState, event: ToolEvents): SessionState {
  if (event.type === 'ToolCallRequested') return withCall(state, requested(event.data));
  if (event.type === 'ToolCompensationRequested') return compensating(state, event.data);
  const call = own(state.calls, event.data.callId);
  if (call === undefined) return state;
  switch (event.type) {
    case 'ToolCallStarted':
      return withCall(state, started(call, event.data));
    case 'ToolApprovalRequested': {
      const { to, dueAt } = event.data;
      return withCall(state, { ...call, approval: { to, dueAt } });
    }
    case 'ToolApprovalDecided': {
      const { decision } = event.data;
      return withCall(state, {
        ...call,
        approval: call.approval && { ...call.approval, decision },
      });
    }
    case 'ToolEffectLowered':
      return withCall(state, {
        ...call,
        effect: 'opaqueWrite',
        keyWindowMs: 0,
        notFoundIsFinalAfterMs: null,
      });
    case 'ToolCallProgressed':
      return withCall(state, { ...call, externalRef: event.data.externalRef ?? call.externalRef });
    case 'ToolResultRecorded':
      return withCall(state, resultRecorded(call, event.data, state.revision));
    case 'ToolOutcomeUnknown':
      return withCall(state, {
        ...call,
        status: 'unknown',
        unknownReason: event.data.reason,
        retry: undefined,
      });
    case 'ToolCallSkipped':
      return withCall(state, { ...call, status: 'skipped', skipReason: event.data.reason });
    case 'ToolProbeRecorded':
      return withCall(state, probed(call, event.data));
    case 'ToolRetryAuthorized':
      return withCall(state, {
        ...call,
        status: 'retryAuthorized',
        retry: event.data,
        escalation: undefined,
      });
    case 'ToolRetryExpired':
      return withCall(state, { ...call, status: 'unknown', retry: undefined });
    case 'ToolEscalated':
      return withCall(state, { ...call, status: 'awaitingHuman', escalation: event.data });
    case 'ToolEscalationDecided':
    case 'ToolCompensationRecorded':
      return state;
    case 'ToolOutcomeResolved':
      return withCall(state, {
        ...call,
        status: event.data.verdict,
        resolved: event.data.verdict,
        retry: undefined,
      });
    case 'ToolLateResultReceived':
      return withCall(state, lateResult(call, event.data, state.revision));
    case 'InheritedOutcomeRecorded':
      return withCall(state, { ...call, status: event.data.state });
    case 'ToolConflictDetected':
      return state;
  }
}

export function withCall(state: SessionState, call: CallState): SessionState {
  return { ...state, calls: { ...state.calls, [call.callId]: call } };
}

function requested(data: EventOf<'ToolCallRequested'>['data']): CallState {
  return {
    callId: data.callId,
    runId: data.runId,
    modelCallId: data.modelCallId,
    messageId: data.messageId,
    ordinal: data.ordinal,
    providerCallId: data.providerCallId,
    tool: data.tool,
    ...(data.manifest === undefined ? {} : { manifest: data.manifest }),
    effect: data.effect,
    maxFlightMs: data.timing.maxFlightMs,
    keyWindowMs: data.timing.keyWindowMs,
    notFoundIsFinalAfterMs: data.timing.notFoundIsFinalAfterMs,
    opKey: data.opKey,
    argsHash: data.argsHash,
    ...(data.undoWhenRunFails === undefined ? {} : { undoWhenRunFails: true }),
    status: 'requested',
    attempts: [],
    probes: 0,
  };
}

/** The call that undoes another has the same key however often it is ordered. */
function compensating(
  state: SessionState,
  data: EventOf<'ToolCompensationRequested'>['data'],
): SessionState {
  const { callId, compensationCallId, runId } = data;
  const call = own(state.calls, callId);
  const undone: CallState | undefined = call && {
    ...call,
    status: 'compensating',
    compensationCallId,
    escalation: undefined,
  };
  const before = undone === undefined ? state : withCall(state, undone);
  const known = own(before.calls, compensationCallId);
  return withCall(before, known === undefined ? undoing(data) : { ...known, runId });
}

function undoing(data: EventOf<'ToolCompensationRequested'>['data']): CallState {
  const { manifest } = data;
  return {
    callId: data.compensationCallId,
    compensates: data.callId,
    runId: data.runId,
    modelCallId: '',
    messageId: '',
    ordinal: 0,
    tool: data.tool,
    manifest,
    effect: manifest.effect,
    maxFlightMs: manifest.maxFlightMs,
    keyWindowMs: manifest.keyWindowMs,
    notFoundIsFinalAfterMs: manifest.notFoundIsFinalAfterMs,
    opKey: data.opKey,
    argsHash: data.argsHash,
    status: 'requested',
    attempts: [],
    probes: 0,
  };
}

function probed(call: CallState, data: EventOf<'ToolProbeRecorded'>['data']): CallState {
  const { kind, requestedAt, verdict, evidence } = data;
  return {
    ...call,
    probes: data.probeNo,
    lastProbe: { kind, sentAt: requestedAt, verdict },
    voidedAt: data.voided === true ? evidence.observedAt : call.voidedAt,
    externalRef: evidence.externalRef ?? call.externalRef,
  };
}

function started(call: CallState, data: EventOf<'ToolCallStarted'>['data']): CallState {
  const attempt: CallAttempt = {
    attempt: data.attempt,
    epoch: data.epoch,
    startedAt: data.startedAt,
    dispatchBy: data.dispatchBy,
    deadline: data.deadline,
    basis: data.basis,
  };
  return {
    ...call,
    status: 'running',
    attempts: [...call.attempts, attempt],
    retry: undefined,
    unknownReason: undefined,
    escalation: undefined,
  };
}

function resultRecorded(
  call: CallState,
  data: EventOf<'ToolResultRecorded'>['data'],
  revision: number,
): CallState {
  const attempts = withResult(call.attempts, data.attempt, {
    status: data.status,
    scope: data.scope,
    hash: data.resultHash,
    revision,
    late: false,
  });
  return {
    ...call,
    attempts,
    status: statusAfterResult(call, data),
    externalRef: data.externalRef ?? call.externalRef,
  };
}

/**
 * A refusal proves only that its own attempt did nothing (reconciliation protocol, §9.3): the call
 * has failed when it is a read, when the target spoke of the whole operation, or when every attempt
 * is proven to have had no effect. Otherwise `ToolOutcomeUnknown` follows in the same append.
 */
function statusAfterResult(
  call: CallState,
  result: {
    readonly status: 'completed' | 'noEffect';
    readonly scope?: 'attempt' | 'operation';
    readonly attempt: number;
  },
): CallStatus {
  if (result.status === 'completed') return 'completed';
  const failed =
    call.effect === 'readOnly' ||
    result.scope === 'operation' ||
    everyOtherRefused(call, result.attempt);
  return failed ? 'failed' : call.status;
}

function lateResult(
  call: CallState,
  data: EventOf<'ToolLateResultReceived'>['data'],
  revision: number,
): CallState {
  const known = call.attempts.some((attempt) => attempt.attempt === data.attempt);
  const attempts = known ? call.attempts : [...call.attempts, undeclared(data)];
  return {
    ...call,
    attempts: withResult(attempts, data.attempt, {
      status: data.status,
      scope: data.scope,
      hash: data.resultHash,
      revision,
      late: true,
    }),
  };
}

function undeclared(data: EventOf<'ToolLateResultReceived'>['data']): CallAttempt {
  return {
    attempt: data.attempt,
    epoch: data.claimedEpoch,
    startedAt: '',
    dispatchBy: '',
    deadline: '',
    basis: 'first',
    undeclared: true,
  };
}

function withResult(
  attempts: readonly CallAttempt[],
  number: number,
  result: NonNullable<CallAttempt['result']>,
): readonly CallAttempt[] {
  return attempts.map((attempt) =>
    attempt.attempt === number && attempt.result === undefined ? { ...attempt, result } : attempt,
  );
}
