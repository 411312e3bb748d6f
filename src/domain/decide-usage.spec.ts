import { describe, expect, it } from '@jest/globals';
import { claimRun, recordAssistantMessage, startModelCall } from '../../test/support/commands.js';
import { modelCallSettled, modelCallStarted, ownedSession } from '../../test/support/events.js';
import { given } from '../../test/support/given-when-then.js';
import { cost, repriceCalls, reportModelUsage, usage } from '../../test/support/usage-commands.js';
import { recordedCalls } from './recorded-calls.js';
import { unknownUsage } from './usage.js';

const thinking = [...ownedSession(), modelCallStarted()];
const settledWith = (data: Parameters<typeof modelCallSettled>[0]) =>
  given(thinking, modelCallSettled(data));
const cut = () => settledWith({ outcome: 'interrupted', usage: unknownUsage('local') });
const partial = usage({ inputFresh: 100, outputText: 4 }, 'partial');
const final = usage({ inputFresh: 100, outputText: 10 });
const other = usage({ inputFresh: 100, outputText: 11 });

describe('usage that comes late', () => {
  it('U33: takes the place of unknown usage, once', () => {
    const reported = cut().when(reportModelUsage());
    expect(reported.outcome).toMatchObject([
      {
        type: 'ModelUsageReported',
        data: {
          modelCallId: 'model-call-1',
          usage: final,
          cost: cost('450'),
          reporter: 'worker-1',
        },
      },
    ]);
    const again = reportModelUsage({ commandId: 'sent by another' });
    expect(cut().when(reportModelUsage(), reportModelUsage()).outcome).toBe('repeated');
    expect(cut().when(reportModelUsage(), again).outcome).toBe('repeated');
  });

  it('is refused when a final one says something else, and both are shown', () => {
    const conflict = cut().when(reportModelUsage(), reportModelUsage({ usage: other }));
    expect(conflict.outcome).toBe('usage_conflict');
    expect(conflict.facts).toMatchObject({
      recorded: { state: 'final', buckets: final.buckets, cost: cost('450') },
      reported: { state: 'final', buckets: other.buckets },
    });
    const settled = settledWith({ usage: final });
    expect(settled.when(reportModelUsage({ usage: other })).outcome).toBe('usage_conflict');
    expect(settled.when(reportModelUsage({ usage: final })).outcome).toBe('repeated');
  });

  it.each([
    ['estimated after unknown', unknownUsage('local'), usage({ outputText: 3 }, 'estimated')],
    ['partial after estimated', usage({ outputText: 30 }, 'estimated'), partial],
    ['more of a partial one', partial, usage({ inputFresh: 100, outputText: 5 }, 'partial')],
    ['final after a larger estimate', usage({ outputText: 9_000 }, 'estimated'), final],
  ])('counts: %s', (_, recorded, later) => {
    const reported = settledWith({ usage: recorded }).when(reportModelUsage({ usage: later }));
    expect(reported.short).toEqual(['ModelUsageReported']);
  });

  it.each([
    ['estimated after partial', partial, usage({ outputText: 9_000 }, 'estimated')],
    ['less of a partial one', partial, usage({ inputFresh: 100, outputText: 3 }, 'partial')],
    ['partial after final', final, usage({ inputFresh: 100, outputText: 30 }, 'partial')],
  ])('changes nothing: %s', (_, recorded, later) => {
    const reported = settledWith({ usage: recorded }).when(reportModelUsage({ usage: later }));
    expect(reported.outcome).toBe('repeated');
  });

  it('needs no ownership, and waits for the owner while the call is open', () => {
    expect(given(thinking).when(reportModelUsage()).outcome).toBe('invalid_state');
    const takenOver = given(thinking).when(
      claimRun({ claimTokenHash: 'token-2' }),
      reportModelUsage(),
    );
    expect(takenOver.short).toEqual(['ModelUsageReported']);
    expect(given(ownedSession()).when(reportModelUsage()).outcome).toBe('not_found');
    const next = startModelCall({ modelCallId: 'model-call-2' });
    expect(cut().when(next, reportModelUsage()).short).toEqual(['ModelUsageReported']);
  });

  it('finds an estimate of the output that a cut stream had sent', () => {
    const blocks = [{ type: 'text' as const, text: 'x'.repeat(402) }];
    const part = recordAssistantMessage({ final: false, blocks });
    const takenOver = given(thinking).when(part, claimRun({ claimTokenHash: 'token-2' }));
    expect(takenOver.outcome).toContainEqual({
      type: 'ModelCallSettled',
      data: expect.objectContaining({
        usage: { ...unknownUsage('local'), estimatedOutput: 101 },
      }),
    });
  });

  it('names the provider request once it is known, and no other one', () => {
    const named = cut().when(
      reportModelUsage({ responseId: 'msg_1', callKey: 'response:anthropic:msg_1' }),
    );
    expect(named.outcome).toMatchObject([
      { data: { callKey: 'response:anthropic:msg_1', formerCallKey: 'provider-request-1' } },
    ]);
    const known = settledWith({ responseId: 'msg_1', usage: partial });
    expect(known.when(reportModelUsage({ responseId: 'msg_2' })).outcome).toBe('usage_conflict');
  });

  it('brings requests of their own that the provider bills on top', () => {
    const further = [
      {
        modelCallId: 'model-call-1/0',
        callKey: 'provider-request-1/0',
        purpose: 'advisor' as const,
        usage: final,
        cost: cost('7'),
      },
    ];
    const reported = cut().when(reportModelUsage({ further }));
    expect(reported.outcome).toMatchObject([
      { data: { modelCallId: 'model-call-1', purpose: 'turn' } },
      { data: { modelCallId: 'model-call-1/0', purpose: 'advisor', cost: cost('7') } },
    ]);
    const again = reportModelUsage({ further, commandId: 'again' });
    expect(cut().when(reportModelUsage({ further }), again).outcome).toBe('repeated');
  });
});

describe('re-pricing', () => {
  it('U26: keeps what a call was recorded with beside what it costs now', () => {
    const settled = modelCallSettled({ usage: final, cost: cost('450') });
    const repriced = given(thinking, settled).when(repriceCalls());
    expect(repriced.short).toEqual(['CallsRepriced(The contract changed.)']);
    const events = [settled, ...(repriced.outcome as [])];
    expect(recordedCalls(events).get('model-call-1')).toMatchObject({
      cost: cost('300'),
      recordedCost: cost('450'),
    });
  });

  it('of nothing is no event, and the same one again neither', () => {
    expect(cut().when(repriceCalls({ calls: [] })).outcome).toBe('repeated');
    expect(cut().when(repriceCalls(), repriceCalls()).outcome).toBe('repeated');
  });
});
