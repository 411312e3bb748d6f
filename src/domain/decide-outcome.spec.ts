import { describe, expect, it } from '@jest/globals';
import { at, startToolCall, stopRun, tool } from '../../test/support/commands.js';
import {
  askedFor,
  callIn,
  escalated,
  outcomeUnknown,
  resolved,
  retryAuthorized,
  runClaimed,
  toolCallStarted,
} from '../../test/support/events.js';
import { given } from '../../test/support/given-when-then.js';
import { decideEscalation, recordProbe } from '../../test/support/settling-commands.js';
import type { SessionEvent } from './events.js';
import type { CallStatus } from './state.js';

const ORDER = tool({
  effect: 'queryableWrite',
  timeoutMs: 20_000,
  maxFlightMs: 30_000,
  notFoundIsFinalAfterMs: 45_000,
});

/** A call of this tool, started at the beginning, of which nobody knows the outcome. */
function unknown(manifest = ORDER): readonly SessionEvent[] {
  return [...askedFor(manifest), toolCallStarted(), outcomeUnknown()];
}

const RUN_STOPPED: SessionEvent = {
  type: 'RunStopped',
  data: { runId: 'run-1', by: 'reconciler' },
};
const QUARANTINED: SessionEvent = {
  type: 'SessionQuarantined',
  data: { runId: 'run-1', budget: 'recoveryAttempts', counters: {}, notify: 'operator' },
};
const notFound = recordProbe({ answer: 'notFound', requestedAt: at(45_000) });

describe('a probe', () => {
  it('that finds the operation resolves the call as applied', () => {
    const probed = given(unknown()).when(recordProbe());
    expect(probed.short).toEqual([
      'ToolProbeRecorded(query applied)',
      'ToolOutcomeResolved(applied probe)',
    ]);
    expect(probed.callStatus()).toBe('applied');
  });

  it.each([
    ['inProgress', 'inProgress'],
    ['unclear', 'inconclusive'],
    ['error', 'error'],
  ] as const)('that answers %s is kept as evidence, and nothing else', (answer, verdict) => {
    const probed = given(unknown()).when(recordProbe({ answer }));
    expect(probed.short).toEqual([`ToolProbeRecorded(query ${verdict})`]);
    expect(probed.callStatus()).toBe('unknown');
    expect(probed.state.calls['call-1']?.probes).toBe(1);
  });

  it('that finds nothing proves it only if it was sent when that is final', () => {
    const early = recordProbe({ answer: 'notFound', requestedAt: at(44_999), now: at(90_000) });
    expect(given(unknown()).when(early).short).toEqual(['ToolProbeRecorded(query inconclusive)']);
    expect(given(unknown()).when(notFound).short).toEqual([
      'ToolProbeRecorded(query notApplied)',
      'ToolRetryAuthorized(2 probeNotApplied)',
    ]);
  });

  it('that finds nothing waits for the longest flight too', () => {
    const slow = tool({ ...ORDER, maxFlightMs: 60_000 });
    expect(given(unknown(slow)).when(notFound).short).toEqual([
      'ToolProbeRecorded(query inconclusive)',
    ]);
  });

  it('that finds nothing proves nothing while only a clock that was set says that it is final', () => {
    const statusWhen = (hasWaited: boolean) =>
      given(unknown())
        .when({ ...notFound, hasWaited })
        .callStatus();
    expect(statusWhen(false)).toBe('unknown');
    expect(statusWhen(true)).toBe('retryAuthorized');
    const fromAhead = recordProbe({ answer: 'notFound', requestedAt: at(900_000_000), now: at(1) });
    expect(given(unknown()).when(fromAhead).callStatus()).toBe('unknown');
  });

  it('that finds nothing proves nothing when the author of the tool has named no time', () => {
    const unsure = tool({ ...ORDER, notFoundIsFinalAfterMs: null });
    const probe = recordProbe({ answer: 'notFound', requestedAt: at(900_000_000) });
    expect(given(unknown(unsure)).when(probe).short).toEqual([
      'ToolProbeRecorded(query inconclusive)',
    ]);
  });

  it.each<[string, readonly SessionEvent[]]>([
    ['the run was stopped', [...unknown(), RUN_STOPPED]],
    [
      'the run has ended and another one runs',
      [...unknown(), RUN_STOPPED, runClaimed({ runId: 'run-2', epoch: 2 })],
    ],
    ['the attempts are used', unknown(tool({ ...ORDER, maxAttempts: 1 }))],
    ['its tool does not want it', unknown(tool({ ...ORDER, retryWhenNotApplied: false }))],
    [
      'nobody may repeat an opaque write',
      unknown(
        tool({
          effect: 'opaqueWrite',
          maxFlightMs: 30_000,
          timeoutMs: 20_000,
          notFoundIsFinalAfterMs: 0,
        }),
      ),
    ],
  ])('that finds nothing leads to no retry when %s', (_, events) => {
    const probed = given(events).when(notFound);
    expect(probed.short).toEqual([
      'ToolProbeRecorded(query notApplied)',
      'ToolOutcomeResolved(notApplied probe)',
    ]);
  });

  it('settles a call that a person was asked about, without a retry', () => {
    const asked = [...unknown(), escalated()];
    expect(given(asked).when(recordProbe()).callStatus()).toBe('applied');
    expect(given(asked).when(notFound).callStatus()).toBe('notApplied');
  });

  it('by an operator still counts for a call that was given up; a later one by a machine not', () => {
    const abandoned = [...unknown(), escalated(), resolved()];
    const byOperator = given(abandoned).when(recordProbe({ source: 'operator' }));
    expect(byOperator.callStatus()).toBe('applied');
    expect(
      given(abandoned)
        .when({ ...notFound, source: 'operator' })
        .callStatus(),
    ).toBe('notApplied');
    expect(given(abandoned).when(recordProbe()).outcome).toBe('already_decided');
  });

  it.each<[CallStatus, string]>([
    ['requested', 'invalid_state'],
    ['running', 'invalid_state'],
    ['retryAuthorized', 'invalid_state'],
    ['completed', 'already_decided'],
    ['failed', 'already_decided'],
    ['skipped', 'already_decided'],
    ['applied', 'already_decided'],
    ['notApplied', 'already_decided'],
  ])('of a call that is %s is refused: %s', (status, code) => {
    expect(given(callIn(status, 'queryableWrite')).when(recordProbe()).outcome).toBe(code);
  });

  it('goes on while the run is quarantined', () => {
    const probed = given(unknown(), QUARANTINED).when(recordProbe());
    expect(probed.callStatus()).toBe('applied');
  });
});

describe('the decision of a person', () => {
  const asked = callIn('awaitingHuman', 'opaqueWrite');

  it.each([
    ['applied', 'applied'],
    ['notApplied', 'notApplied'],
    ['abandon', 'abandoned'],
  ] as const)('%s', (decision, verdict) => {
    const told = given(asked).when(decideEscalation({ decision }));
    expect(told.short).toEqual([
      `ToolEscalationDecided(${decision})`,
      `ToolOutcomeResolved(${verdict} human)`,
    ]);
    expect(told.outcome).toMatchObject([{ data: { escalationId: 'escalation-1' } }, {}]);
    expect(told.callStatus()).toBe(verdict);
  });

  it('for another attempt holds for an hour', () => {
    const told = given(asked).when(decideEscalation({ decision: 'retry', now: at(1_000) }));
    expect(told.short).toEqual(['ToolEscalationDecided(retry)', 'ToolRetryAuthorized(2 human)']);
    expect(told.outcome).toMatchObject([{}, { data: { notAfter: at(3_601_000) } }]);
    expect(told.state.calls['call-1']?.escalation).toBeUndefined();
  });

  it('for another attempt lets the owner make it', () => {
    const started = given(asked).when(
      decideEscalation({ decision: 'retry' }),
      startToolCall({ attempt: 2 }),
    );
    expect(started.short).toEqual(['ToolCallStarted(2 human)']);
  });

  it.each<[string, readonly SessionEvent[], string]>([
    ['after the run has ended', [...asked, RUN_STOPPED], 'run_ended'],
    ['of a quarantined run', [...asked, QUARANTINED], 'session_quarantined'],
    [
      'when all attempts were made',
      [...unknown(tool({ maxAttempts: 1 })), escalated()],
      'attempts_exhausted',
    ],
  ])('for another attempt is refused %s', (_, events, code) => {
    expect(given(events).when(decideEscalation({ decision: 'retry' })).outcome).toBe(code);
  });

  it('for another attempt is refused while the run is being stopped', () => {
    const told = given(asked).when(stopRun(), decideEscalation({ decision: 'retry' }));
    expect(told.outcome).toBe('run_stopped');
  });

  it('is final: another decision is refused, the same command gives the same answer', () => {
    const first = decideEscalation({ decision: 'applied' });
    const second = decideEscalation({ commandId: 'decision-2', decision: 'notApplied' });
    expect(given(asked).when(first, second).outcome).toBe('already_decided');
    expect(given(asked).when(first, first).outcome).toBe('repeated');
  });

  it('answers the question that was asked, and no later one', () => {
    const answer = decideEscalation({ escalationId: 'escalation-1' });
    expect(given(asked).when(answer).callStatus()).toBe('applied');
    const askedAgain = [
      ...asked,
      retryAuthorized({ basis: 'human' }),
      toolCallStarted({ attempt: 2 }),
      outcomeUnknown({ attempt: 2 }),
      escalated({ escalationId: 'escalation-2' }),
    ];
    expect(given(askedAgain).when(answer).outcome).toBe('already_decided');
  });

  it('may come after the call was given up, as a finding but not as an order', () => {
    const abandoned = callIn('abandoned', 'opaqueWrite');
    expect(given(abandoned).when(decideEscalation()).callStatus()).toBe('applied');
    expect(given(abandoned).when(decideEscalation({ decision: 'retry' })).outcome).toBe(
      'already_decided',
    );
  });

  it('may come before anybody was asked, as with an imported call', () => {
    const imported = [
      ...askedFor(tool()),
      toolCallStarted(),
      outcomeUnknown({ reason: 'imported' }),
    ];
    const told = given(imported).when(decideEscalation());
    expect(told.short).toEqual([
      'ToolEscalated(noPolicy)',
      'ToolEscalationDecided(applied)',
      'ToolOutcomeResolved(applied human)',
    ]);
  });

  it.each<CallStatus>(['requested', 'running'])('on a call that is %s is refused', (status) => {
    expect(given(callIn(status, 'opaqueWrite')).when(decideEscalation()).outcome).toBe(
      'invalid_state',
    );
  });

  it.each<CallStatus>(['completed', 'failed', 'skipped', 'applied', 'notApplied'])(
    'on a call that is %s comes too late',
    (status) => {
      expect(given(callIn(status, 'opaqueWrite')).when(decideEscalation()).outcome).toBe(
        'already_decided',
      );
    },
  );
});
