import { describe, expect, it } from '@jest/globals';
import { at, tool } from '../../test/support/commands.js';
import {
  askedFor,
  callIn,
  escalated,
  outcomeUnknown,
  retryAuthorized,
  runClaimed,
  toolCallStarted,
} from '../../test/support/events.js';
import { given } from '../../test/support/given-when-then.js';
import { reconcileCall } from '../../test/support/settling-commands.js';
import type { SessionEvent } from './events.js';
import { nextDueAt } from './next-step.js';
import type { ToolManifest } from './tool-manifest.js';

const DAY_MS = 86_400_000;
const PAY = tool({ effect: 'keyedWrite', keyWindowMs: DAY_MS });
const WINDOW_END_MS = DAY_MS - PAY.maxFlightMs;
const RUN_STOPPED: SessionEvent = { type: 'RunStopped', data: { runId: 'run-1', by: 'owner' } };
const INTERRUPTED: SessionEvent = {
  type: 'RunInterrupted',
  data: { runId: 'run-1', epoch: 1, reason: 'shutdown' },
};
const QUARANTINED: SessionEvent = {
  type: 'SessionQuarantined',
  data: { runId: 'run-1', budget: 'recoveryAttempts', counters: {}, notify: 'operator' },
};

function unknown(manifest: ToolManifest): readonly SessionEvent[] {
  return [...askedFor(manifest), toolCallStarted(), outcomeUnknown()];
}

function probed(times: number): readonly SessionEvent[] {
  return Array.from({ length: times }, (_, index) => ({
    type: 'ToolProbeRecorded',
    data: {
      callId: 'call-1',
      probeNo: index + 1,
      kind: 'query',
      source: 'http',
      requestedAt: at(0),
      verdict: 'inconclusive',
      evidence: { method: 'GET', target: 'https://target.test/1', observedAt: at(0) },
    },
  }));
}

/** The step that is due at the time, in short; `repeated` means none. */
function stepAt(nowMs: number, ...events: readonly (SessionEvent | readonly SessionEvent[])[]) {
  return given(...events).when(reconcileCall({ now: at(nowMs) })).short;
}

describe('the automatic step for a call of unknown outcome', () => {
  it('repeats a read while its run goes on', () => {
    const read = tool({ effect: 'readOnly' });
    const retry = ['ToolRetryAuthorized(2 readOnly)'];
    expect(stepAt(0, unknown(read))).toEqual(retry);
    expect(stepAt(0, unknown(read), INTERRUPTED)).toEqual(retry);
  });

  it('lets a pause pass before each keyed repetition, so that a short outage uses up no attempts', () => {
    expect(stepAt(999, unknown(PAY))).toBe('repeated');
    expect(nextDueAt(given(unknown(PAY)).state)).toBe(at(1_000));
    expect(stepAt(1_000, unknown(PAY))).toEqual(['ToolRetryAuthorized(2 keyedWithinWindow)']);
    const second = [
      retryAuthorized({ basis: 'keyedWithinWindow' }),
      toolCallStarted({ attempt: 2, startedAt: at(1_000) }),
      outcomeUnknown({ attempt: 2 }),
    ];
    expect(stepAt(2_999, unknown(PAY), second)).toBe('repeated');
    expect(stepAt(3_000, unknown(PAY), second)).toEqual([
      'ToolRetryAuthorized(3 keyedWithinWindow)',
    ]);
  });

  it('does not wait for a repetition that would come too late for the window', () => {
    const short = tool({ ...PAY, keyWindowMs: PAY.maxFlightMs + 999 });
    expect(stepAt(0, unknown(short))).toEqual(['ToolEscalated(windowClosed)']);
  });

  it('closes the window by the later of the clocks', () => {
    const late = reconcileCall({ now: at(2_000), latestNow: at(WINDOW_END_MS + 1) });
    expect(given(unknown(PAY)).when(late).short).toEqual(['ToolEscalated(windowClosed)']);
  });

  it('gives a read up when its attempts are used or its run has ended', () => {
    const givenUp = ['ToolOutcomeResolved(abandoned policy)'];
    expect(stepAt(0, unknown(tool({ effect: 'readOnly', maxAttempts: 1 })))).toEqual(givenUp);
    const ended = [...unknown(tool({ effect: 'readOnly' })), RUN_STOPPED];
    expect(stepAt(0, ended)).toEqual(givenUp);
    expect(stepAt(0, ended, runClaimed({ runId: 'run-2', epoch: 2 }))).toEqual(givenUp);
  });

  it('repeats a keyed write inside the window in which its target knows the key', () => {
    expect(given(unknown(PAY)).when(reconcileCall({ now: at(WINDOW_END_MS) })).outcome).toEqual([
      {
        type: 'ToolRetryAuthorized',
        data: {
          callId: 'call-1',
          nextAttempt: 2,
          basis: 'keyedWithinWindow',
          notAfter: at(WINDOW_END_MS),
        },
      },
    ]);
    expect(stepAt(WINDOW_END_MS + 1, unknown(PAY))).toEqual(['ToolEscalated(windowClosed)']);
  });

  it('counts the window from the first attempt, not from the latest', () => {
    const second = [
      retryAuthorized({ basis: 'keyedWithinWindow' }),
      toolCallStarted({ attempt: 2, startedAt: at(WINDOW_END_MS) }),
      outcomeUnknown({ attempt: 2 }),
    ];
    expect(stepAt(WINDOW_END_MS + 1, unknown(PAY), second)).toEqual([
      'ToolEscalated(windowClosed)',
    ]);
  });

  it('asks a person about a keyed write that cannot be repeated', () => {
    expect(stepAt(0, unknown(tool({ effect: 'keyedWrite' })))).toEqual([
      'ToolEscalated(windowClosed)',
    ]);
    expect(stepAt(0, unknown(tool({ ...PAY, maxAttempts: 1 })))).toEqual([
      'ToolEscalated(attemptsExhausted)',
    ]);
    expect(stepAt(0, unknown(PAY), RUN_STOPPED)).toEqual(['ToolEscalated(noPolicy)']);
  });

  it('leaves a keyed write whose window is closed to its probe first', () => {
    const probing = tool({ ...PAY, probe: true, maxProbes: 2 });
    expect(stepAt(WINDOW_END_MS + 1, unknown(probing), probed(1))).toBe('repeated');
    expect(stepAt(WINDOW_END_MS + 1, unknown(probing), probed(2))).toEqual([
      'ToolEscalated(probesExhausted)',
    ]);
  });

  it('never repeats a queryable write: it is probed, then a person is asked', () => {
    const order = tool({ effect: 'queryableWrite', maxProbes: 2 });
    expect(stepAt(0, unknown(order), probed(1))).toBe('repeated');
    expect(stepAt(0, unknown(order), probed(2))).toEqual(['ToolEscalated(probesExhausted)']);
  });

  it('asks a person about an opaque write at once', () => {
    const asked = given(unknown(tool({ escalateTo: 'ada', escalationDueMs: 60_000 }))).when(
      reconcileCall({ now: at(1_000) }),
    );
    expect(asked.outcome).toEqual([
      {
        type: 'ToolEscalated',
        data: {
          callId: 'call-1',
          escalationId: 'escalation-1',
          to: 'ada',
          dueAt: at(61_000),
          reason: 'noPolicy',
          blocking: false,
        },
      },
    ]);
  });

  it('holds the next model call only if the tool says so', () => {
    const hold = given(unknown(tool({ onUnknown: 'hold' }))).when(reconcileCall());
    expect(hold.outcome).toMatchObject([{ data: { blocking: true } }]);
  });

  it('waits for the resume of a quarantined run with reads and keyed writes in their window', () => {
    expect(stepAt(0, unknown(tool({ effect: 'readOnly' })), QUARANTINED)).toBe('repeated');
    expect(stepAt(0, unknown(PAY), QUARANTINED)).toBe('repeated');
    expect(stepAt(WINDOW_END_MS + 1, unknown(PAY), QUARANTINED)).toEqual([
      'ToolEscalated(windowClosed)',
    ]);
    expect(stepAt(0, unknown(tool()), QUARANTINED)).toEqual(['ToolEscalated(noPolicy)']);
  });

  it('does not wait for another run than that of the call', () => {
    const later = [RUN_STOPPED, runClaimed({ runId: 'run-2', epoch: 2 })];
    const quarantined: SessionEvent = {
      type: 'SessionQuarantined',
      data: { runId: 'run-2', budget: 'recoveryAttempts', counters: {}, notify: 'operator' },
    };
    expect(stepAt(0, unknown(tool({ effect: 'readOnly' })), later, quarantined)).toEqual([
      'ToolOutcomeResolved(abandoned policy)',
    ]);
  });

  it('does nothing about an imported call: a person has to ask', () => {
    const imported = [
      ...askedFor(tool()),
      toolCallStarted(),
      outcomeUnknown({ reason: 'imported' }),
    ];
    expect(stepAt(0, imported)).toBe('repeated');
  });
});

describe('deadlines', () => {
  it('end an attempt that has not answered, as unknown', () => {
    const running = callIn('running', 'opaqueWrite');
    expect(stepAt(65_000, running)).toBe('repeated');
    expect(stepAt(65_001, running)).toEqual(['ToolOutcomeUnknown(1 deadline)']);
    expect(nextDueAt(given(running).state)).toBe(at(65_000));
  });

  it('end the permission to retry', () => {
    const retry = [
      ...callIn('unknown', 'opaqueWrite'),
      retryAuthorized({ basis: 'human', notAfter: at(10_000) }),
    ];
    expect(stepAt(10_000, retry)).toBe('repeated');
    expect(stepAt(10_001, retry)).toEqual(['ToolRetryExpired(2)']);
    expect(nextDueAt(given(retry).state)).toBe(at(10_000));
    expect(
      given(retry)
        .when(reconcileCall({ now: at(10_001) }))
        .callStatus(),
    ).toBe('unknown');
    expect(stepAt(DAY_MS, callIn('retryAuthorized', 'readOnly'))).toBe('repeated');
  });

  it('end the wait for a person: given up, and nothing is guessed', () => {
    const asked = [...callIn('unknown', 'opaqueWrite'), escalated({ dueAt: at(20_000) })];
    expect(stepAt(20_000, asked)).toBe('repeated');
    expect(stepAt(20_001, asked)).toEqual(['ToolOutcomeResolved(abandoned expiry)']);
    expect(nextDueAt(given(asked).state)).toBe(at(20_000));
  });

  it('are none where nothing waits for a time', () => {
    expect(nextDueAt(given(callIn('completed', 'opaqueWrite')).state)).toBeUndefined();
    expect(nextDueAt(given(callIn('requested', 'opaqueWrite')).state)).toBeUndefined();
  });

  it.each(['requested', 'completed', 'failed', 'skipped', 'applied', 'abandoned'] as const)(
    'mean nothing to a call that is %s',
    (status) => {
      expect(stepAt(10 * DAY_MS, callIn(status, 'opaqueWrite'))).toBe('repeated');
    },
  );
});
