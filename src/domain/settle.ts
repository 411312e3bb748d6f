import { latestPermit } from './attempts.js';
import type { SessionEvent } from './events.js';
import type { UnknownReason } from './events/tool-events.js';
import type { RunState } from './run-state.js';
import { type CallState, type SessionState, callsOf } from './state.js';
import { type Usage, unknownUsage } from './usage.js';

/**
 * What an owner left open when it died, was shut down or was stopped. None of it becomes "failed":
 * a running call's outcome is unknown, a model call was interrupted, a compaction had no effect.
 */
export function leftoversOf(
  state: SessionState,
  reason: Extract<UnknownReason, 'ownerLost' | 'shutdown' | 'stoppedInFlight'>,
  now: string,
): readonly SessionEvent[] {
  return [
    ...runningCalls(state).map((call) => unknown(call, reason)),
    ...openModelCall(state, reason === 'stoppedInFlight' ? 'stopped' : 'interrupted', now),
    ...openCompaction(state, reason === 'stoppedInFlight' ? 'stopped' : 'interrupted'),
  ];
}

/** A run that ends for good also gives up what was requested or authorized and never started. */
export function endOfRun(
  state: SessionState,
  run: RunState,
  reason: 'stopped' | 'runEnded',
  now: string,
): readonly SessionEvent[] {
  const mine = callsOf(state).filter((call) => call.runId === run.runId);
  return [
    ...leftoversOf(state, 'stoppedInFlight', now),
    ...mine.filter((call) => call.status === 'requested').map((call) => skipped(call, reason)),
    ...mine.filter((call) => call.status === 'retryAuthorized').map(retryGivenUp),
  ];
}

function runningCalls(state: SessionState): readonly CallState[] {
  return callsOf(state).filter((call) => call.status === 'running');
}

export function unknown(call: CallState, reason: UnknownReason): SessionEvent {
  return {
    type: 'ToolOutcomeUnknown',
    data: { callId: call.callId, attempt: latestPermit(call)?.attempt ?? 0, reason },
  };
}

function skipped(call: CallState, reason: 'stopped' | 'runEnded'): SessionEvent {
  return { type: 'ToolCallSkipped', data: { callId: call.callId, reason } };
}

function retryGivenUp(call: CallState): SessionEvent {
  if (call.retry?.basis === 'probeNotApplied') {
    return {
      type: 'ToolOutcomeResolved',
      data: { callId: call.callId, verdict: 'notApplied', basis: 'policy' },
    };
  }
  return unknown(call, 'retryStopped');
}

function openModelCall(
  state: SessionState,
  outcome: 'interrupted' | 'stopped',
  now: string,
): readonly SessionEvent[] {
  const open = state.modelCall;
  if (open === undefined) return [];
  return [
    {
      type: 'ModelCallSettled',
      data: {
        modelCallId: open.modelCallId,
        outcome,
        providerReached: 'maybe',
        purpose: open.purpose,
        runId: open.runId,
        callKey: `call:${state.sessionId}/${open.modelCallId}`,
        provider: open.provider,
        requestedModel: open.requestedModel,
        requestedTier: open.requestedTier,
        startedAt: open.startedAt,
        endedAt: now,
        reservation: open.reservation,
        usage: usageOfCut(open.outputCharacters),
        cost: { amountPico: null, currency: 'USD', source: 'local', reason: 'usage_unknown' },
      },
    },
  ];
}

const CHARACTERS_PER_TOKEN = 4;

/** The provider may have billed it and nobody counted: unknown, never zero. */
function usageOfCut(receivedCharacters: number): Usage {
  const unknown = unknownUsage('local');
  return receivedCharacters === 0
    ? unknown
    : { ...unknown, estimatedOutput: Math.ceil(receivedCharacters / CHARACTERS_PER_TOKEN) };
}

function openCompaction(
  state: SessionState,
  reason: 'interrupted' | 'stopped',
): readonly SessionEvent[] {
  if (state.compaction === undefined) return [];
  return [
    {
      type: 'CompactionFailed',
      data: { compactionId: state.compaction.compactionId, reason },
    },
  ];
}
