import { describe, expect, it } from '@jest/globals';
import {
  NO_LEASE,
  at,
  claimRun,
  completeRun,
  recordToolResult,
  reportToolUnknown,
  startModelCall,
  startToolCall,
  stopRun,
  tool,
} from '../../test/support/commands.js';
import {
  askedFor,
  callRequested,
  escalated,
  modelCallSettled,
  modelCallStarted,
  outcomeUnknown,
  resultRecorded,
  runClaimed,
  toolCallStarted,
} from '../../test/support/events.js';
import { VOID, undoOrdered } from '../../test/support/undo-events.js';
import { given } from '../../test/support/given-when-then.js';
import { decideEscalation, reportLateResult } from '../../test/support/settling-commands.js';
import { accountOf } from './account.js';
import type { CommandOf } from './commands.js';
import type { SessionEvent } from './events.js';
import type { OrderedCompensation } from './settling-commands.js';
import { workOf } from './work.js';

const PAY = tool({ compensate: VOID.name, onUnknown: 'hold' });
const ASKED = [
  ...askedFor(PAY),
  modelCallSettled(),
  toolCallStarted(),
  outcomeUnknown(),
  escalated({ blocking: true }),
];
const STOPPED: SessionEvent = { type: 'RunStopped', data: { runId: 'run-1', by: 'owner' } };
const QUARANTINED: SessionEvent = {
  type: 'SessionQuarantined',
  data: { runId: 'run-1', budget: 'recoveryAttempts', counters: {}, notify: 'operator' },
};
const undo = (more: Partial<OrderedCompensation> = {}): OrderedCompensation => {
  const { data } = undoOrdered(more) as { readonly data: OrderedCompensation };
  return { ...data };
};
const order = (more: Partial<CommandOf<'DecideEscalation'>> = {}) =>
  decideEscalation({ decision: 'compensate', compensation: undo(), ...more });
const startUndo = startToolCall({ callId: 'undo-1', commandId: 'start-undo' });
const answer = (isError = false) =>
  recordToolResult({
    callId: 'undo-1',
    commandId: 'undone',
    result: { isError, content: 'voided' },
  });

describe('undoing a call of unknown outcome', () => {
  it('is ordered by a person, permitted like any call, and ends it', () => {
    const then = given(ASKED).when(order());
    expect(then.short).toEqual(['ToolEscalationDecided(compensate)', 'ToolCompensationRequested']);
    expect(then.callStatus()).toBe('compensating');
    expect(then.callStatus('undo-1')).toBe('requested');
    const done = given(ASKED).when(order(), startUndo, answer());
    expect(done.short).toEqual([
      'ToolResultRecorded(1 completed)',
      'ToolCompensationRecorded(undone)',
      'ToolOutcomeResolved(compensated compensation)',
    ]);
    expect(done.callStatus()).toBe('compensated');
  });

  it('holds the model until it is known', () => {
    expect(
      given(ASKED).when(order(), startModelCall({ modelCallId: 'm2', messageId: 'n2' })).outcome,
    ).toBe('open_calls');
    const then = given(ASKED).when(
      order(),
      startUndo,
      answer(),
      startModelCall({ modelCallId: 'm2', messageId: 'n2' }),
    );
    expect(then.short).toEqual(['ModelCallStarted']);
  });

  it('can itself be unknown: then it is a keyed write of unknown outcome', () => {
    const lost = reportToolUnknown({ callId: 'undo-1', commandId: 'lost' });
    const then = given(ASKED).when(order(), startUndo, lost);
    expect(then.callStatus('undo-1')).toBe('unknown');
    expect(then.callStatus()).toBe('compensating');
  });

  it('that failed asks a person again, who can order it again under the same key', () => {
    const failed = given(ASKED).when(order(), startUndo, answer(true));
    expect(failed.short).toEqual([
      'ToolResultRecorded(1 completed)',
      'ToolCompensationRecorded(failed)',
      'ToolEscalated(compensationFailed)',
    ]);
    expect(failed.callStatus()).toBe('awaitingHuman');
    const again = given(ASKED).when(
      order(),
      startUndo,
      answer(true),
      order({ commandId: 'again' }),
    );
    expect(again.short).toEqual([
      'ToolEscalationDecided(compensate)',
      'ToolCompensationRequested',
      'ToolRetryAuthorized(2 human)',
    ]);
    expect(again.state.calls['undo-1']).toMatchObject({
      opKey: 'key-of-undo-1',
      status: 'retryAuthorized',
    });
  });

  it('is the same call when it is ordered again after the model has gone on in another run', () => {
    const { short, state } = given(
      ASKED,
      undoOrdered(),
      toolCallStarted({ callId: 'undo-1' }),
      resultRecorded({ callId: 'undo-1', status: 'noEffect', scope: 'attempt' }),
      escalated({ blocking: true, reason: 'compensationFailed' }),
      { type: 'RunFailed', data: { runId: 'run-1', epoch: 1, errorClass: 'agent', message: '' } },
      runClaimed({ runId: 'run-2', epoch: 2 }),
      modelCallStarted({ runId: 'run-2', modelCallId: 'model-call-2', epoch: 2 }),
    ).when(order());
    expect(short).toContain('ToolRetryAuthorized(2 human)');
    expect(state.calls['undo-1']!.attempts.map(({ attempt }) => attempt)).toEqual([1]);
  });

  it('is refused where nothing is known that does it, or while the session is quarantined', () => {
    expect(given(ASKED).when(order({ compensation: undefined })).outcome).toBe('no_compensation');
    const opaque = undo({ manifest: tool({ name: 'bash' }) });
    expect(given(ASKED).when(order({ compensation: opaque })).outcome).toBe('no_compensation');
    expect(given(ASKED, QUARANTINED).when(order()).outcome).toBe('session_quarantined');
  });
});

describe('undoing a call whose run is over', () => {
  const ORDERED = [...ASKED, STOPPED, undoOrdered({ runId: 'undoing-run' })];

  it('is work for any worker, also in a stopped session', () => {
    const { state } = given(ORDERED);
    expect(workOf(state)).toMatchObject({ reason: 'start' });
    expect(accountOf(state, false, at(0))).toMatchObject({ class: 'scheduled' });
  });

  it('has a run of its own, in which no model is asked', () => {
    const claimed = given(ORDERED).when(claimRun({ runId: 'mine', commandId: 'second' }));
    expect(claimed.outcome).toMatchObject([
      { type: 'RunClaimed', data: { runId: 'undoing-run', kind: 'compensation', inputIds: [] } },
    ]);
    const fence = { epoch: 2, claimTokenHash: 'token-1' };
    const asked = given(ORDERED).when(
      claimRun({ commandId: 'second' }),
      startModelCall({ fence, modelCallId: 'm2', messageId: 'n2' }),
    );
    expect(asked.outcome).toBe('invalid_state');
    const done = given(ORDERED).when(
      claimRun({ commandId: 'second' }),
      { ...startUndo, fence },
      { ...answer(), fence },
      completeRun({ fence, runId: 'undoing-run' }),
    );
    expect(done.short).toEqual(['RunCompleted']);
    expect(done.callStatus()).toBe('compensated');
    expect(done.state.stopped).toBe(true);
    expect(workOf(done.state)).toBeUndefined();
  });

  it('waits for its turn where two calls are undone', () => {
    const other = callRequested(PAY, { callId: 'call-2', ordinal: 1 });
    const first = undoOrdered({ runId: 'undoing-run' });
    const second = undoOrdered({
      callId: 'call-2',
      compensationCallId: 'undo-2',
      runId: 'undoing-run-2',
    });
    const { state } = given(ASKED, other, STOPPED, first, second);
    expect(accountOf(state, false, at(0))).toMatchObject({ class: 'scheduled' });
  });

  it('is taken over when its worker is lost, before and after the call was made', () => {
    const fence = { epoch: 2, claimTokenHash: 'token-1' };
    const claimed = claimRun({ commandId: 'second' });
    const takeover = claimRun({ runId: 'undoing-run', claimTokenHash: 'token-3', lease: NO_LEASE });
    const made = [
      { ...startUndo, fence },
      { ...answer(), fence },
    ];
    for (const done of [[claimed], [claimed, ...made]]) {
      expect(workOf(given(ORDERED).when(...done).state)).toMatchObject({ reason: 'takeover' });
      const then = given(ORDERED).when(...done, takeover);
      expect(then.outcome).toMatchObject([
        { type: 'RunClaimed', data: { reason: 'takeover' } },
        { type: 'RecoveryAttempted' },
      ]);
    }
  });
});

describe('what arrives late', () => {
  it('is kept while the call is being undone, and contradicts it afterwards', () => {
    const late = reportLateResult();
    const during = given(ASKED).when(order(), late);
    expect(during.short).toEqual(['ToolLateResultReceived(1 completed)']);
    expect(during.callStatus()).toBe('compensating');
    const afterwards = given(ASKED).when(order(), startUndo, answer(), late);
    expect(afterwards.short).toEqual([
      'ToolLateResultReceived(1 completed)',
      'ToolConflictDetected(effectAfterCompensation)',
    ]);
    expect(afterwards.callStatus()).toBe('compensated');
  });
});

it('that its run could not make any more is not made: a person is asked again', () => {
  const stop = stopRun({ lease: NO_LEASE });
  const then = given(ASKED).when(order(), stop);
  expect(then.short).toEqual([
    'StopRequested',
    'ToolCallSkipped(stopped)',
    'RunStopped',
    'ToolCompensationRecorded(failed)',
    'ToolEscalated(compensationFailed)',
  ]);
});
