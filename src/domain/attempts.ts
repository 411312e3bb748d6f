import type { CallAttempt } from './call-attempt.js';
import type { CallState } from './state.js';

/**
 * A worker may report an attempt that it made without a permit. Its result is kept like any other,
 * but only permitted attempts say what runs, until when, and how many were made.
 */
export function latestPermit(call: CallState): CallAttempt | undefined {
  return call.attempts.findLast((attempt) => !attempt.undeclared);
}

export function firstPermit(call: CallState): CallAttempt | undefined {
  return call.attempts.find((attempt) => !attempt.undeclared);
}

export function permitsGiven(call: CallState): number {
  return call.attempts.filter((attempt) => !attempt.undeclared).length;
}

/** A number that no result was reported under yet: there is one result per attempt. */
export function nextAttempt(call: CallState): number {
  return call.attempts.reduce((highest, { attempt }) => Math.max(highest, attempt), 0) + 1;
}

/** A refusal proves only that its own attempt did nothing (reconciliation protocol, §9.3). */
export function everyOtherRefused(call: CallState, attempt: number): boolean {
  return call.attempts.every(
    (other) => other.attempt === attempt || other.result?.status === 'noEffect',
  );
}

/** Until when a new attempt is certain to land while the target still knows the key. */
export function keyWindowEnd(call: CallState): string | undefined {
  const first = firstPermit(call);
  if (first === undefined || call.keyWindowMs === 0) return undefined;
  const endMs = Date.parse(first.startedAt) + call.keyWindowMs - call.maxFlightMs;
  return new Date(endMs).toISOString();
}
