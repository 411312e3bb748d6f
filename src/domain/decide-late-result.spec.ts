import { describe, expect, it } from '@jest/globals';
import { at, recordToolResult, startToolCall, tool } from '../../test/support/commands.js';
import {
  askedFor,
  callIn,
  outcomeUnknown,
  resolved,
  resultRecorded,
  retryAuthorized,
  toolCallStarted,
} from '../../test/support/events.js';
import { given } from '../../test/support/given-when-then.js';
import { reconcileCall, reportLateResult } from '../../test/support/settling-commands.js';
import type { CallStatus } from './state.js';
import type { EffectClass } from './tool-manifest.js';

const LATE = 'ToolLateResultReceived(1 completed)';
const COMPLETED = 'ToolOutcomeResolved(completed lateResult)';
const FAILED = 'ToolOutcomeResolved(failed lateResult)';
const conflict = (kind: string) => `ToolConflictDetected(${kind})`;

/** A second attempt, made because a probe had said that the first one did nothing. */
const retriedAfterProbe = [
  retryAuthorized({ basis: 'probeNotApplied' }),
  toolCallStarted({ attempt: 2, basis: 'probeNotApplied' }),
];

describe('a late answer', () => {
  it.each<[CallStatus, EffectClass, string[]]>([
    ['requested', 'opaqueWrite', [LATE, conflict('undeclaredAttempt'), COMPLETED]],
    ['requested', 'readOnly', [LATE, COMPLETED]],
    ['running', 'queryableWrite', [LATE, COMPLETED]],
    ['unknown', 'opaqueWrite', [LATE, COMPLETED]],
    ['unknown', 'readOnly', [LATE, COMPLETED]],
    ['retryAuthorized', 'keyedWrite', [LATE, COMPLETED]],
    ['retryAuthorized', 'queryableWrite', [LATE, conflict('probeContradicted'), COMPLETED]],
    ['awaitingHuman', 'opaqueWrite', [LATE, COMPLETED]],
    ['skipped', 'opaqueWrite', [LATE, conflict('undeclaredAttempt'), COMPLETED]],
    ['applied', 'opaqueWrite', [LATE, COMPLETED]],
    ['notApplied', 'opaqueWrite', [LATE, conflict('notAppliedContradicted'), COMPLETED]],
    ['notApplied', 'readOnly', [LATE, COMPLETED]],
    ['abandoned', 'opaqueWrite', [LATE, COMPLETED]],
  ])('completes a call that is %s (%s)', (status, effect, events) => {
    const told = given(callIn(status, effect)).when(reportLateResult());
    expect(told.short).toEqual(events);
    expect(told.callStatus()).toBe('completed');
  });

  it.each<[EffectClass, string[]]>([
    ['opaqueWrite', [LATE, conflict('failedContradicted'), COMPLETED]],
    ['readOnly', [LATE, COMPLETED]],
  ])('completes a call that has failed by another attempt (%s)', (effect, events) => {
    const failedBySecond = [
      ...callIn('unknown', effect),
      retryAuthorized(),
      toolCallStarted({ attempt: 2 }),
      resultRecorded({ attempt: 2, status: 'noEffect', scope: 'operation' }),
    ];
    const told = given(failedBySecond).when(reportLateResult());
    expect(told.short).toEqual(events);
    expect(told.callStatus()).toBe('completed');
  });

  it.each<[EffectClass, string[]]>([
    ['readOnly', [LATE]],
    ['keyedWrite', [LATE]],
    ['queryableWrite', [LATE, conflict('duplicateEffect')]],
    ['opaqueWrite', [LATE, conflict('duplicateEffect')]],
  ])('of another attempt of a completed %s', (effect, events) => {
    const completedBySecond = [
      ...callIn('unknown', effect),
      retryAuthorized(),
      toolCallStarted({ attempt: 2 }),
      resultRecorded({ attempt: 2 }),
    ];
    expect(given(completedBySecond).when(reportLateResult()).short).toEqual(events);
  });

  it('of the first attempt contradicts the probe that let a second one start', () => {
    const told = given(callIn('unknown', 'queryableWrite'), retriedAfterProbe).when(
      reportLateResult(),
    );
    expect(told.short).toEqual([LATE, conflict('probeContradicted'), COMPLETED]);
  });

  it('of the second attempt contradicts nothing', () => {
    const told = given(callIn('unknown', 'queryableWrite'), retriedAfterProbe).when(
      reportLateResult({ attempt: 2 }),
    );
    expect(told.short).toEqual(['ToolLateResultReceived(2 completed)', COMPLETED]);
  });

  it('agrees with a call known to be applied, and disagrees with one known not to be', () => {
    expect(given(callIn('applied', 'opaqueWrite')).when(reportLateResult()).outcome).toMatchObject([
      { data: { agrees: true } },
      {},
    ]);
    expect(
      given(callIn('notApplied', 'opaqueWrite')).when(reportLateResult()).outcome,
    ).toMatchObject([{ data: { agrees: false } }, {}, {}]);
  });
});

describe('a late refusal', () => {
  const refusal = reportLateResult({ status: 'noEffect', scope: 'attempt' });
  const REFUSED = 'ToolLateResultReceived(1 noEffect)';

  it.each<[CallStatus, EffectClass, string[], CallStatus]>([
    ['requested', 'opaqueWrite', [REFUSED], 'requested'],
    ['running', 'opaqueWrite', [REFUSED, FAILED], 'failed'],
    ['unknown', 'opaqueWrite', [REFUSED, FAILED], 'failed'],
    ['unknown', 'readOnly', [REFUSED, FAILED], 'failed'],
    ['retryAuthorized', 'keyedWrite', [REFUSED], 'retryAuthorized'],
    ['awaitingHuman', 'opaqueWrite', [REFUSED, FAILED], 'failed'],
    ['skipped', 'opaqueWrite', [REFUSED], 'skipped'],
    ['applied', 'opaqueWrite', [REFUSED, conflict('appliedContradicted')], 'applied'],
    ['applied', 'readOnly', [REFUSED], 'applied'],
    ['notApplied', 'opaqueWrite', [REFUSED], 'notApplied'],
    ['abandoned', 'opaqueWrite', [REFUSED, FAILED], 'failed'],
  ])('of a call that is %s (%s)', (status, effect, events, next) => {
    const told = given(callIn(status, effect)).when(refusal);
    expect(told.short).toEqual(events);
    expect(told.callStatus()).toBe(next);
  });

  const secondOpen = [
    ...callIn('unknown', 'keyedWrite'),
    retryAuthorized({ basis: 'keyedWithinWindow' }),
    toolCallStarted({ attempt: 2, basis: 'keyedWithinWindow' }),
  ];
  const secondUnknown = [...secondOpen, outcomeUnknown({ attempt: 2 })];

  it('of an earlier attempt says nothing about the one that runs', () => {
    const told = given(secondOpen).when(refusal);
    expect(told.short).toEqual([REFUSED]);
    expect(told.callStatus()).toBe('running');
  });

  it('of the running attempt leaves the outcome unknown while an earlier one is open', () => {
    const told = given(secondOpen).when(reportLateResult({ ...refusal, attempt: 2 }));
    expect(told.short).toEqual([
      'ToolLateResultReceived(2 noEffect)',
      'ToolOutcomeUnknown(2 earlierAttemptOpen)',
    ]);
    expect(told.callStatus()).toBe('unknown');
  });

  it('settles nothing while another attempt is open', () => {
    expect(given(secondUnknown).when(refusal).short).toEqual([REFUSED]);
    const abandoned = given(secondUnknown, resolved()).when(refusal);
    expect(abandoned.short).toEqual([REFUSED]);
    expect(abandoned.callStatus()).toBe('abandoned');
  });

  it('of the whole operation is older than an attempt made after it', () => {
    const told = given(secondUnknown).when(reportLateResult({ ...refusal, scope: 'operation' }));
    expect(told.short).toEqual([REFUSED]);
    expect(told.callStatus()).toBe('unknown');
  });

  it('of the whole operation by the latest attempt settles the call', () => {
    const told = given(secondUnknown).when(
      reportLateResult({ ...refusal, attempt: 2, scope: 'operation' }),
    );
    expect(told.callStatus()).toBe('failed');
  });

  it('of the last open attempt fails the call', () => {
    const told = given(secondUnknown).when(
      refusal,
      reportLateResult({ ...refusal, commandId: 'late-2', attempt: 2, resultHash: 'hash-2' }),
    );
    expect(told.short).toEqual(['ToolLateResultReceived(2 noEffect)', FAILED]);
  });
});

describe('a late result', () => {
  it('needs no ownership and no run', () => {
    const ended = [
      ...callIn('unknown', 'opaqueWrite'),
      { type: 'RunStopped', data: { runId: 'run-1', by: 'reconciler' } } as const,
    ];
    const told = given(ended).when(reportLateResult({ claimedEpoch: 1 }));
    expect(told.callStatus()).toBe('completed');
  });

  it('that is known already is nothing new, whichever way it came first', () => {
    const again = reportLateResult({ commandId: 'again' });
    expect(given(callIn('completed', 'opaqueWrite')).when(again).outcome).toBe('repeated');
    const late = given(callIn('unknown', 'opaqueWrite'));
    expect(late.when(reportLateResult(), again).outcome).toBe('repeated');
  });

  it('that differs from the known one of its attempt is a conflict', () => {
    const other = reportLateResult({ resultHash: 'hash-2' });
    expect(given(callIn('completed', 'opaqueWrite')).when(other).short).toEqual([
      conflict('resultMismatch'),
    ]);
    expect(given(callIn('completed', 'readOnly')).when(other).outcome).toBe('result_conflict');
  });

  it('of a call nobody asked for is not found', () => {
    expect(given(askedFor(tool())).when(reportLateResult({ callId: 'call-9' })).outcome).toBe(
      'not_found',
    );
  });

  describe('of an attempt that nobody permitted', () => {
    const bogus = reportLateResult({ attempt: 2, status: 'noEffect', scope: 'attempt' });

    it('does not disturb the attempt that runs', () => {
      const running = given(callIn('running', 'keyedWrite'));
      expect(running.when(bogus, recordToolResult()).callStatus()).toBe('completed');
    });

    it('does not let the running attempt expire early', () => {
      const running = given(callIn('running', 'keyedWrite'));
      expect(running.when(bogus, reconcileCall()).outcome).toBe('repeated');
    });

    it('takes its number: the permit gets the next one', () => {
      const refused = given(askedFor(tool({ effect: 'keyedWrite', keyWindowMs: 600_000 }))).when(
        reportLateResult({ status: 'noEffect' }),
        startToolCall({ attempt: 2 }),
      );
      expect(refused.short).toEqual(['ToolCallStarted(2 first)']);
    });

    it('leaves recovery able to go on', () => {
      const unknown = given(
        askedFor(tool({ effect: 'keyedWrite', keyWindowMs: 600_000 })),
        {
          type: 'ToolLateResultReceived',
          data: {
            callId: 'call-1',
            attempt: 1,
            claimedEpoch: 1,
            status: 'noEffect',
            resultHash: 'hash-0',
            result: { isError: true, content: 'refused' },
            agrees: null,
          },
        },
        toolCallStarted({ attempt: 2 }),
        outcomeUnknown({ attempt: 2 }),
      );
      expect(unknown.when(reconcileCall({ now: at(1_000) })).short).toEqual([
        'ToolRetryAuthorized(3 keyedWithinWindow)',
      ]);
    });
  });
});
