import { describe, expect, it } from '@jest/globals';
import { at, tool } from '../../test/support/commands.js';
import {
  assistantMessage,
  callIn,
  callRequested,
  escalated,
  inputAccepted,
  modelCallSettled,
  modelCallStarted,
  outcomeUnknown,
  ownedSession,
  resultRecorded,
  retryAuthorized,
  runClaimed,
  sessionStarted,
  toolCallStarted,
} from '../../test/support/events.js';
import { given } from '../../test/support/given-when-then.js';
import type { EventOf, SessionEvent } from './events.js';
import { evolve, fold } from './evolve.js';
import { type SessionStatus, initialState, statusOf } from './state.js';

const COMPLETED: SessionEvent = { type: 'RunCompleted', data: { runId: 'run-1', epoch: 1 } };
const INTERRUPTED: SessionEvent = {
  type: 'RunInterrupted',
  data: { runId: 'run-1', epoch: 1, reason: 'shutdown' },
};
const STOPPED: SessionEvent = { type: 'RunStopped', data: { runId: 'run-1', by: 'owner' } };
const QUARANTINED: SessionEvent = {
  type: 'SessionQuarantined',
  data: { runId: 'run-1', budget: 'recoveryAttempts', counters: {}, notify: 'operator' },
};
const ATTEMPTED: SessionEvent = {
  type: 'RecoveryAttempted',
  data: { runId: 'run-1', epoch: 1, attempt: 3, total: 7 },
};

function forked(inherited: EventOf<'Forked'>['data']['inherited']): SessionEvent {
  return {
    type: 'Forked',
    data: {
      sessionId: 'session-1',
      labels: {},
      parentId: 'parent',
      parentVersion: 9,
      cut: { sessionId: 'parent', revision: 9 },
      segments: [{ sessionId: 'parent', from: 0, to: 9 }],
      ancestors: ['parent'],
      profile: { name: 'agent', version: '1' },
      tools: [],
      recoveryMode: 'auto',
      facts: [{ factId: 'f', version: 2, at: { sessionId: 'parent', revision: 3 } }],
      hidden: [],
      inherited,
      startedAt: at(0),
    },
  };
}

const INHERITED = {
  callId: 'call-1',
  originSessionId: 'parent',
  opKey: 'key',
  tool: 'pay',
  argsHash: 'hash',
  effect: 'opaqueWrite',
  stateAtCut: 'unknown',
} as const;

describe('folding events', () => {
  it('lets an event of an unknown type move the revision and nothing else', () => {
    const { state } = given(callIn('unknown', 'opaqueWrite'));
    const fromTheFuture = { type: 'SessionPolished', data: { callId: 'call-1' } };
    const after = evolve(state, fromTheFuture as unknown as SessionEvent);
    expect(after).toEqual({ ...state, revision: state.revision + 1 });
  });

  it('changes no state that it was given', () => {
    const { state } = given(callIn('running', 'opaqueWrite'));
    const before = JSON.stringify(state);
    fold(state, [resultRecorded(), INTERRUPTED, inputAccepted({ inputId: 'input-2' })]);
    expect(JSON.stringify(state)).toBe(before);
  });

  it('keeps settled calls until the next turn, and open ones for as long as they are open', () => {
    const open = callRequested(tool(), { callId: 'open', ordinal: 1 });
    const settled = [...callIn('completed', 'opaqueWrite'), open];
    expect(Object.keys(given(settled).state.calls)).toEqual(['call-1', 'open']);
    const title = modelCallStarted({ modelCallId: 'title', purpose: 'title' });
    expect(Object.keys(given(settled, title).state.calls)).toEqual(['call-1', 'open']);
    const turn = modelCallStarted({ modelCallId: 'turn' });
    expect(Object.keys(given(settled, turn).state.calls)).toEqual(['open']);
  });

  it('keeps the operation key, arguments and history of a call over its attempts', () => {
    const second = [
      retryAuthorized({ basis: 'human' }),
      toolCallStarted({ attempt: 2, basis: 'human', epoch: 2 }),
    ];
    const call = given(callIn('awaitingHuman', 'opaqueWrite'), second).state.calls['call-1'];
    expect(call).toMatchObject({
      opKey: 'key-of-call-1',
      argsHash: 'args-of-call-1',
      status: 'running',
      attempts: [
        { attempt: 1, epoch: 1 },
        { attempt: 2, epoch: 2 },
      ],
    });
    expect(call?.retry).toBeUndefined();
    expect(call?.escalation).toBeUndefined();
  });

  it('counts what readers ask for', () => {
    const { counters } = given(callIn('completed', 'opaqueWrite')).state;
    expect(counters).toEqual({
      inputs: 1,
      assistantMessages: 1,
      modelCalls: 1,
      toolCalls: 1,
      compactions: 0,
    });
  });

  it('anchors estimates at the last turn that the provider counted', () => {
    const usage = {
      state: 'final',
      buckets: { inputFresh: 100, cacheRead: 20, outputText: 7 },
      counts: {},
      splits: { cacheLife: 'known', reasoning: 'known' },
      flags: [],
      source: 'provider',
    } as const;
    const settled = modelCallSettled({ usage, responseModel: 'model-x' });
    expect(given(ownedSession(), modelCallStarted(), settled).state.usageAnchor).toEqual({
      revision: 5,
      model: 'model-x',
      inputTokens: 120,
      outputTokens: 7,
    });
    const partial = modelCallSettled({ usage: { ...usage, state: 'partial' } });
    expect(given(ownedSession(), modelCallStarted(), partial).state.usageAnchor).toBeUndefined();
  });

  it('takes over what a fork inherits', () => {
    const { state } = given(forked([INHERITED]));
    expect(state.parent).toEqual({ sessionId: 'parent', edge: 'fork' });
    expect(state.facts['f']).toEqual({ factId: 'f', version: 2, at: expect.anything() });
    expect(state.calls['call-1']).toMatchObject({
      status: 'inherited',
      originSessionId: 'parent',
      opKey: 'key',
    });
  });
});

describe('the charge of a recovery attempt', () => {
  const charged = [...callIn('running', 'opaqueWrite'), ATTEMPTED];
  const refunded = { recoveryAttempts: 2, recoveryTotal: 7 };

  it.each<[string, SessionEvent, readonly SessionEvent[]]>([
    ['a tool result', resultRecorded(), charged],
    ['a finished message', assistantMessage(), [...ownedSession(), ATTEMPTED, modelCallStarted()]],
  ])('is given back once for %s', (_, progress, events) => {
    expect(given(events, progress).state.run).toMatchObject(refunded);
    expect(given(events, progress, progress).state.run).toMatchObject(refunded);
  });

  it.each<[string, readonly SessionEvent[]]>([
    ['a start', [toolCallStarted({ attempt: 2 })]],
    ['an unknown outcome', [outcomeUnknown()]],
    [
      'a partial message',
      [
        modelCallStarted({ modelCallId: 'model-call-2' }),
        assistantMessage({ modelCallId: 'model-call-2', final: false }),
      ],
    ],
    ['an interruption', [INTERRUPTED, resultRecorded()]],
  ])('is not given back for %s', (_, events) => {
    expect(given(charged, events).state.run?.recoveryAttempts).toBe(3);
  });
});

describe('the status of a session', () => {
  const opaque = callIn('unknown', 'opaqueWrite');
  const imported = [...callIn('running', 'opaqueWrite'), outcomeUnknown({ reason: 'imported' })];

  it.each<[SessionStatus, string, readonly SessionEvent[]]>([
    ['idle', 'nothing waits', [sessionStarted()]],
    ['idle', 'its run has ended', [...ownedSession(), COMPLETED]],
    ['idle', 'an input wakes nobody', [sessionStarted(), inputAccepted({ resume: false })]],
    ['idle', 'only an imported call is open', [...imported, COMPLETED]],
    ['owned', 'an epoch is open', ownedSession()],
    ['owned', 'a question holds the run', [...opaque, escalated({ blocking: true })]],
    ['scheduled', 'an input waits', [sessionStarted(), inputAccepted()]],
    ['scheduled', 'its run was interrupted', [...ownedSession(), INTERRUPTED]],
    ['scheduled', 'a question will expire', [...opaque, escalated(), COMPLETED]],
    [
      'scheduled',
      'a retry was ordered after a question',
      [...opaque, escalated({ blocking: true }), INTERRUPTED, retryAuthorized({ basis: 'human' })],
    ],
    ['waiting', 'a question holds it', [...opaque, escalated({ blocking: true }), INTERRUPTED]],
    ['waiting', 'it is quarantined', [...ownedSession(), QUARANTINED]],
    [
      'waiting',
      'its user continues it by hand',
      [sessionStarted({ recoveryMode: 'manual' }), inputAccepted(), runClaimed(), INTERRUPTED],
    ],
    ['waiting', 'only its parent can settle the call', [forked([INHERITED])]],
    ['stopped', 'a user stopped it', [...ownedSession(), inputAccepted(), STOPPED]],
  ])('is %s when %s', (status, _, events) => {
    expect(statusOf(given(events).state)).toBe(status);
  });

  it('is not stopped any more after a resume', () => {
    const resumed: SessionEvent = {
      type: 'SessionResumed',
      data: { cause: 'command', clears: 'stop' },
    };
    const waiting = inputAccepted({ inputId: 'input-2' });
    expect(statusOf(given(ownedSession(), waiting, STOPPED, resumed).state)).toBe('scheduled');
  });

  it('begins as nothing', () => {
    expect(initialState.revision).toBe(-1);
    expect(statusOf(initialState)).toBe('idle');
  });
});
