import { latestPermit } from './attempts.js';
import { isUndoingDue } from './compensation.js';
import { notFoundFinalAt } from './next-probe.js';
import { automaticStep, dueAt } from './next-step.js';
import {
  type CallState,
  type SessionState,
  callsOf,
  isImportedUnknown,
  isOpen,
  isUnresolved,
  statusOf,
  waitsFor,
} from './state.js';

/** Why a session is not forgotten (reconciliation protocol, §18), with what proves it. */
export type Account =
  | { readonly class: 'owned'; readonly by: string }
  | { readonly class: 'scheduled'; readonly dueAt?: string }
  | { readonly class: 'waiting'; readonly for: string; readonly dueAt?: string }
  | { readonly class: 'resting' };

/** Nothing proves that anything will ever happen to this: an alarm, and a defect of Holdfast. */
export interface Unaccounted {
  readonly class: 'unaccounted';
  readonly calls: readonly string[];
}

/** How late a step may be: passes of the reconciler lie in between. */
const OVERDUE_MS = 60_000;

/**
 * The first class that holds, and every call of the session by itself.
 * @param leaseIsLive what the lease store says of its owner. A lost owner's session is scheduled:
 *   any worker may take it over.
 */
export function accountOf(
  state: SessionState,
  leaseIsLive: boolean,
  now: string,
): Account | Unaccounted {
  if (state.imported && state.epoch === 0) {
    return statusOf(state) === 'idle' ? { class: 'resting' } : { class: 'waiting', for: 'user' };
  }
  const lost = callsOf(state).filter((call) => !isAccounted(call, state, now));
  if (lost.length > 0) {
    return { class: 'unaccounted', calls: lost.map(({ callId }) => callId) };
  }
  const { run } = state;
  if (run?.owned) {
    return leaseIsLive ? { class: 'owned', by: run.workerId } : { class: 'scheduled' };
  }
  if (run?.status === 'quarantined') return { class: 'waiting', for: 'operator' };
  return ofStatus(state);
}

function ofStatus(state: SessionState): Account {
  const waits = callsOf(state).flatMap((call) => waitsFor(call) ?? []);
  const times = callsOf(state).flatMap((call) => dueAt(call, state) ?? []);
  const [first] = [...waits].sort((one, other) => (one.dueAt < other.dueAt ? -1 : 1));
  if (first !== undefined) return { class: 'waiting', for: first.who, dueAt: first.dueAt };
  switch (statusOf(state)) {
    case 'waiting':
      return { class: 'waiting', for: state.run === undefined ? originOf(state) : 'user' };
    case 'scheduled':
      return { class: 'scheduled', dueAt: times.sort()[0] };
    case 'stopped':
      // Nothing is run any more; what was in flight is still found out.
      return callsOf(state).some(isOpen)
        ? { class: 'scheduled', dueAt: times.sort()[0] }
        : { class: 'resting' };
    default:
      return { class: 'resting' };
  }
}

function originOf(state: SessionState): string {
  return callsOf(state).find((call) => call.originSessionId)?.originSessionId ?? 'user';
}

/** Running under an open epoch, due at a time that is not long over, or waiting for a named party. */
function isAccounted(call: CallState, state: SessionState, now: string): boolean {
  // The reconciler's next pass orders to undo what is owed.
  if (!isUnresolved(call) || isImportedUnknown(call)) return true;
  if (call.status === 'inherited') return call.originSessionId !== undefined;
  const run = state.run?.runId === call.runId ? state.run : undefined;
  if (call.status === 'compensating') return call.compensationCallId !== undefined;
  const due = dueAt(call, state);
  if (due !== undefined) return Date.parse(now) <= sinceMs(call, due) + OVERDUE_MS;
  // The reconciler's next pass takes the step that became due by the end of its run.
  if (automaticStep(call, state, now, 'due') !== undefined) return true;
  // Its run's owner starts it, or whoever resumes or takes over that run.
  return run !== undefined || isUndoingDue(call);
}

/**
 * Since when its step can have been taken. A query may be due by the times of an earlier attempt, or
 * from the start of this one, and is asked when the outcome is unknown: at the latest when the
 * deadline was found to have passed.
 */
function sinceMs(call: CallState, due: string): number {
  const last = latestPermit(call);
  if (call.status !== 'unknown' || last === undefined) return Date.parse(due);
  const dueMs = Math.max(Date.parse(due), Date.parse(last.deadline) + OVERDUE_MS);
  // The question whose "not found" counts waits for the monotonic clock, too.
  return notFoundFinalAt(call) === undefined ? dueMs : dueMs + call.maxFlightMs;
}
