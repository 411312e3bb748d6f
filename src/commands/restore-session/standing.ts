import type { LeaseView } from '../../domain/commands.js';
import { BUDGETS } from '../../domain/guards.js';
import { type SessionState, callsOf, waitsFor } from '../../domain/state.js';

/** Why a session stopped, and whether it may go on. */
export interface Standing {
  readonly stoppedBy:
    | 'nothing'
    | 'crash'
    | 'shutdown'
    | 'release'
    | 'import'
    | 'user'
    | 'budget'
    | 'completed'
    | 'failed'
    | 'neverStarted';
  readonly mayContinue: boolean;
  readonly why: string;
  /** Who holds it now, if anybody does. */
  readonly heldBy?: string;
  readonly leaseExpiresAt?: string;
}

/**
 * A crash, an orderly shutdown and a user's stop leave three different traces: an open epoch
 * without a live lease, `RunInterrupted`, and `RunStopped` (reconciliation protocol, §14).
 */
export function standingOf(state: SessionState, lease: LeaseView): Standing {
  const run = state.run;
  if (run === undefined) return restingStanding(state);
  if (run.status === 'quarantined') {
    const budget = BUDGETS[run.quarantine ?? 'recoveryAttempts'];
    return no('budget', `it used up ${budget}; resume it to go on`);
  }
  if (run.status === 'stopping') return no('user', 'a user is stopping the run');
  if (run.owned && lease.live) {
    return {
      stoppedBy: 'nothing',
      mayContinue: false,
      why: `worker ${run.workerId} holds it`,
      heldBy: run.workerId,
      leaseExpiresAt: lease.expiresAt,
    };
  }
  if (run.owned) {
    return yes('crash', `worker ${run.workerId} is gone and left no trace; its lease has expired`);
  }
  switch (run.interruption) {
    case 'imported':
      return yes('import', 'the imported log ends in the middle of a run');
    case 'waiting':
    case 'handover':
      return waitingStanding(state);
    default:
      return yes('shutdown', 'its worker was shut down in good order');
  }
}

function waitingStanding(state: SessionState): Standing {
  for (const call of callsOf(state)) {
    const waits = waitsFor(call);
    if (waits !== undefined) {
      return no('release', `${waits.who} has to decide on a call of ${call.tool} first`);
    }
  }
  return yes('release', 'its worker gave it back');
}

function restingStanding(state: SessionState): Standing {
  if (state.stopped) {
    return no('user', 'a user stopped it; only a resume or a new input starts it again');
  }
  const pending = state.pendingInputs.some((input) => input.resume);
  const by = state.lastRun === undefined ? 'neverStarted' : restedBy(state.lastRun.outcome);
  return pending ? yes(by, 'inputs are waiting') : no(by, 'there is nothing to run');
}

function restedBy(outcome: 'completed' | 'failed' | 'stopped'): Standing['stoppedBy'] {
  return outcome === 'stopped' ? 'user' : outcome;
}

function yes(stoppedBy: Standing['stoppedBy'], why: string): Standing {
  return { stoppedBy, mayContinue: true, why };
}

function no(stoppedBy: Standing['stoppedBy'], why: string): Standing {
  return { stoppedBy, mayContinue: false, why };
}
