import { decide } from '../../src/domain/decide.js';
import { refuseSpawning } from '../../src/domain/spawning.js';
import type { CallState } from '../../src/domain/state.js';
import { type Mutation, withCalls, withDecide } from './mutation.js';
import { ALL_RULES } from './world.js';

/** Rules of forks, clocks, budgets and undoing, each taken away once. */

const isInherited = ({ status }: CallState) => status === 'inherited';

const FORK_SETTLES_FOR_ITSELF = withDecide((command, state, past) => {
  const settles = ['ReconcileCall', 'RecordProbe', 'DecideEscalation'].includes(command.type);
  if (!settles) return decide(command, state, past);
  const open = (call: CallState): CallState =>
    isInherited(call) ? { ...call, status: 'unknown' } : call;
  return decide(command, withCalls(state, open), past);
});

const FORK_STARTS_WHAT_WAS_REQUESTED = withDecide((command, state, past) => {
  if (command.type !== 'StartToolCall') return decide(command, state, past);
  const requested = (call: CallState): CallState =>
    call.skipReason === 'forkCut' ? { ...call, status: 'requested' } : call;
  return decide(command, withCalls(state, requested), past);
});

const FORK_REPEATS_INHERITED = withDecide((command, state, past) => {
  if (command.type !== 'StartToolCall') return decide(command, state, past);
  const retried = (call: CallState): CallState =>
    isInherited(call) ? { ...call, status: 'requested' } : call;
  return decide(command, withCalls(state, retried), past);
});

const TWINS_OF_INHERITED_ARE_MADE = withDecide((command, state, past) => {
  if (command.type !== 'RecordAssistantMessage') return decide(command, state, past);
  const settled = (call: CallState): CallState =>
    isInherited(call) ? { ...call, status: 'abandoned' } : call;
  return decide(command, withCalls(state, settled), past);
});

const COST_IS_NO_LIMIT = withDecide((command, state, past) =>
  command.type === 'ClaimRun'
    ? decide({ ...command, exhausted: undefined }, state, past)
    : decide(command, state, past),
);

const FAILED_RUNS_ARE_LEFT = withDecide((command, state, past) => {
  if (command.type !== 'ReconcileCall') return decide(command, state, past);
  const forgotten = (call: CallState): CallState => ({ ...call, undoOwed: undefined });
  return decide(command, withCalls(state, forgotten), past);
});

const BUSY = ['requested', 'running', 'unknown', 'retryAuthorized'];

/** As if calls in such a state had an end, for one command. */
function overlooks(
  type: 'StartModelCall' | 'CompleteRun',
  isOverlooked: (call: CallState) => boolean,
) {
  return withDecide((command, state, past) => {
    if (command.type !== type) return decide(command, state, past);
    const settled = (call: CallState): CallState =>
      isOverlooked(call) ? { ...call, status: 'abandoned' } : call;
    return decide(command, withCalls(state, settled), past);
  });
}

const MODEL_GOES_ON = overlooks('StartModelCall', ({ status }) => BUSY.includes(status));
const QUESTIONS_HOLD_NOBODY = overlooks(
  'StartModelCall',
  ({ status }) => status === 'awaitingHuman',
);
const COMPLETES_ANYWAY = overlooks('CompleteRun', ({ status }) => BUSY.includes(status));

export const MORE_MUTATIONS: readonly Mutation[] = [
  {
    name: 'a child is started under any epoch',
    rules: {
      ...ALL_RULES,
      refuseSpawning: (parent, _fence, callId) => {
        const { epoch, run } = parent;
        refuseSpawning(parent, { epoch, claimTokenHash: run?.claimTokenHash ?? '' }, callId);
      },
    },
  },
  {
    name: 'a child is started by any call',
    rules: {
      ...ALL_RULES,
      refuseSpawning: (parent, fence) => refuseSpawning(parent, fence, undefined),
    },
  },
  {
    name: 'a child does not stop with its parent',
    rules: { ...ALL_RULES, isStoppedWithParent: () => false },
  },
  {
    name: 'a child is stopped only once its parent is',
    rules: { ...ALL_RULES, isStoppedWithParent: (_, spawning) => spawning?.wasStopped === true },
  },
  { name: 'a fork settles calls of its origin', rules: FORK_SETTLES_FOR_ITSELF },
  { name: 'a fork starts what its origin was asked', rules: FORK_STARTS_WHAT_WAS_REQUESTED },
  {
    name: 'a fork repeats a call of its origin',
    rules: FORK_REPEATS_INHERITED,
    showsInTheWorld: true,
  },
  { name: 'a twin of an inherited call is made', rules: TWINS_OF_INHERITED_ARE_MADE },
  { name: 'the model goes on while calls are open', rules: MODEL_GOES_ON },
  { name: 'a question that holds the model holds nobody', rules: QUESTIONS_HOLD_NOBODY },
  { name: 'a run completes while calls are open', rules: COMPLETES_ANYWAY },
  { name: 'a run without budget is claimed', rules: COST_IS_NO_LIMIT },
  { name: 'what a failed run has done is left', rules: FAILED_RUNS_ARE_LEFT },
  {
    name: 'windows are measured by the wall clock alone',
    rules: { ...ALL_RULES, windowsByWallClock: true },
    showsInTheWorld: true,
  },
  {
    name: '"not found" becomes final by the wall clock alone',
    rules: { ...ALL_RULES, waitsByWallClock: true },
    showsInTheWorld: true,
  },
];
