import { describe, expect, it } from '@jest/globals';
import { FENCE, claimRun, stopRun, tool } from '../../test/support/commands.js';
import {
  askedFor,
  outcomeUnknown,
  resultRecorded,
  toolCallStarted,
} from '../../test/support/events.js';
import { given } from '../../test/support/given-when-then.js';
import type { SessionCommand, Fence } from './commands.js';
import type { SessionEvent } from './events.js';
import { Rejection, type RejectionCode } from './rejection.js';
import { followsParent, isStoppedWithParent, refuseSpawning } from './spawning.js';
import { type SessionState, initialState } from './state.js';

const ASKED = askedFor(tool({ effect: 'keyedWrite', keyWindowMs: 86_400_000 }));
const STARTED = [...ASKED, toolCallStarted()];

function outcome(
  events: readonly SessionEvent[],
  commands: readonly SessionCommand[] = [],
  { fence = FENCE, callId = 'call-1' }: { fence?: Fence; callId?: string } = {},
): RejectionCode | 'allowed' {
  const { log } = given(events);
  for (const command of commands) log.handle(command);
  try {
    refuseSpawning(log.state, fence, callId);
    return 'allowed';
  } catch (error) {
    if (error instanceof Rejection) return error.code;
    throw error;
  }
}

describe('a child session of a tool call', () => {
  it('is started by the owner of its run, also when the outcome of the call is not known', () => {
    expect(outcome(STARTED)).toBe('allowed');
    expect(outcome([...STARTED, outcomeUnknown()])).toBe('allowed');
  });

  it('is not started by an owner that was taken over, not even with its old token', () => {
    const takeover = claimRun({ runId: 'run-1', claimTokenHash: 'token-2' });
    expect(outcome(STARTED, [takeover])).toBe('stale_epoch');
    expect(outcome(STARTED, [takeover], { fence: { ...FENCE, epoch: 2 } })).toBe('stale_epoch');
    const next = { epoch: 2, claimTokenHash: 'token-2' };
    expect(outcome(STARTED, [takeover], { fence: next })).toBe('allowed');
  });

  it('is not started once its run is being stopped', () => {
    expect(outcome(STARTED, [stopRun({ lease: { live: true } })])).toBe('run_stopped');
  });

  it('needs a call of this run that has its permit and no outcome', () => {
    expect(outcome(STARTED, [], { callId: 'call-2' })).toBe('not_found');
    expect(outcome(STARTED, [], { callId: 'toString' })).toBe('not_found');
    expect(outcome(ASKED)).toBe('not_started');
    expect(outcome([...STARTED, resultRecorded()])).toBe('invalid_state');
  });
});

describe('a child stops with the run that started it', () => {
  const first = { runId: 'run-1', wasStopped: false };
  const stopping = given(STARTED).when(stopRun({ lease: { live: true } })).state;
  const running = given(STARTED).state;

  it.each<[string, SessionState, Parameters<typeof isStoppedWithParent>[1], boolean]>([
    ['while that is being stopped', stopping, first, true],
    ['not while it goes on', running, first, false],
    ['once it has ended by a stop', running, { runId: 'run-0', wasStopped: true }, true],
    ['not once it has ended otherwise', running, { runId: 'run-0', wasStopped: false }, false],
    ['not when the run that came after it is stopped', stopping, { ...first, runId: 'x' }, false],
    ['without a call: while its parent is being stopped', stopping, undefined, true],
    ['without a call: in a stopped session', { ...initialState, stopped: true }, undefined, true],
    ['without a call: not while its parent goes on', running, undefined, false],
  ])('%s', (_, parent, spawning, expected) => {
    expect(isStoppedWithParent(parent, spawning)).toBe(expected);
  });

  it('only as long as it has had no other run, and is not detached', () => {
    const child = { sessionId: 'p', edge: 'subagent' } as const;
    expect(followsParent({ ...initialState, parent: child })).toBe(true);
    expect(followsParent({ ...initialState, parent: { ...child, detached: true } })).toBe(false);
    expect(followsParent({ ...initialState, parent: { ...child, edge: 'fork' } })).toBe(false);
    const lastRun = { runId: 'run-1', outcome: 'completed' } as const;
    expect(followsParent({ ...initialState, parent: child, lastRun })).toBe(false);
    expect(followsParent(initialState)).toBe(false);
  });
});
