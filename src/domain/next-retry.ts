import { keyWindowEnd, latestPermit, permitsGiven } from './attempts.js';
import { manifestOfCall } from './call-manifest.js';
import type { RunState } from './run-state.js';
import { type CallState, type SessionState, isImportedUnknown } from './state.js';

const FIRST_MS = 1_000;
const PAUSE_MS_MAX = 60_000;

/** 1 s after the first attempt began, 2 s after the second …: a short outage uses up no attempts. */
export function retryDueAt(call: CallState): string {
  const startedMs = Date.parse(latestPermit(call)?.startedAt ?? '') || 0;
  const pauseMs = Math.min(FIRST_MS * 2 ** (permitsGiven(call) - 1), PAUSE_MS_MAX);
  return new Date(startedMs + pauseMs).toISOString();
}

/** A keyed write of unknown outcome that its run will make again by itself, after a pause. */
export function waitsForRetry(call: CallState, state: SessionState): boolean {
  if (call.status !== 'unknown' || call.effect !== 'keyedWrite') return false;
  if (isImportedUnknown(call) || call.voidedAt !== undefined) return false;
  const run = state.run?.runId === call.runId ? state.run : undefined;
  const attemptsLeft = permitsGiven(call) < manifestOfCall(call, state).maxAttempts;
  const notAfter = keyWindowEnd(call);
  if (!goesOn(run) || !attemptsLeft || notAfter === undefined) return false;
  // Whoever was asked after the end of the window goes on being asked.
  return retryDueAt(call) <= notAfter && (call.lastProbe?.sentAt ?? '') <= notAfter;
}

export function goesOn(run: RunState | undefined): boolean {
  return run?.status === 'active' || run?.status === 'interrupted';
}
