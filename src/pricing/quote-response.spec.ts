import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { builtInCards, cardOf } from '../../test/pricing/priced-calls.js';
import { buildPriceCards, withOverrides } from './card-index.js';
import { quoteResponse } from './quote-response.js';
import { quoteView } from './quote-view.js';

const answer = {
  id: 'msg_1',
  model: 'claude-sonnet-4-5',
  usage: { input_tokens: 1_000, output_tokens: 100 },
};
const at = { provider: 'anthropic', startedAt: '2026-08-01T12:00:00Z' };

describe('the quote of a response', () => {
  it('has buckets, the card in full, its rates and the exact cost', () => {
    const view = quoteView(quoteResponse({ body: answer, ...at }, builtInCards));
    expect(view).toMatchObject({
      shape: 'anthropic-messages',
      responseId: 'msg_1',
      model: 'claude-sonnet-4-5',
      calls: [
        {
          callId: 'msg_1',
          usage: { state: 'final', buckets: { inputFresh: 1_000, outputText: 100 } },
          cost: {
            amountPico: '4500000000',
            amount: '0.0045',
            match: 'response_exact',
            rates: { inputFresh: '3000000000000', outputText: '15000000000000' },
          },
          card: { cardId: 'anthropic/claude-sonnet-4-5', status: 'catalogue' },
        },
      ],
      total: { amounts: [{ currency: 'USD', amount: '0.0045' }], complete: true },
    });
  });

  it('names the model asked for when the response names none, and says so in the match', () => {
    const { usage } = answer;
    const quote = quoteResponse(
      { body: { usage }, ...at, requestedModel: 'claude-sonnet-4-5' },
      builtInCards,
    );
    expect(quote.model).toBeUndefined();
    expect(quote.calls[0].cost).toMatchObject({
      amountPico: '4500000000',
      match: 'requested_exact',
    });
  });

  it('U24: takes the tier that was asked for unless the response says what was served', () => {
    const batch = { body: answer, ...at, requestedTier: 'batch' };
    expect(quoteResponse(batch, builtInCards).calls[0].cost).toMatchObject({
      amountPico: '2250000000',
      tier: 'batch',
    });
    const served = { ...answer, usage: { ...answer.usage, service_tier: 'standard' } };
    const { cost } = quoteResponse({ ...batch, body: served }, builtInCards).calls[0];
    expect(cost.amountPico).toBe('4500000000');
  });

  it('prices what is billed on top of a response as calls of their own', () => {
    const body = {
      ...answer,
      usage: {
        ...answer.usage,
        iterations: [
          { type: 'message', input_tokens: 1_000, output_tokens: 100 },
          {
            type: 'advisor_message',
            model: 'claude-opus-4-8',
            input_tokens: 2_518,
            output_tokens: 22,
          },
        ],
      },
    };
    const { calls, total } = quoteView(quoteResponse({ body, ...at }, builtInCards));
    expect(calls).toHaveLength(2);
    expect(calls[1]).toMatchObject({
      callId: 'msg_1/1',
      purpose: 'advisor',
      model: 'claude-opus-4-8',
    });
    const sum = calls.reduce((pico, { cost }) => pico + BigInt(cost.amountPico!), 0n);
    expect(total.amounts).toMatchObject([{ amountPico: sum.toString() }]);
  });

  it('U27: has no amount for an unknown model and counts its tokens; free is known', () => {
    const unknown = { ...answer, model: 'claude-opus-9' };
    const { calls, total } = quoteView(quoteResponse({ body: unknown, ...at }, builtInCards));
    expect(calls[0]!.cost).toMatchObject({ amountPico: null, amount: null, reason: 'no_card' });
    expect(total).toEqual({
      amounts: [],
      calls: 1,
      unpricedCalls: 1,
      unpricedTokens: '1100',
      unknownUsageCalls: 0,
      complete: false,
    });
    const free = cardOf({
      provider: 'anthropic',
      models: { id: 'claude-opus-9' },
      rates: { inputFresh: '0', outputText: '0' },
    });
    const cards = withOverrides(builtInCards, [free]);
    expect(quoteView(quoteResponse({ body: unknown, ...at }, cards)).total).toMatchObject({
      amounts: [{ amountPico: '0', amount: '0' }],
      unpricedCalls: 0,
      complete: true,
    });
  });

  it('U22: keeps the usage when there is no price to be had', () => {
    const broken = buildPriceCards([cardOf({ rates: { inputFresh: 'a lot' } })], []);
    const body = { ...answer, model: 'model' };
    const priced = { body, provider: 'test', startedAt: at.startedAt };
    for (const cards of [broken, undefined]) {
      expect(quoteResponse(priced, cards).calls[0]).toMatchObject({
        usage: { state: 'final', buckets: { inputFresh: 1_000, outputText: 100 } },
        cost: { amountPico: null, reason: 'pricing_failed' },
      });
    }
  });

  it('keeps a price that the provider named, even when no card can be read', () => {
    const body = {
      id: 'gen-1',
      model: 'some/model',
      usage: { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12, cost: 0.00014 },
    };
    for (const cards of [builtInCards, undefined]) {
      const { cost } = quoteResponse({ body, provider: 'openrouter' }, cards).calls[0];
      expect(cost).toMatchObject({ amountPico: '140000000', source: 'provider' });
    }
  });

  it('never throws, whatever the body is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (body) => {
        const view = quoteView(quoteResponse({ body, ...at }, builtInCards));
        expect(view.calls.length).toBeGreaterThan(0);
      }),
    );
  });
});
