import { describe, expect, it } from '@jest/globals';
import { tool } from '../../test/support/commands.js';
import {
  askedFor,
  escalated,
  outcomeUnknown,
  ownedSession,
  toolCallStarted,
} from '../../test/support/events.js';
import { given } from '../../test/support/given-when-then.js';
import type { SessionEvent } from './events.js';
import { isForAnyWorker, recoveryPauseMs, workOf } from './work.js';

const INTERRUPTED: SessionEvent = {
  type: 'RunInterrupted',
  data: { runId: 'run-1', epoch: 1, reason: 'shutdown' },
};
const QUARANTINED: SessionEvent = {
  type: 'SessionQuarantined',
  data: { runId: 'run-1', budget: 'recoveryAttempts', counters: {}, notify: 'operator' },
};
const STOPPED: SessionEvent = { type: 'RunStopped', data: { runId: 'run-1', by: 'owner' } };
const COMPLETED: SessionEvent = { type: 'RunCompleted', data: { runId: 'run-1', epoch: 1 } };
const ANOTHER_INPUT: SessionEvent = {
  type: 'InputAccepted',
  data: { inputId: 'input-2', delivery: 'queue', resume: true, content: [], author: 'user' },
};

describe('what a worker could do', () => {
  it('is to take over what is held, once nobody keeps it', () => {
    expect(workOf(given(ownedSession()).state)).toEqual({
      reason: 'takeover',
      heldBy: 'worker-1',
      epoch: 1,
      recoveryAttempts: 0,
    });
  });

  it('is to go on with an interrupted run, and to begin one for an input', () => {
    expect(workOf(given(ownedSession(), INTERRUPTED).state)?.reason).toBe('resume');
    expect(workOf(given(ownedSession(), COMPLETED, ANOTHER_INPUT).state)?.reason).toBe('start');
  });

  it.each([
    ['rests', [COMPLETED]],
    ['was stopped, even if an input waits', [STOPPED, ANOTHER_INPUT]],
    ['is quarantined', [QUARANTINED]],
  ])('is nothing where the session %s', (_, events) => {
    expect(workOf(given(ownedSession(), events).state)).toBeUndefined();
  });

  it('is nothing while somebody has to decide', () => {
    const unknown = [...askedFor(tool({ onUnknown: 'hold' })), toolCallStarted(), outcomeUnknown()];
    const { state } = given(unknown, escalated({ blocking: true }), INTERRUPTED);
    expect(workOf(state)).toBeUndefined();
  });
});

describe('who gets it', () => {
  it('is nobody by itself where recovery is left to the user', () => {
    const { state } = given(ownedSession(), INTERRUPTED);
    expect(isForAnyWorker(state)).toBe(true);
    expect(isForAnyWorker({ ...state, recoveryMode: 'manual' })).toBe(false);
  });

  it('is nobody while the server asks the target', () => {
    const httpProbe = {
      method: 'GET',
      urlTemplate: 'https://shop.test/{opKey}',
      rules: [{ status: [200], answer: 'found' }],
    } as const;
    const asked = tool({ effect: 'queryableWrite', probe: true, httpProbe });
    const running = [...askedFor(asked), toolCallStarted()];
    expect(isForAnyWorker(given(running).state)).toBe(true);
    expect(isForAnyWorker(given(running, outcomeUnknown(), INTERRUPTED).state)).toBe(false);
  });
});

describe('a run whose attempts come to nothing', () => {
  const pause = (recoveryAttempts: number, sessionId = 'a') =>
    recoveryPauseMs({ reason: 'takeover', epoch: 1, recoveryAttempts }, sessionId);

  it('rests longer each time, up to five minutes', () => {
    const pauses = [0, 1, 2, 3, 8, 20].map((attempts) => pause(attempts));
    expect(pauses[0]).toBe(0);
    expect(pauses).toEqual([...pauses].sort((one, other) => one - other));
    expect(pauses[1]).toBeGreaterThanOrEqual(1_500);
    expect(pauses.at(-1)).toBeLessThanOrEqual(300_000);
    expect(pauses.at(-1)).toBeGreaterThanOrEqual(225_000);
  });

  it('is not tried at the same moment as others', () => {
    const moments = new Set(['a', 'b', 'c', 'd'].map((id) => pause(5, id)));
    expect(moments.size).toBe(4);
  });
});
