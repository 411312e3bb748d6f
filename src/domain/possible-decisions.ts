import { latestPermit, permitsGiven } from './attempts.js';
import { manifestOfCall } from './call-manifest.js';
import type { EscalationDecision } from './events/tool-events.js';
import { invalidState, quarantined } from './guards.js';
import { Rejection } from './rejection.js';
import type { CallState, SessionState } from './state.js';

/** What a person can decide on a call as it stands now; empty: nothing is in question. */
export function possibleDecisions(
  call: CallState,
  state: SessionState,
): readonly EscalationDecision[] {
  if (call.status === 'abandoned') return ['applied', 'notApplied'];
  if (call.status !== 'awaitingHuman' && call.status !== 'unknown') return [];
  const isUndoable = manifestOfCall(call, state).compensate !== undefined;
  return [
    'applied',
    'notApplied',
    ...(retryRefusal(call, state) === undefined ? (['retry'] as const) : []),
    ...(isUndoable && state.run?.status !== 'quarantined' ? (['compensate'] as const) : []),
    'abandon',
  ];
}

/** Why nobody can order another attempt; undefined: somebody can. */
export function retryRefusal(call: CallState, state: SessionState): Rejection | undefined {
  const { run } = state;
  if (run?.status === 'quarantined') return quarantined(state);
  if (run?.status === 'stopping') {
    return new Rejection('run_stopped', 'a stopped run makes no further attempt');
  }
  if (run === undefined || run.runId !== call.runId) {
    const detail = 'the run of this call has ended; nobody would make the attempt';
    return new Rejection('run_ended', detail);
  }
  if (call.voidedAt !== undefined) {
    return invalidState(call, state, 'its key was made unusable at the target: ask for a new call');
  }
  const { maxAttempts } = manifestOfCall(call, state);
  if (permitsGiven(call) < maxAttempts) return undefined;
  return new Rejection('attempts_exhausted', `all ${maxAttempts} attempts were made`, {
    callId: call.callId,
  });
}

/** A refused decision says what can be decided instead, or what has to happen first. */
export function withWayOut(
  { code, message, facts }: Rejection,
  call: CallState,
  state: SessionState,
): Rejection {
  const possible = possibleDecisions(call, state);
  return new Rejection(code, `${message}; ${wayOut(call, possible)}`, { ...facts, possible });
}

function wayOut(call: CallState, possible: readonly EscalationDecision[]): string {
  if (possible.length > 0) return `possible now: ${possible.join(', ')}`;
  const { approval, compensationCallId, retry } = call;
  switch (call.status) {
    case 'requested':
      return approval !== undefined && approval.decision === undefined
        ? `${approval.to} can allow or deny it until ${approval.dueAt}`
        : 'nothing has happened yet: its owner starts or skips it, a stop of the run gives it up';
    case 'running':
      return `wait until ${latestPermit(call)!.deadline}, or stop its run: then its outcome is unknown and can be decided`;
    case 'retryAuthorized':
      return `attempt ${retry!.nextAttempt} may be made: its owner makes it, a stop of the run gives it up`;
    case 'compensating':
      return `call ${compensationCallId} undoes it: decide when that has come to its end`;
    default:
      return 'what is still found out about it is reported as a late result';
  }
}
