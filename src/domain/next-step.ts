import { keyWindowEnd, latestPermit, nextAttempt, permitsGiven } from './attempts.js';
import { manifestOfCall } from './call-manifest.js';
import { approvalExpired } from './decide-approval.js';
import type { SessionEvent } from './events.js';
import { askedByWorkerUntil, canBeProbed, scheduledProbeAt } from './next-probe.js';
import { goesOn, retryDueAt, waitsForRetry } from './next-retry.js';
import { unknown } from './settle.js';
import {
  type CallState,
  type SessionState,
  callsOf,
  isImportedUnknown,
  waitsFor,
} from './state.js';
import type { ToolManifest } from './tool-manifest.js';

/**
 * What recovery does by itself with a call, as a pure function of the state: the live path and the
 * path after a restart are the same (protocol, §10.1). It never makes a tool call.
 * @param latestNow by the later of wall and monotonic clock: windows are over by it (C3).
 */
export function automaticStep(
  call: CallState,
  state: SessionState,
  now: string,
  escalationId: string,
  latestNow: string = now,
): SessionEvent | undefined {
  switch (call.status) {
    case 'requested':
      return approvalExpired(call, now);
    case 'running':
      return now > latestPermit(call)!.deadline ? unknown(call, 'deadline') : undefined;
    case 'retryAuthorized':
      return retryExpired(call, call.retry?.basis === 'human' ? now : latestNow);
    case 'awaitingHuman':
      return now > call.escalation!.dueAt ? resolvedBy(call, 'expiry') : undefined;
    case 'unknown':
      return isImportedUnknown(call)
        ? undefined
        : unknownStep(call, state, { now, latestNow }, escalationId);
    default:
      return undefined;
  }
}

/** When the next automatic step of any call may be due; undefined when nothing is scheduled. */
export function nextDueAt(state: SessionState): string | undefined {
  const times = callsOf(state).flatMap((call) => dueAt(call, state) ?? []);
  return times.sort()[0];
}

/** When something happens to a call without anybody's doing: a step, or a query by the server. */
export function dueAt(call: CallState, state: SessionState): string | undefined {
  if (call.status === 'requested') return waitsFor(call)?.dueAt;
  if (call.status === 'running') return latestPermit(call)?.deadline;
  if (call.status === 'retryAuthorized') return call.retry?.notAfter ?? undefined;
  if (call.status === 'awaitingHuman') return call.escalation?.dueAt;
  if (call.status === 'unknown' && !isImportedUnknown(call)) {
    const manifest = manifestOfCall(call, state);
    const retryAt = waitsForRetry(call, state) ? retryDueAt(call) : undefined;
    return retryAt ?? scheduledProbeAt(call, state) ?? askedByWorkerUntil(call, manifest);
  }
  return undefined;
}

function unknownStep(
  call: CallState,
  state: SessionState,
  { now, latestNow }: { readonly now: string; readonly latestNow: string },
  escalationId: string,
): SessionEvent | undefined {
  const manifest = manifestOfCall(call, state);
  const attemptsLeft = permitsGiven(call) < manifest.maxAttempts;
  const run = state.run?.runId === call.runId ? state.run : undefined;
  const runGoesOn = goesOn(run);
  const waitsForResume = run?.status === 'quarantined';
  switch (call.effect) {
    case 'readOnly':
      if (waitsForResume) return undefined;
      return attemptsLeft && runGoesOn
        ? retryAuthorized(call, 'readOnly', null)
        : resolvedBy(call, 'policy');
    case 'keyedWrite': {
      const notAfter = keyWindowEnd(call);
      const isOver = notAfter === undefined || latestNow > notAfter;
      const inside = !isOver && retryDueAt(call) <= notAfter;
      if (inside && waitsForResume) return undefined;
      if (inside && attemptsLeft && runGoesOn && call.voidedAt === undefined) {
        if (latestNow < retryDueAt(call)) return undefined;
        return retryAuthorized(call, 'keyedWithinWindow', notAfter);
      }
      const reason = attemptsLeft ? 'noPolicy' : 'attemptsExhausted';
      return askOrEscalate(call, manifest, now, escalationId, inside ? reason : 'windowClosed');
    }
    case 'queryableWrite':
      return askOrEscalate(call, manifest, now, escalationId, 'probesExhausted');
    case 'opaqueWrite':
      return escalated(call, manifest, now, escalationId, 'noPolicy');
  }
}

/** Whoever can ask the target does so first; people are asked when the probes are used up. */
function askOrEscalate(
  call: CallState,
  manifest: ToolManifest,
  now: string,
  escalationId: string,
  reason: 'noPolicy' | 'probesExhausted' | 'windowClosed' | 'attemptsExhausted',
): SessionEvent | undefined {
  if (canBeProbed(call, manifest, now)) return undefined;
  return escalated(call, manifest, now, escalationId, manifest.probe ? 'probesExhausted' : reason);
}

function retryExpired(call: CallState, now: string): SessionEvent | undefined {
  const retry = call.retry!;
  if (retry.notAfter === null || now <= retry.notAfter) return undefined;
  return {
    type: 'ToolRetryExpired',
    data: { callId: call.callId, nextAttempt: retry.nextAttempt },
  };
}

function resolvedBy(call: CallState, basis: 'policy' | 'expiry'): SessionEvent {
  return {
    type: 'ToolOutcomeResolved',
    data: { callId: call.callId, verdict: 'abandoned', basis },
  };
}

function retryAuthorized(
  call: CallState,
  basis: 'readOnly' | 'keyedWithinWindow',
  notAfter: string | null,
): SessionEvent {
  return {
    type: 'ToolRetryAuthorized',
    data: { callId: call.callId, nextAttempt: nextAttempt(call), basis, notAfter },
  };
}

function escalated(
  call: CallState,
  manifest: ToolManifest,
  now: string,
  escalationId: string,
  reason: 'noPolicy' | 'probesExhausted' | 'windowClosed' | 'attemptsExhausted',
): SessionEvent {
  return {
    type: 'ToolEscalated',
    data: {
      callId: call.callId,
      escalationId,
      to: manifest.escalateTo,
      dueAt: new Date(Date.parse(now) + manifest.escalationDueMs).toISOString(),
      reason,
      blocking: manifest.onUnknown === 'hold',
    },
  };
}
