import type { CommandOf } from './commands.js';
import { approvalsNow } from './decide-approval.js';
import { undoingDue } from './compensation.js';
import type { SessionEvent } from './events.js';
import { quarantined, refuseForeignId } from './guards.js';
import type { Past } from './past.js';
import { quarantine } from './quarantine.js';
import { Rejection } from './rejection.js';
import { differencesOf } from './setup-differences.js';
import { leftoversOf } from './settle.js';
import type { RunKind, RunState } from './run-state.js';
import type { CallState, PendingInput, SessionState } from './state.js';

/** Recovery claims of one run without settled progress, and in total (protocol, §13.2). */
export const RECOVERY_ATTEMPTS_MAX = 10;
export const RECOVERY_TOTAL_MAX = 100;
/** Inputs that one claim or model call delivers: with it they must fit into one append. */
export const DELIVERIES_AT_ONCE_MAX = 50;

/**
 * Makes the worker the owner: one append with everything that the previous owner left open
 * (protocol, §8.2). Two racing claims decide on the same revision, and the store accepts one.
 */
export function claimRun(
  command: CommandOf<'ClaimRun'>,
  state: SessionState,
  past: Past,
): readonly SessionEvent[] {
  refuseClaim(command, state);
  const run = state.run;
  const { exhausted } = command;
  if (run === undefined) {
    const undoing = command.kind === 'agent' ? undoingDue(state) : undefined;
    if (undoing !== undefined) return [undoingRun(command, state, undoing)];
    if (exhausted !== undefined && command.kind === 'agent') throw exhausted;
    return newRun(command, state, past);
  }
  if (exhausted !== undefined) return quarantine(state, run, 'cost', {}, command.now);
  refuseIncompatible(command, state);
  if (!run.owned) return resumedRun(command, state, run);
  return takeover(command, state, run);
}

function refuseClaim(command: CommandOf<'ClaimRun'>, state: SessionState): void {
  const run = state.run;
  if (run?.status === 'quarantined') throw quarantined(state);
  const undoing = run === undefined ? undoingDue(state) : undefined;
  // The only run that a stopped session can have undoes a call: whoever takes it over goes on with it.
  if (state.stopped && run === undefined && undoing === undefined) {
    throw new Rejection(
      'session_stopped',
      'a user stopped this session; only a resume or a new input starts it again',
      { lastRun: state.lastRun },
    );
  }
  const isStartable = startable(state) || undoing !== undefined;
  if (run === undefined && command.kind === 'agent' && !isStartable) {
    throw new Rejection('nothing_to_run', 'no open run and no input that wants one');
  }
  if (run?.status === 'stopping') {
    throw new Rejection('run_stopped', `run ${run.runId} is being stopped`, { runId: run.runId });
  }
  if (run?.owned && command.lease.live && !command.force) {
    const until = command.lease.expiresAt;
    const detail = `worker ${run.workerId} holds this session; its lease ends at ${until}, unless it is renewed`;
    throw new Rejection('owned', detail, {
      heldBy: run.workerId,
      runId: run.runId,
      epoch: run.epoch,
      leaseExpiresAt: command.lease.expiresAt,
    });
  }
}

/** An open call needs what this worker has not, or rests on a promise that is not given any more. */
function refuseIncompatible(command: CommandOf<'ClaimRun'>, state: SessionState): void {
  const differences = differencesOf(state, command.setup, command.promises ?? {});
  const incompatible = differences.filter(({ isIncompatible }) => isIncompatible);
  if (incompatible.length === 0 || command.confirmed) return;
  throw new Rejection(
    'incompatible_setup',
    'the tools of open calls are missing or promise something else: see `differences`; ' +
      'claim with `confirmDifferences` to go on all the same',
    { differences },
  );
}

function startable(state: SessionState): boolean {
  return state.pendingInputs.some((input) => input.resume);
}

function newRun(
  command: CommandOf<'ClaimRun'>,
  state: SessionState,
  past: Past,
): readonly SessionEvent[] {
  refuseForeignId(command.runId, 'run', past);
  const inputs = command.kind === 'agent' ? inputsOfNewRun(state) : [];
  return [
    claimed(command, state, command.runId, 'start', inputs),
    ...inputs.map((input): SessionEvent => ({
      type: 'InputDelivered',
      data: {
        inputId: input.inputId,
        runId: command.runId,
        messageId: command.messageIdOf(input.inputId),
      },
    })),
  ];
}

/** Before anything else of the session, and in a stopped one too: a person has ordered it. */
function undoingRun(
  command: CommandOf<'ClaimRun'>,
  state: SessionState,
  { runId }: CallState,
): SessionEvent {
  return claimed({ ...command, kind: 'compensation' }, state, runId!, 'start', []);
}

/** Everything that steers, and the first that queues: queued inputs get a run each. The rest of a
 * long line follows with the next model calls. */
function inputsOfNewRun(state: SessionState): readonly PendingInput[] {
  const firstQueued = state.pendingInputs.find((input) => input.delivery === 'queue');
  return state.pendingInputs
    .filter((input) => input.delivery === 'steer' || input === firstQueued)
    .slice(0, DELIVERIES_AT_ONCE_MAX);
}

function resumedRun(
  command: CommandOf<'ClaimRun'>,
  state: SessionState,
  run: RunState,
): readonly SessionEvent[] {
  return [
    claimed(command, state, run.runId, 'resume', []),
    ...approvalsNow(state, command.promises ?? {}, command.now),
  ];
}

/** The owner is lost. The attempt is counted here, before it is made. */
function takeover(
  command: CommandOf<'ClaimRun'>,
  state: SessionState,
  run: RunState,
): readonly SessionEvent[] {
  const attempt = run.recoveryAttempts + 1;
  const total = run.recoveryTotal + 1;
  const exhausted =
    attempt > RECOVERY_ATTEMPTS_MAX
      ? 'recoveryAttempts'
      : total > RECOVERY_TOTAL_MAX
        ? 'recoveryTotal'
        : undefined;
  if (exhausted !== undefined) {
    const { recoveryAttempts, recoveryTotal } = run;
    const counters = { recoveryAttempts, recoveryTotal };
    return quarantine(state, run, exhausted, counters, command.now);
  }
  return [
    claimed(command, state, run.runId, 'takeover', []),
    {
      type: 'RecoveryAttempted',
      data: { runId: run.runId, epoch: state.epoch + 1, attempt, total },
    },
    ...leftoversOf(state, 'ownerLost', command.now),
    ...approvalsNow(state, command.promises ?? {}, command.now),
  ];
}

function claimed(
  command: Omit<CommandOf<'ClaimRun'>, 'kind'> & { readonly kind: RunKind },
  state: SessionState,
  runId: string,
  reason: 'start' | 'resume' | 'takeover',
  inputs: readonly PendingInput[],
): SessionEvent {
  const differences = differencesOf(state, command.setup, command.promises ?? {});
  return {
    type: 'RunClaimed',
    data: {
      runId,
      epoch: state.epoch + 1,
      claimTokenHash: command.claimTokenHash,
      workerId: command.workerId,
      kind: state.run?.kind ?? command.kind,
      reason,
      inputIds: inputs.map((input) => input.inputId),
      leaseTtlMs: command.leaseTtlMs,
      ...(state.run?.owned && command.lease.live ? { forced: true as const } : {}),
      setup: command.setup,
      differences: differences.length === 0 ? undefined : differences,
    },
  };
}
