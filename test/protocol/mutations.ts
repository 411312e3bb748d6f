import { decide } from '../../src/domain/decide.js';
import { Rejection } from '../../src/domain/rejection.js';
import { type CallState, callsOf, isUnresolved } from '../../src/domain/state.js';
import { MORE_MUTATIONS } from './more-mutations.js';
import { type Mutation, withCalls, withDecide, withEvents } from './mutation.js';
import { ALL_RULES, type Rules } from './world.js';

const INTERRUPTED_IS_FAILED = withEvents((event) =>
  event.type === 'ToolOutcomeUnknown' && event.data.attempt > 0
    ? [
        {
          type: 'ToolOutcomeResolved',
          data: { callId: event.data.callId, verdict: 'failed', basis: 'policy' },
        },
      ]
    : [event],
);

const OPAQUE_IS_REPEATED = withEvents((event, state) => {
  if (event.type !== 'ToolEscalated') return [event];
  const { callId } = event.data;
  const call = state.calls[callId]!;
  const run = state.run?.runId === call.runId && state.run?.status;
  if (call.effect !== 'opaqueWrite' || (run !== 'active' && run !== 'interrupted')) return [event];
  const nextAttempt = call.attempts.length + 1;
  return [
    {
      type: 'ToolRetryAuthorized',
      data: { callId, nextAttempt, basis: 'readOnly', notAfter: null },
    },
  ];
});

const NOT_FOUND_BELIEVED_EARLY = withDecide((command, state, past) => {
  if (command.type !== 'RecordProbe') return decide(command, state, past);
  const final = (call: CallState) => ({ ...call, maxFlightMs: 0, notFoundIsFinalAfterMs: 0 });
  return decide(command, withCalls(state, final), past);
});

const KEY_WINDOW_IGNORED = withDecide((command, state, past) => {
  const endless = (call: CallState) =>
    call.effect === 'keyedWrite' ? { ...call, keyWindowMs: 1e11 } : call;
  return decide(command, withCalls(state, endless), past);
});

const KEY_WINDOW_CHECKED_ONCE = withDecide((command, state, past) => {
  if (command.type !== 'StartToolCall') return decide(command, state, past);
  const endless = (call: CallState) =>
    call.retry === undefined ? call : { ...call, retry: { ...call.retry, notAfter: null } };
  return decide(command, withCalls(state, endless), past);
});

const ANY_EPOCH = withDecide((command, state, past) => {
  if (!('fence' in command) || state.run === undefined) return decide(command, state, past);
  const { epoch, claimTokenHash } = state.run;
  return decide({ ...command, fence: { epoch, claimTokenHash } }, state, past);
});

const LATE_RESULTS_DROPPED = withDecide((command, state, past) =>
  command.type === 'ReportLateResult'
    ? { kind: 'repeated', payloadDiffers: false }
    : decide(command, state, past),
);

const STARTS_AFTER_A_STOP = withDecide((command, state, past) => {
  const starts = command.type === 'StartToolCall' || command.type === 'StartModelCall';
  const { run } = state;
  if (!starts || run?.status !== 'stopping') return decide(command, state, past);
  return decide(command, { ...state, run: { ...run, status: 'active' } }, past);
});

const ONE_REFUSAL_SETTLES_ALL = withDecide((command, state, past) => {
  const reports = command.type === 'RecordToolResult' || command.type === 'ReportLateResult';
  if (!reports || command.status !== 'noEffect') return decide(command, state, past);
  return decide({ ...command, scope: 'operation' }, state, past);
});

const EVERY_VOID_COUNTS = withDecide((command, state, past) =>
  command.type === 'RecordVoid'
    ? decide({ ...command, voided: true }, state, past)
    : decide(command, state, past),
);

const VOID_IS_FORGOTTEN = withDecide((command, state, past) => {
  const unvoided = (call: CallState) => ({ ...call, voidedAt: undefined });
  return decide(command, withCalls(state, unvoided), past);
});

const APPROVAL_IS_NOT_AWAITED = withDecide((command, state, past) => {
  if (command.type !== 'StartToolCall') return decide(command, state, past);
  const allowed = (call: CallState) => ({ ...call, approval: undefined });
  return decide(command, withCalls(state, allowed), past);
});

const NO_TWIN_GUARD = withEvents((event) =>
  event.type === 'ToolCallSkipped' && event.data.reason === 'unresolvedTwin' ? [] : [event],
);

const TWIN_IS_HELD_BACK: Rules = {
  ...NO_TWIN_GUARD,
  decide: (command, state, past) => {
    const call = command.type === 'StartToolCall' ? state.calls[command.callId] : undefined;
    const twin = callsOf(state).find(
      (other) =>
        call !== undefined &&
        other.messageId !== call.messageId &&
        other.tool === call.tool &&
        other.argsHash === call.argsHash &&
        other.status !== 'requested' &&
        isUnresolved(other),
    );
    if (twin !== undefined) throw new Rejection('outcome_unknown', 'an equal call is open');
    return NO_TWIN_GUARD.decide(command, state, past);
  },
};

/** An undo that came to nothing counts as done. */
const EVERY_UNDO_COUNTS = withEvents((event) => {
  if (event.type === 'ToolCompensationRecorded') {
    return [{ ...event, data: { ...event.data, verdict: 'undone' } }];
  }
  if (event.type !== 'ToolEscalated' || event.data.reason !== 'compensationFailed') return [event];
  const { callId } = event.data;
  return [
    {
      type: 'ToolOutcomeResolved',
      data: { callId, verdict: 'compensated', basis: 'compensation' },
    },
  ];
});

const UNDOING_HOLDS_NOBODY = withDecide((command, state, past) => {
  if (command.type !== 'StartModelCall') return decide(command, state, past);
  const undone = (call: CallState): CallState =>
    call.status === 'compensating' || call.compensates !== undefined
      ? { ...call, status: 'abandoned' }
      : call;
  return decide(command, withCalls(state, undone), past);
});

const COUNTED_AFTER_THE_ATTEMPT = withEvents((event) =>
  event.type === 'RecoveryAttempted' ? [] : [event],
);

const NOTHING_SETTLED_AT_THE_END = withEvents((event) =>
  event.type === 'ToolCallSkipped' && event.data.reason === 'runEnded' ? [] : [event],
);

const STOP_IS_FORGOTTEN = withDecide((command, state, past) => {
  const { run } = state;
  if (command.type !== 'ClaimRun' || run?.status !== 'stopping')
    return decide(command, state, past);
  return decide(command, { ...state, run: { ...run, status: 'interrupted' } }, past);
});

export const MUTATIONS: readonly Mutation[] = [
  {
    name: 'an interrupted call is recorded as failed',
    rules: INTERRUPTED_IS_FAILED,
    showsInTheWorld: true,
  },
  { name: 'an opaque write is repeated', rules: OPAQUE_IS_REPEATED, showsInTheWorld: true },
  {
    name: '"not found" is believed before it is final',
    rules: NOT_FOUND_BELIEVED_EARLY,
    showsInTheWorld: true,
  },
  { name: 'the key window is ignored', rules: KEY_WINDOW_IGNORED, showsInTheWorld: true },
  {
    name: 'the key window is not checked again at the start',
    rules: KEY_WINDOW_CHECKED_ONCE,
    showsInTheWorld: true,
  },
  { name: 'the epoch is not checked', rules: ANY_EPOCH },
  { name: 'late results are dropped', rules: LATE_RESULTS_DROPPED },
  { name: 'a start is allowed after a stop', rules: STARTS_AFTER_A_STOP },
  {
    name: 'one refusal settles all attempts',
    rules: ONE_REFUSAL_SETTLES_ALL,
    showsInTheWorld: true,
  },
  { name: 'a void counts although it failed', rules: EVERY_VOID_COUNTS },
  { name: 'a voided key is used again', rules: VOID_IS_FORGOTTEN },
  { name: 'a call starts before it is allowed', rules: APPROVAL_IS_NOT_AWAITED },
  { name: 'there is no twin guard', rules: NO_TWIN_GUARD },
  { name: 'a twin is held back instead of skipped', rules: TWIN_IS_HELD_BACK },
  { name: 'an undo that failed counts as done', rules: EVERY_UNDO_COUNTS },
  { name: 'the model goes on while a call is undone', rules: UNDOING_HOLDS_NOBODY },
  { name: 'a recovery attempt is not counted with its claim', rules: COUNTED_AFTER_THE_ATTEMPT },
  { name: 'a run that fails leaves its calls', rules: NOTHING_SETTLED_AT_THE_END },
  { name: 'a claim takes a stopped run', rules: STOP_IS_FORGOTTEN },
  {
    name: 'events are appended at any revision',
    rules: { ...ALL_RULES, appendAtAnyRevision: true },
  },
  {
    name: 'each attempt has its own operation key',
    rules: { ...ALL_RULES, operationKeyPerAttempt: true },
    showsInTheWorld: true,
  },
  {
    name: 'a call is sent before its permit',
    rules: { ...ALL_RULES, sendBeforePermit: true },
    showsInTheWorld: true,
  },
  {
    name: 'a permit can be used at any time',
    rules: { ...ALL_RULES, noDispatchLimit: true },
    showsInTheWorld: true,
  },
  ...MORE_MUTATIONS,
];
