import { describe, expect, it } from '@jest/globals';
import { sessionStarted } from '../../test/support/events.js';
import { given } from '../../test/support/given-when-then.js';
import type { CommandOf } from './commands.js';
import { FORK_DEPTH_MAX } from './decide-session.js';
import type { EventOf, SessionEvent } from './events.js';
import type { ResolvedVerdict } from './events/tool-events.js';

const FORKED: EventOf<'Forked'>['data'] = {
  sessionId: 'fork-1',
  labels: {},
  parentId: 'session-1',
  parentVersion: 9,
  cut: { sessionId: 'session-1', revision: 8 },
  segments: [{ sessionId: 'session-1', from: 0, to: 8 }],
  ancestors: ['session-1'],
  profile: { name: 'agent', version: '1' },
  tools: [],
  recoveryMode: 'auto',
  facts: [],
  hidden: [],
  inherited: [],
  startedAt: '2026-01-05T09:00:00.000Z',
};

describe('forking a session', () => {
  it('is the first event of the fork', () => {
    const command = { type: 'ForkSession', commandId: 'fork-1', now: '', forked: FORKED } as const;
    expect(given().when(command).short).toEqual(['Forked']);
    expect(given(sessionStarted()).when(command).outcome).toBe('id_in_use');
  });

  it('goes only so deep', () => {
    const ancestors = Array.from({ length: FORK_DEPTH_MAX + 1 }, (_, index) => `session-${index}`);
    const command = { type: 'ForkSession', commandId: 'fork-1', now: '' } as const;
    const refused = given().when({ ...command, forked: { ...FORKED, ancestors } });
    expect(refused.outcome).toBe('limit_exceeded');
  });
});

describe('an inherited call', () => {
  const inherited: EventOf<'Forked'>['data']['inherited'][number] = {
    callId: 'call-1',
    originSessionId: 'origin',
    opKey: 'key',
    tool: 'pay',
    argsHash: 'hash',
    effect: 'opaqueWrite',
    stateAtCut: 'unknown',
  };
  const scene: SessionEvent = { type: 'Forked', data: { ...FORKED, inherited: [inherited] } };
  const learn = (
    state: ResolvedVerdict,
    originRevision: number,
    originSessionId = 'origin',
  ): CommandOf<'RecordInheritedOutcome'> => ({
    type: 'RecordInheritedOutcome',
    commandId: `event-${originRevision}`,
    now: '',
    callId: 'call-1',
    outcome: { callId: 'call-1', originSessionId, originRevision, state },
  });

  it('has each outcome of its origin recorded once, in the order of the origin', () => {
    const learnt = given(scene).when(learn('abandoned', 7), learn('completed', 9));
    expect(learnt.short).toEqual(['InheritedOutcomeRecorded']);
    expect(learnt.callStatus()).toBe('completed');
    const twice = given(scene).when(learn('abandoned', 7), learn('abandoned', 7));
    expect(twice.outcome).toBe('repeated');
    const older = given(scene).when(learn('completed', 9), learn('abandoned', 7));
    expect(older.outcome).toBe('repeated');
    expect(older.callStatus()).toBe('completed');
  });

  it('learns from nobody else', () => {
    expect(given(scene).when(learn('applied', 7, 'stranger')).outcome).toBe('not_found');
  });
});
