import type { SessionEvent } from '../../domain/events.js';
import type { OpenModelCall } from '../../domain/model-call-state.js';
import { type CallStatus, type SessionState, callsOf } from '../../domain/state.js';
import { unknownUsage } from '../../domain/usage.js';
import { callKeyOfNative } from '../../usage/call-key.js';
import { IMPORTED_EPOCH } from '../imported-epoch.js';

/** What somebody there would still have settled, probed or repeated. */
const UNDER_WAY: ReadonlySet<CallStatus> = new Set<CallStatus>([
  'running',
  'unknown',
  'retryAuthorized',
  'awaitingHuman',
]);

/**
 * Brings an imported session to rest: nothing of it is owned, and nobody but its user goes on with
 * what it left open. Empty when it is at rest.
 * @param native the id that it had there: it is part of the key of an open model call.
 * @param exportedAt ISO 8601: when its last event was recorded there.
 */
export function restEvents(
  state: SessionState,
  native: string,
  exportedAt: string,
): readonly SessionEvent[] {
  const { run, modelCall, compaction } = state;
  const events: SessionEvent[] = [];
  if (modelCall !== undefined) events.push(interrupted(modelCall, native, exportedAt));
  if (compaction !== undefined) {
    const { compactionId } = compaction;
    events.push({ type: 'CompactionFailed', data: { compactionId, reason: 'interrupted' } });
  }
  for (const { callId, status, unknownReason, attempts } of callsOf(state)) {
    if (!UNDER_WAY.has(status) || (status === 'unknown' && unknownReason === 'imported')) continue;
    const data = { callId, attempt: attempts.length, reason: 'imported' as const };
    events.push({ type: 'ToolOutcomeUnknown', data });
  }
  if (run !== undefined && run.status !== 'quarantined' && run.interruption !== 'imported') {
    const data = { runId: run.runId, epoch: IMPORTED_EPOCH, reason: 'imported' as const };
    events.push({ type: 'RunInterrupted', data });
  }
  return events;
}

/** Nobody knows what the provider will bill: it was asked there. */
function interrupted(call: OpenModelCall, native: string, endedAt: string): SessionEvent {
  const { modelCallId, purpose, runId, provider, requestedModel, requestedTier, startedAt } = call;
  return {
    type: 'ModelCallSettled',
    data: {
      modelCallId,
      purpose,
      runId,
      callKey: callKeyOfNative({ sessionId: native, modelCallId, provider }),
      ...(provider === undefined ? {} : { provider }),
      ...(requestedModel === undefined ? {} : { requestedModel }),
      ...(requestedTier === undefined ? {} : { requestedTier }),
      startedAt,
      outcome: 'interrupted',
      providerReached: 'maybe',
      endedAt,
      usage: unknownUsage('imported'),
    },
  };
}
