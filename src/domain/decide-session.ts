import { refuseFaultyManifests } from './check-manifests.js';
import type { CommandOf } from './commands.js';
import type { EventOf, SessionEvent } from './events.js';
import { LABELS_MAX, labelsAfter } from './labels.js';
import { refuseForeignId } from './guards.js';
import type { Past } from './past.js';
import { Rejection } from './rejection.js';
import { endOfRun } from './settle.js';
import { newestVersion } from './shown.js';
import type { SessionState } from './state.js';
import { own } from './own.js';

export const FACTS_MAX = 500;
export const PENDING_INPUTS_MAX = 1_000;
export const FORK_DEPTH_MAX = 1_000;

export function startSession(command: CommandOf<'StartSession'>): readonly SessionEvent[] {
  refuseFaultyManifests(command.tools);
  const { sessionId, title, labels, profile, tools, recoveryMode, parent, ancestors } = command;
  return [
    {
      type: 'SessionStarted',
      data: {
        sessionId,
        title,
        labels,
        profile,
        tools,
        recoveryMode,
        parent,
        ancestors,
        startedAt: command.now,
      },
    },
  ];
}

export function forkSession(command: CommandOf<'ForkSession'>): readonly SessionEvent[] {
  if (command.forked.ancestors.length > FORK_DEPTH_MAX) {
    throw new Rejection('limit_exceeded', `a fork can be at most ${FORK_DEPTH_MAX} deep`, {
      limit: 'forkDepthMax',
    });
  }
  const outcomes = command.outcomes ?? [];
  return [
    { type: 'Forked', data: command.forked },
    ...outcomes.map((data): SessionEvent => ({ type: 'InheritedOutcomeRecorded', data })),
  ];
}

/** Each change of the call's outcome at its origin is recorded here once, in the origin's order. */
export function recordInheritedOutcome(
  { outcome }: CommandOf<'RecordInheritedOutcome'>,
  state: SessionState,
): readonly SessionEvent[] {
  const { callId, originSessionId, originRevision } = outcome;
  const known = own(state.inheritedCalls, callId);
  if (known?.originSessionId !== originSessionId) {
    throw new Rejection('not_found', `this session has not inherited tool call ${callId}`);
  }
  if (originRevision <= known.originRevision) return [];
  return [{ type: 'InheritedOutcomeRecorded', data: outcome }];
}

export function recordFacts(
  command: CommandOf<'RecordFacts'>,
  state: SessionState,
): readonly SessionEvent[] {
  const known = (factId: string) => own(state.facts, factId);
  const facts = command.facts.map((fact) => ({
    ...fact,
    version: newestVersion(known(fact.factId)) + 1,
  }));
  const unknown = facts.find((fact) => fact.retired && fact.version === 1);
  if (unknown !== undefined) {
    throw new Rejection('not_found', `this session has no fact ${unknown.factId} to retire`);
  }
  const all = new Set([...Object.keys(state.facts), ...facts.map((fact) => fact.factId)]);
  if (all.size > FACTS_MAX) {
    throw new Rejection('limit_exceeded', `a session keeps at most ${FACTS_MAX} facts`, {
      limit: 'factsMax',
    });
  }
  return [{ type: 'FactsRecorded', data: { facts } }];
}

/** What is as asked for already is left out; nothing to change, no event. */
export function labelSession(
  command: CommandOf<'LabelSession'>,
  state: SessionState,
): readonly SessionEvent[] {
  const labels = state.labels;
  const both = command.remove.find((name) => Object.hasOwn(command.set, name));
  if (both !== undefined) {
    throw new Rejection('invalid_request', `label ${both} is to be set and to be removed`, {
      label: both,
    });
  }
  const changed = Object.entries(command.set).filter(
    ([name, value]) => own(labels, name) !== value,
  );
  const removed = [...new Set(command.remove)].filter((name) => Object.hasOwn(labels, name));
  if (changed.length === 0 && removed.length === 0) return [];
  const event: EventOf<'SessionLabelled'> = {
    type: 'SessionLabelled',
    data: { set: Object.fromEntries(changed), removed },
  };
  if (Object.keys(labelsAfter(labels, event.data)).length > LABELS_MAX) {
    throw new Rejection('limit_exceeded', `a session has at most ${LABELS_MAX} labels`, {
      limit: 'labelsMax',
    });
  }
  return [event];
}

/** Lifts a user's stop or a quarantine; both need an explicit act. */
export function resumeSession(
  command: CommandOf<'ResumeSession'>,
  state: SessionState,
): readonly SessionEvent[] {
  const clears = liftedBy(state);
  if (clears === undefined) {
    throw new Rejection('invalid_state', 'the session is neither stopped nor quarantined', {
      revision: state.revision,
    });
  }
  return [{ type: 'SessionResumed', data: { cause: 'command', clears, note: command.note } }];
}

function liftedBy(state: SessionState): 'stop' | 'quarantine' | undefined {
  if (state.run?.status === 'quarantined') return 'quarantine';
  return state.stopped ? 'stop' : undefined;
}

export function acceptInput(
  command: CommandOf<'AcceptInput'>,
  state: SessionState,
  past: Past,
): readonly SessionEvent[] {
  refuseForeignId(command.inputId, 'input', past);
  if (state.pendingInputs.length >= PENDING_INPUTS_MAX) {
    throw new Rejection(
      'limit_exceeded',
      `${PENDING_INPUTS_MAX} inputs are waiting; run the session or withdraw some`,
      { limit: 'pendingInputsMax', retryable: true },
    );
  }
  const { inputId, delivery, resume, content, artifact, author } = command;
  const accepted: SessionEvent = {
    type: 'InputAccepted',
    data: { inputId, delivery, resume, content, artifact, author },
  };
  return resume ? [accepted, ...liftedByInput(state, command.now)] : [accepted];
}

/** Typing a new message is an explicit act: it lifts a stop, and ends a quarantined run. */
function liftedByInput(state: SessionState, now: string): readonly SessionEvent[] {
  const clears = liftedBy(state);
  if (clears === undefined) return [];
  const resumed: SessionEvent = { type: 'SessionResumed', data: { cause: 'input', clears } };
  if (clears === 'stop' || state.run === undefined) return [resumed];
  return [
    resumed,
    ...endOfRun(state, state.run, 'runEnded', now),
    {
      type: 'RunFailed',
      data: {
        runId: state.run.runId,
        epoch: state.run.epoch,
        errorClass: 'quarantined',
        message: 'The run used up a recovery budget; a new input ended it.',
      },
    },
  ];
}

/** Whatever waits may still be brought forward, or put off; its place in the line stays. */
export function changeDelivery(
  { inputId, delivery }: CommandOf<'ChangeDelivery'>,
  state: SessionState,
  past: Past,
): readonly SessionEvent[] {
  const input = state.pendingInputs.find((one) => one.inputId === inputId);
  if (input === undefined) throw notWaiting(inputId, past);
  if (input.delivery === delivery) return [];
  return [{ type: 'InputDeliveryChanged', data: { inputId, delivery } }];
}

export function withdrawInput(
  command: CommandOf<'WithdrawInput'>,
  state: SessionState,
  past: Past,
): readonly SessionEvent[] {
  const { inputId } = command;
  if (state.pendingInputs.some((input) => input.inputId === inputId)) {
    return [{ type: 'InputWithdrawn', data: { inputId } }];
  }
  throw notWaiting(inputId, past);
}

function notWaiting(inputId: string, past: Past): Rejection {
  return past.kinds.get(inputId) === 'input'
    ? new Rejection('invalid_state', `input ${inputId} is not waiting any more`, { inputId })
    : new Rejection('not_found', `this session has no input ${inputId}`);
}
