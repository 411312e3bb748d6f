import type { CommandOf } from './commands.js';
import type { SessionEvent } from './events.js';
import type { QuarantineBudget } from './events/session-events.js';
import { dueAt } from './next-step.js';
import { leftoversOf } from './settle.js';
import type { RunState } from './run-state.js';
import { type SessionState, callsOf, waitsFor } from './state.js';

/** How long the answer to a model call may take where its owner did not say. */
export const MODEL_CALL_TIMEOUT_MS = 600_000;

/**
 * A budget of the run is used up (reconciliation protocol, §13.3): its epoch ends with this append,
 * what its owner left open is settled in it, and nothing is dropped. Somebody has to resume it.
 */
export function quarantine(
  state: SessionState,
  run: RunState,
  budget: QuarantineBudget,
  counters: Readonly<Record<string, number>>,
  now: string,
): readonly SessionEvent[] {
  return [
    {
      type: 'SessionQuarantined',
      data: { runId: run.runId, budget, counters, notify: 'operator' },
    },
    ...(run.owned ? leftoversOf(state, 'ownerLost', now) : []),
  ];
}

/**
 * It is its owner's turn: no call is inside its deadline, no model call inside its timeout, no target
 * is being asked, and nobody named has to decide first (§13.2).
 */
export function isOwnersTurn(state: SessionState, now: string): boolean {
  const { run, modelCall } = state;
  if (run?.status !== 'active' || !run.owned) return false;
  if (modelCall !== undefined && now <= answerDueAt(modelCall)) return false;
  return !callsOf(state).some((call) => {
    if (waitsFor(call) !== undefined) return true;
    const isUnderWay = call.status === 'running' || call.status === 'unknown';
    return isUnderWay && now <= (dueAt(call, state) ?? '');
  });
}

function answerDueAt({
  startedAt,
  timeoutMs = MODEL_CALL_TIMEOUT_MS,
}: NonNullable<SessionState['modelCall']>): string {
  return new Date(Date.parse(startedAt) + timeoutMs).toISOString();
}

/** Somebody has watched it being the owner's turn for too long, and nothing was recorded. */
export function quarantineIdleRun(
  { runId, ownerRevision, idleMs, now }: CommandOf<'QuarantineIdleRun'>,
  state: SessionState,
): readonly SessionEvent[] {
  const { run } = state;
  const isSame = run?.runId === runId && state.ownerRevision === ownerRevision;
  if (!isSame || !isOwnersTurn(state, now)) return [];
  return quarantine(state, run, 'noProgress', { idleMs }, now);
}
