import { describe, expect, it } from '@jest/globals';
import { at, startSession, tool } from '../../test/support/commands.js';
import {
  askedFor,
  escalated,
  outcomeUnknown,
  ownedSession,
  toolCallStarted,
} from '../../test/support/events.js';
import { given } from '../../test/support/given-when-then.js';
import { accountOf } from './account.js';
import type { SessionEvent } from './events.js';

const STATUS_QUERY = {
  method: 'GET' as const,
  urlTemplate: 'https://target.test/{opKey}',
  rules: [{ status: [200], answer: 'found' as const }],
};
const INTERRUPTED: SessionEvent = {
  type: 'RunInterrupted',
  data: { runId: 'run-1', epoch: 1, reason: 'shutdown' },
};
const HOLDS = tool({ onUnknown: 'hold' });
const UNKNOWN = [...askedFor(HOLDS), toolCallStarted(), outcomeUnknown()];

describe('why a session is not forgotten', () => {
  it('is owned while its lease is live, and for anybody to take over afterwards', () => {
    const { state } = given(ownedSession());
    expect(accountOf(state, true, at(0))).toEqual({ class: 'owned', by: 'worker-1' });
    expect(accountOf(state, false, at(0))).toEqual({ class: 'scheduled' });
  });

  it('waits for whoever was asked, until then', () => {
    const { state } = given(UNKNOWN, escalated({ blocking: true }), INTERRUPTED);
    const { escalation } = state.calls['call-1']!;
    expect(accountOf(state, false, at(0))).toEqual({
      class: 'waiting',
      for: escalation!.to,
      dueAt: escalation!.dueAt,
    });
  });

  it('rests when there is nothing left to do', () => {
    expect(accountOf(given().when(startSession()).state, false, at(0))).toEqual({
      class: 'resting',
    });
  });

  it('is scheduled while a stop has left calls in flight that nobody has settled yet', () => {
    const { state } = given(
      [...askedFor(tool({ effect: 'readOnly' })), toolCallStarted(), outcomeUnknown()],
      {
        type: 'StopRequested',
        data: { runId: 'run-1', requestedAt: at(0), dropPendingInputs: false },
      },
      { type: 'RunStopped', data: { runId: 'run-1', by: 'reconciler' } },
    );
    expect(accountOf(state, false, at(0)).class).toBe('scheduled');
    const asked = given(
      [...UNKNOWN, escalated({ dueAt: at(60_000) })],
      {
        type: 'StopRequested',
        data: { runId: 'run-1', requestedAt: at(0), dropPendingInputs: false },
      },
      { type: 'RunStopped', data: { runId: 'run-1', by: 'reconciler' } },
    );
    expect(accountOf(asked.state, false, at(0))).toEqual({ class: 'scheduled', dueAt: at(60_000) });
  });

  it('is scheduled when a long call has just become one to ask about', () => {
    const order = tool({ effect: 'queryableWrite', timeoutMs: 600_000, httpProbe: STATUS_QUERY });
    const { state } = given(askedFor(order), toolCallStarted({ deadline: at(600_000) }));
    const unknown = given(
      askedFor(order),
      toolCallStarted({ deadline: at(600_000) }),
      outcomeUnknown(),
    );
    expect(accountOf(state, true, at(601_000)).class).toBe('owned');
    expect(accountOf(unknown.state, true, at(601_000)).class).toBe('owned');
    expect(accountOf(unknown.state, true, at(800_000)).class).toBe('unaccounted');
  });

  it('is scheduled when a second attempt has just become one to ask about', () => {
    const order = tool({ effect: 'queryableWrite', httpProbe: STATUS_QUERY });
    const { state } = given(
      [...askedFor(order), toolCallStarted(), outcomeUnknown()],
      {
        type: 'ToolProbeRecorded',
        data: {
          callId: 'call-1',
          probeNo: 1,
          kind: 'query',
          source: 'http',
          requestedAt: at(70_000),
          verdict: 'notApplied',
          evidence: { method: 'GET', target: 'https://target.test', observedAt: at(70_000) },
        },
      },
      toolCallStarted({ attempt: 2, startedAt: at(900_000), deadline: at(960_000) }),
      outcomeUnknown({ attempt: 2 }),
    );
    expect(accountOf(state, true, at(901_000)).class).toBe('owned');
  });

  it('is found out when a step is long overdue', () => {
    const running = [...askedFor(HOLDS), toolCallStarted()];
    const { state } = given(running);
    expect(accountOf(state, true, at(0)).class).toBe('owned');
    expect(accountOf(state, true, at(3_600_000))).toEqual({
      class: 'unaccounted',
      calls: ['call-1'],
    });
  });
});
