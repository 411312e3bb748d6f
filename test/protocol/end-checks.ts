import { isUndoingDue } from '../../src/domain/compensation.js';
import { canBeProbed } from '../../src/domain/next-probe.js';
import { automaticStep } from '../../src/domain/next-step.js';
import { type CallState, type SessionState, callsOf, owesUndo } from '../../src/domain/state.js';
import { manifestOf } from '../../src/domain/tool-manifest.js';
import type { WatchedCall } from './watched-call.js';
import type { World } from './world.js';

const FAR_FUTURE = '2999-01-01T00:00:00.000Z';

/** Every open call is running, has a next step, or waits for somebody by name (I-32). */
export function checkAccounted(world: World): void {
  const { state } = world.log;
  for (const call of callsOf(state)) {
    if (!isAccounted(call, state)) {
      world.violated('I-32', `nothing will ever happen to a call that is ${call.status}`);
    }
  }
}

function isAccounted(call: CallState, state: SessionState): boolean {
  const run = state.run?.runId === call.runId ? state.run : undefined;
  switch (call.status) {
    case 'requested':
      return run !== undefined || isUndoingDue(call);
    case 'compensating': {
      const undoing = state.calls[call.compensationCallId ?? ''];
      return undoing !== undefined && isAccounted(undoing, state);
    }
    case 'running':
      return run !== undefined && run.owned;
    case 'retryAuthorized':
      if (isUndoingDue(call)) return true;
      return run !== undefined || call.retry?.notAfter !== null;
    case 'awaitingHuman':
      return call.escalation !== undefined;
    case 'unknown':
      return (
        run?.status === 'quarantined' ||
        canBeProbed(call, manifestOf(call.tool, state.tools), FAR_FUTURE) ||
        automaticStep(call, state, FAR_FUTURE, 'due') !== undefined
      );
    default:
      return true;
  }
}

/** What the log says against what has happened in the world, when nothing is under way. */
export function checkEnd(world: World): void {
  if (callsOf(world.log.state).some(owesUndo)) {
    world.violated('I-31', 'what a failed run has done is not undone');
  }
  for (const [callId, call] of world.watch.calls) {
    if (call.isOpen) {
      world.violated('I-31', `a ${call.request.effect} is ${call.status} for ever`);
    }
    if (call.request.effect !== 'readOnly')
      checkEffects(world, call, world.target.effectsOf(callId));
    // What undoes is found again by the key that it always has.
    if (call.status === 'compensated' && world.target.effectsOf(`undo:${callId}`) === 0) {
      world.violated('I-15', 'a call was undone, but nothing was done');
    }
  }
}

function checkEffects(world: World, call: WatchedCall, effects: number): void {
  const { effect } = call.request;
  if (effects > 1 + call.humanOrders) {
    world.violated('I-7', `${effects} effects of one ${effect}`);
  }
  const denied = ['failed', 'notApplied', 'skipped'].includes(call.status);
  if (denied && effects > 0) world.violated('I-8', `a ${effect} is ${call.status}, but done`);
  const claimed = ['applied', 'completed'].includes(call.status);
  if (claimed && effects === 0) {
    world.violated('I-8', `a ${effect} is ${call.status}, but nothing was done`);
  }
}
