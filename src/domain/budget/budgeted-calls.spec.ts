import { describe, expect, it } from '@jest/globals';
import {
  claimRun,
  recordAssistantMessage,
  settleModelCall,
  startModelCall,
} from '../../../test/support/commands.js';
import {
  inputAccepted,
  modelCallSettled,
  modelCallStarted,
  ownedSession,
  sessionStarted,
} from '../../../test/support/events.js';
import { given } from '../../../test/support/given-when-then.js';
import { cost, reportModelUsage, usage } from '../../../test/support/usage-commands.js';
import type { SessionEvent } from '../events.js';
import { Rejection } from '../rejection.js';
import { unknownUsage } from '../usage.js';
import { appliesTo, subjectOf } from './budget.js';
import { chargeOf } from './call-charge.js';

const reservation = {
  reservationId: 'r1',
  ledgers: ['b'],
  currency: 'USD',
  amountPico: '900',
  inputPico: '500',
  outputPico: '400',
  outputTokens: 100,
};
const reserved = { kind: 'reserved', reservation } as const;
const rejection = new Rejection('budget_exhausted', 'nothing is left', { budgetId: 'b' });
const refused = { kind: 'refused', rejection } as const;
const started = modelCallStarted({ reservation });

function reservationsIn(outcome: unknown): readonly unknown[] {
  const events = outcome as readonly SessionEvent[];
  return events.flatMap(({ data }) => ('reservation' in data ? [data.reservation] : []));
}

describe('a model call under a budget', () => {
  it('carries what it holds until it is settled, by whomever', () => {
    const start = given(ownedSession()).when(startModelCall({ budget: reserved }));
    expect(reservationsIn(start.outcome)).toEqual([reservation]);
    const settled = given(ownedSession(), started).when(settleModelCall());
    expect(reservationsIn(settled.outcome)).toEqual([reservation]);
    const takenOver = given(ownedSession(), started).when(claimRun({ claimTokenHash: 'token-2' }));
    expect(reservationsIn(takenOver.outcome)).toEqual([reservation]);
    const cut = modelCallSettled({ usage: unknownUsage('local'), reservation });
    const late = given(ownedSession(), started, cut).when(reportModelUsage());
    expect(reservationsIn(late.outcome)).toEqual([reservation]);
  });

  it('is refused without an event, but not when it is a repetition', () => {
    const refusal = given(ownedSession()).when(startModelCall({ budget: refused }));
    expect(refusal.outcome).toBe('budget_exhausted');
    expect(refusal.facts).toEqual({ budgetId: 'b' });
    const again = given(ownedSession()).when(
      startModelCall({ budget: reserved }),
      startModelCall({ budget: refused }),
    );
    expect(again.outcome).toBe('repeated');
  });
});

describe('a claim when nothing is left', () => {
  const exhausted = rejection;

  it('begins no run, and the inputs stay', () => {
    const resting = [sessionStarted(), inputAccepted()];
    const claim = given(resting).when(claimRun({ exhausted }));
    expect(claim.outcome).toBe('budget_exhausted');
    expect(claim.state.pendingInputs).toHaveLength(1);
    const compaction = claimRun({ exhausted, kind: 'compaction' });
    expect(given(resting).when(compaction).short).toEqual(['RunClaimed(start compaction)']);
  });

  it('quarantines an open run, with everything that its owner left open', () => {
    const claim = given(ownedSession(), started).when(
      claimRun({ exhausted, claimTokenHash: 'token-2' }),
    );
    expect(claim.short).toEqual([
      'SessionQuarantined(cost)',
      expect.stringContaining('ModelCallSettled'),
    ]);
    expect(claim.state.run).toMatchObject({ status: 'quarantined', owned: false });
  });
});

describe('what a call is charged with', () => {
  const settled = (data: Parameters<typeof modelCallSettled>[0]) => modelCallSettled(data);
  const final = usage({ inputFresh: 100, outputText: 10 });

  it.each<[string, readonly SessionEvent[], object | undefined]>([
    ['nothing while it runs', [started], undefined],
    [
      'its cost',
      [settled({ usage: final, cost: cost('450') })],
      { amountPico: '450', basis: 'settled' },
    ],
    [
      'nothing when it never left',
      [settled({ outcome: 'notSent', providerReached: 'no' })],
      { amountPico: '0', basis: 'settled' },
    ],
    [
      'its prompt when nobody counted it',
      [settled({ usage: unknownUsage('local'), cost: cost(null) })],
      { amountPico: '500', basis: 'lowerBound' },
    ],
    [
      'its prompt and what had arrived',
      [settled({ usage: { ...unknownUsage('local'), estimatedOutput: 25 } })],
      { amountPico: '600', basis: 'lowerBound' },
    ],
    [
      'the part that has a price',
      [settled({ usage: final, cost: { ...cost(null), pricedPartPico: '7' } })],
      { amountPico: '7', basis: 'unpriced' },
    ],
    [
      'nothing in another currency',
      [settled({ usage: final, cost: { ...cost('450'), currency: 'CNY' } })],
      { amountPico: '0', basis: 'unpriced' },
    ],
    [
      'what the provider bills on top',
      [
        settled({ usage: final, cost: cost('450') }),
        settled({ modelCallId: 'model-call-1/0', usage: final, cost: cost('50') }),
      ],
      { amountPico: '500', basis: 'settled' },
    ],
  ])('%s', (_, events, expected) => {
    expect(chargeOf(events, reservation)).toEqual(expected);
  });

  it('nothing in the ledger of a budget in another currency', () => {
    const events = [settled({ usage: final, cost: cost('450') })];
    expect(chargeOf(events, reservation, 'EUR')).toEqual({ amountPico: '0', basis: 'unpriced' });
    const lost = [settled({ usage: unknownUsage('local') })];
    expect(chargeOf(lost, reservation, 'EUR')).toMatchObject({ amountPico: '0' });
  });

  it('its late usage in the place of the lower bound', () => {
    const lost = modelCallSettled({ usage: unknownUsage('local'), reservation });
    const late = given(ownedSession(), started, lost).when(reportModelUsage());
    const events = [started, lost, ...(late.outcome as readonly SessionEvent[])];
    expect(chargeOf(events, reservation)).toEqual({ amountPico: '450', basis: 'settled' });
  });
});

describe('whose calls a budget counts', () => {
  const budget = {
    budgetId: 'b',
    period: 'none',
    zone: 'UTC',
    currency: 'USD',
    amountPico: '1',
    onUnpriced: 'deny',
    setBy: 'ada',
  } as const;
  const child = sessionStarted({ ancestors: ['parent', 'root'], labels: { team: 'red' } });
  const state = given([child, inputAccepted({ author: 'bob' })]).when(
    claimRun(),
    recordAssistantMessage(),
  ).state;
  const own = state.sessionId;

  it.each([
    [{ kind: 'tenant' }, true],
    [{ kind: 'session', sessionId: own }, true],
    [{ kind: 'session', sessionId: 'root' }, false],
    [{ kind: 'run', sessionId: own, runId: state.run!.runId }, true],
    [{ kind: 'run', sessionId: own, runId: 'another' }, false],
    [{ kind: 'run', sessionId: 'root', runId: state.run!.runId }, false],
    [{ kind: 'tree', sessionId: own }, true],
    [{ kind: 'tree', sessionId: 'root' }, true],
    [{ kind: 'tree', sessionId: 'elsewhere' }, false],
    [{ kind: 'user', user: 'bob' }, true],
    [{ kind: 'user', user: 'ada' }, false],
    [{ kind: 'label', name: 'team', value: 'red' }, true],
    [{ kind: 'label', name: 'team', value: 'blue' }, false],
  ] as const)('%j: %s', (scope, applies) => {
    expect(appliesTo({ ...budget, scope }, subjectOf(state))).toBe(applies);
  });

  it('is known before the run begins: of the author of the input that waits', () => {
    const waiting = given(child, inputAccepted({ author: 'carol' })).state;
    expect(subjectOf(waiting).user).toBe('carol');
  });
});
