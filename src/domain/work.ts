import { undoingDue } from './compensation.js';
import { scheduledProbeAt } from './next-probe.js';
import { waitsForRetry } from './next-retry.js';
import { type SessionState, callsOf, waitsFor } from './state.js';

/** What a worker could do in a session. */
export interface Work {
  /** `takeover`: somebody holds the session; it is work once its lease is over. */
  readonly reason: 'start' | 'resume' | 'takeover';
  readonly heldBy?: string;
  readonly epoch: number;
  /** Recovery attempts of the run without settled progress: each makes the next wait longer. */
  readonly recoveryAttempts: number;
}

/** Not of a stopped or quarantined session, nor of one that waits for somebody named. */
export function workOf(state: SessionState): Work | undefined {
  const { run, epoch } = state;
  const isUndoing = undoingDue(state) !== undefined;
  const waits = callsOf(state).some((call) => waitsFor(call) !== undefined);
  const isStopped = state.stopped && run === undefined;
  if (!isUndoing && (isStopped || waits)) return undefined;
  if (run === undefined) {
    const isWanted = isUndoing || state.pendingInputs.some((input) => input.resume);
    return isWanted ? { reason: 'start', epoch, recoveryAttempts: 0 } : undefined;
  }
  if (run.status !== 'active' && run.status !== 'interrupted') return undefined;
  // What an imported log left open is at rest, until its user wants it to go on.
  const isWanted = run.interruption !== 'imported' || state.pendingInputs.some((one) => one.resume);
  if (!isWanted) return undefined;
  const { owned, workerId, recoveryAttempts } = run;
  return owned
    ? { reason: 'takeover', heldBy: workerId, epoch, recoveryAttempts }
    : { reason: 'resume', epoch, recoveryAttempts };
}

/**
 * Whether the next worker that comes gets it. A run that was interrupted in mode `manual` waits for
 * its user; while the server asks a target,
 * or lets some time pass before a call is tried again, a worker could only wait.
 */
export function isForAnyWorker(state: SessionState): boolean {
  if (workOf(state) === undefined) return false;
  if (state.run !== undefined && state.recoveryMode === 'manual') return false;
  return !callsOf(state).some(
    (call) => waitsForRetry(call, state) || scheduledProbeAt(call, state) !== undefined,
  );
}

const BACKOFF_FIRST_MS = 1_000;
const BACKOFF_MS_MAX = 300_000;

/**
 * How long a run rests after an attempt that came to nothing: 2 s, 4 s … 5 min, less a share that
 * depends on the session, so that what failed together is not tried again together (§13.1).
 */
export function recoveryPauseMs({ recoveryAttempts }: Work, sessionId: string): number {
  if (recoveryAttempts === 0) return 0;
  const pauseMs = Math.min(BACKOFF_FIRST_MS * 2 ** recoveryAttempts, BACKOFF_MS_MAX);
  let mix = 0;
  for (const character of sessionId) mix = (mix * 31 + character.charCodeAt(0)) % 1_000;
  return Math.round(pauseMs * (1 - mix / 4_000));
}
