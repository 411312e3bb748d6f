import { unknownUsage, type Buckets, type Counts, type Usage } from '../../src/domain/usage.js';
import { buildPriceCards } from '../../src/pricing/card-index.js';
import { loadPriceCards } from '../../src/pricing/load-price-cards.js';
import type { PriceCard } from '../../src/domain/price-card.js';
import { priceCall, type CallToPrice } from '../../src/pricing/price-call.js';

/** Calls and cards for the specs of src/pricing. */

export const builtInCards = loadPriceCards();

export function usageOf(buckets: Buckets, counts: Counts = {}): Usage {
  return { ...unknownUsage('provider'), state: 'final', buckets, counts };
}

export type Options = Partial<Omit<CallToPrice, 'usage'>>;

export function price(buckets: Buckets, options: Options, counts: Counts = {}) {
  return priceCall(
    { usage: usageOf(buckets, counts), startedAt: '2026-08-01T12:00:00Z', ...options },
    builtInCards,
  );
}

export const openai = (responseModel: string): Options => ({ provider: 'openai', responseModel });
export const anthropic = (responseModel: string): Options => ({
  provider: 'anthropic',
  responseModel,
});

export function cardOf(changes: Partial<PriceCard>): PriceCard {
  return {
    cardId: 'test/model',
    version: 1,
    provider: 'test',
    models: { id: 'model' },
    rates: { inputFresh: '3000000000000', outputText: '15000000000000' },
    currency: 'USD',
    status: 'override',
    sources: [{ name: 'test', enteredBy: 'test' }],
    ...changes,
  };
}

export function priceBy(
  card: PriceCard,
  buckets: Buckets,
  options: Options = {},
  counts: Counts = {},
) {
  const call = {
    usage: usageOf(buckets, counts),
    provider: 'test',
    responseModel: 'model',
    ...options,
  };
  return priceCall(call, buildPriceCards([card], []));
}
