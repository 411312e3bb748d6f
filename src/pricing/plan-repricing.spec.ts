import { describe, expect, it } from '@jest/globals';
import { unknownUsage } from '../domain/usage.js';
import type { PriceCard } from '../domain/price-card.js';
import type { RecordedCall } from '../domain/recorded-calls.js';
import { cost, usage } from '../../test/support/usage-commands.js';
import { buildPriceCards } from './card-index.js';
import { planRepricing } from './plan-repricing.js';

function card(changes: Partial<PriceCard> = {}): PriceCard {
  return {
    cardId: 'own/model',
    version: 2,
    provider: 'acme',
    models: { id: 'model' },
    rates: { inputFresh: '2000000' },
    currency: 'USD',
    status: 'override',
    sources: [{ name: 'contract', enteredBy: 'ada' }],
    ...changes,
  };
}

function call(changes: Partial<RecordedCall> = {}): RecordedCall {
  return {
    modelCallId: 'm1',
    callKey: 'call:s1/m1',
    purpose: 'turn',
    provider: 'acme',
    responseModel: 'model',
    startedAt: '2026-01-05T09:00:00.000Z',
    usage: usage({ inputFresh: 100 }),
    cost: { ...cost('300'), cardId: 'own/model', cardVersion: 1 },
    ...changes,
  };
}

const plan = (calls: RecordedCall[], filter = {}, ...cards: PriceCard[]) =>
  planRepricing(calls, filter, buildPriceCards(cards.length > 0 ? cards : [card()], []));

describe('what a re-pricing changes', () => {
  it('U26: is named with both cards, and adds up', () => {
    const free = call({ modelCallId: 'm2', cost: cost(null) });
    expect(plan([call(), free])).toMatchObject({
      calls: 2,
      before: [{ currency: 'USD', amountPico: '300' }],
      unpricedBefore: 1,
      after: [{ currency: 'USD', amountPico: '400' }],
      leftUnpriced: 0,
      changes: [
        {
          modelCallId: 'm1',
          before: { amountPico: '300', cardId: 'own/model', cardVersion: 1 },
          cost: { amountPico: '200', cardId: 'own/model', cardVersion: 2 },
        },
        { modelCallId: 'm2', before: { amountPico: null }, cost: { amountPico: '200' } },
      ],
    });
  });

  it.each<[string, Partial<RecordedCall>]>([
    ['cost the same', { cost: cost('200') }],
    ['have a price that the provider named', { cost: { ...cost('9'), source: 'provider' } }],
    ['have no usage that is known', { usage: unknownUsage('local'), cost: cost(null) }],
    ['would lose their price', { responseModel: 'another' }],
  ])('leaves calls alone that %s', (_, changes) => {
    expect(plan([call(changes)])).toMatchObject({ calls: 0, leftUnpriced: 0, changes: [] });
  });

  it('counts what is still without a price', () => {
    const unknown = call({ responseModel: 'another', cost: cost(null) });
    expect(plan([unknown])).toMatchObject({ calls: 0, leftUnpriced: 1 });
  });

  it('takes the price of the time of the call, not of today', () => {
    const cards = [
      card({ effectiveUntil: '2026-01-05T09:00:00.000Z', rates: { inputFresh: '9000000' } }),
      card({ version: 3, supersedes: 2, effectiveFrom: '2026-01-05T09:00:00.000Z' }),
    ];
    expect(plan([call()], {}, ...cards).after).toEqual([{ currency: 'USD', amountPico: '200' }]);
  });

  it.each<[string, object, number]>([
    ['the model', { model: 'model' }, 1],
    ['a part of the model', { model: 'mod' }, 0],
    ['another provider', { provider: 'other' }, 0],
    ['its card', { cardId: 'own/model' }, 1],
    ['another card', { cardId: 'own/other' }, 0],
    ['only unpriced calls', { unpricedOnly: true }, 0],
    ['its start, included', { from: '2026-01-05T09:00:00Z' }, 1],
    ['its start, not included', { to: '2026-01-05T09:00:00Z' }, 0],
  ])('is limited to %s', (_, filter, calls) => {
    expect(plan([call()], filter).calls).toBe(calls);
  });
});
