import type { CommandOf } from './commands.js';
import type { SessionEvent } from './events.js';
import { Rejection } from './rejection.js';
import { isHidden, segmentOf, shownAgain, shownBefore } from './shown.js';
import type { SessionState } from './state.js';

/**
 * Takes the conversation back to an earlier place of the log (DESIGN §8). Nothing that may go on by
 * itself is left behind: a run, its model call, its tool calls and its compaction end first. What
 * happened in the world is not undone.
 */
export function revertSession(
  command: CommandOf<'RevertSession'>,
  state: SessionState,
): readonly SessionEvent[] {
  const { to, then, unseenInputs } = command;
  refuseWhileRunning(state);
  if (segmentOf(state, to) === undefined) {
    throw new Rejection('invalid_request', 'this session has no such place to go back to', { to });
  }
  if (to.sessionId === state.sessionId && to.revision === state.revision) {
    throw new Rejection('invalid_request', 'nothing stands behind this place', { to });
  }
  const unseen = unseenBehind(to.sessionId === state.sessionId ? to.revision : -1, state);
  const inTheWay = unseenInputs === 'keep' ? unseen.filter(isDelivered) : unseen;
  if (inTheWay.length > 0 && unseenInputs !== 'drop') throw unseenInputsRejection(inTheWay);
  const withdrawn = unseenInputs === 'drop' ? unseen.filter((input) => !isDelivered(input)) : [];
  return [
    ...withdrawn.map(({ inputId }): SessionEvent => ({
      type: 'InputWithdrawn',
      data: { inputId },
    })),
    { type: 'Reverted', data: { to, ...shownAgain(state, to, then) } },
  ];
}

/** Shows again what the reverts since the last input have hidden. */
export function clearRevert(
  command: CommandOf<'ClearRevert'>,
  state: SessionState,
): readonly SessionEvent[] {
  const { revert } = state;
  if (revert === undefined || command.before === undefined) {
    throw new Rejection(
      'invalid_state',
      'no revert is open: none was made, or an input has followed it',
      { revision: state.revision },
    );
  }
  refuseWhileRunning(state);
  const { revertedAt, shown } = command.before;
  if (revert.revision !== revertedAt) {
    throw new Rejection('invalid_state', 'another revert was made meanwhile; send it again', {
      revision: state.revision,
    });
  }
  return [
    { type: 'RevertCleared', data: { revertedAt, ...shownBefore(state, revertedAt, shown) } },
  ];
}

function refuseWhileRunning({ run }: SessionState): void {
  if (run === undefined) return;
  const advice = run.status === 'stopping' ? 'it is being stopped' : 'complete or stop it first';
  throw new Rejection('run_open', `run ${run.runId} is ${run.status}; ${advice}`, {
    runId: run.runId,
    runStatus: run.status,
  });
}

interface UnseenInput {
  readonly inputId: string;
  readonly revision: number;
  readonly state: 'pending' | 'delivered';
}

/** Inputs from behind the place that no model has read. */
function unseenBehind(revision: number, state: SessionState): readonly UnseenInput[] {
  const delivered = state.unseenInputs.map((input) => ({ ...input, state: 'delivered' as const }));
  const pending = state.pendingInputs.map((input) => ({
    inputId: input.inputId,
    revision: input.revision,
    state: 'pending' as const,
  }));
  const { sessionId, hidden } = state;
  return [...delivered, ...pending]
    .filter((input) => input.revision > revision)
    .filter((input) => !isDelivered(input) || !isHidden({ ...input, sessionId }, hidden));
}

function isDelivered(input: UnseenInput): boolean {
  return input.state === 'delivered';
}

function unseenInputsRejection(inputs: readonly UnseenInput[]): Rejection {
  return new Rejection(
    'unseen_inputs',
    `${inputs.length} accepted inputs of the hidden part have not been read by any model; ` +
      'let one answer them, or say with `unseenInputs` what becomes of them',
    { inputs: inputs.map(({ inputId, state }) => ({ inputId, state })) },
  );
}
