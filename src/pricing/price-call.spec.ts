import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { statedCost } from '../domain/money.js';
import { bucketNames, unknownUsage, type Usage } from '../domain/usage.js';
import { buildPriceCards, withOverrides } from './card-index.js';
import { priceCall, type CallToPrice } from './price-call.js';
import {
  anthropic,
  builtInCards as cards,
  cardOf,
  openai,
  price,
  priceBy,
  usageOf,
} from '../../test/pricing/priced-calls.js';

describe('U19 cache writes', () => {
  it('prices 1 h writes at twice and 5 min writes at 1.25 times the input', () => {
    const fable = anthropic('claude-fable-5');
    expect(price({ cacheWrite1h: 500 }, fable).amountPico).toBe((500n * 20_000_000n).toString());
    expect(price({ cacheWrite5m: 100 }, fable).amountPico).toBe((100n * 12_500_000n).toString());
    expect(price({ cacheRead: 30 }, fable).amountPico).toBe((30n * 1_000_000n).toString());
  });

  it('prices writes of unknown life as 5 min writes and says so', () => {
    const cost = price({ cacheWriteUnknown: 8 }, anthropic('claude-sonnet-4-5'));
    expect(cost).toMatchObject({ amountPico: '30000000', flags: ['cacheLifeAssumed'] });
  });

  it('a write has one price where the provider has only one: nothing is assumed', () => {
    const cost = price(
      { cacheWriteUnknown: 4_012, inputFresh: 8, outputText: 5 },
      openai('gpt-5.6-sol'),
    );
    expect(cost.amountPico).toBe('25265000000');
    expect(cost.flags).toBeUndefined();
  });

  it('every built-in card of an Anthropic model has both', () => {
    const lacking: string[] = [];
    for (const entries of cards.catalogue.names.values()) {
      for (const { card } of entries) {
        const { cacheWrite5m, cacheWrite1h, inputFresh = '0' } = card.rates;
        if (!/claude/i.test(card.models.id) || cacheWrite5m === undefined) continue;
        if (BigInt(cacheWrite1h ?? '0') !== 2n * BigInt(inputFresh)) lacking.push(card.cardId);
      }
    }
    expect(lacking).toEqual([]);
  });

  it('uses the input rate for 1 h writes of a card without a rate for writes, and says so', () => {
    const cost = priceBy(cardOf({}), { cacheWrite1h: 1 });
    expect(cost).toMatchObject({ amountPico: '3000000', flags: ['rateAssumed'] });
  });
});

describe('U26 history', () => {
  it('a new version changes no cost before its instant; the stamp explains the cost', () => {
    const first = cardOf({ effectiveUntil: '2026-07-01T00:00:00Z' });
    const second = cardOf({
      version: 2,
      supersedes: 1,
      rates: { inputFresh: '9000000000000', outputText: '1' },
      effectiveFrom: '2026-07-01T00:00:00Z',
    });
    const call = (startedAt: string): CallToPrice => ({
      usage: usageOf({ inputFresh: 7 }),
      provider: 'test',
      responseModel: 'model',
      startedAt,
    });
    const before = buildPriceCards([first], []);
    const after = buildPriceCards([first, second], []);
    const june = priceCall(call('2026-06-30T23:59:59Z'), before);
    expect(priceCall(call('2026-06-30T23:59:59Z'), after)).toEqual(june);
    expect(priceCall(call('2026-07-01T00:00:00Z'), after).amountPico).toBe('63000000');
    expect(june).toMatchObject({ cardId: 'test/model', cardVersion: 1 });
    const recomputed = (7n * BigInt(june.rates?.inputFresh ?? '0')) / 1_000_000n;
    expect(june.amountPico).toBe(recomputed.toString());
  });
});

describe('U27 unknown prices', () => {
  it('an unknown model is null, a free one is 0', () => {
    const buckets = { inputFresh: 1_000, outputText: 1_000 };
    expect(price(buckets, openai('gpt-77'))).toEqual({
      amountPico: null,
      currency: 'USD',
      source: 'local',
      reason: 'no_card',
    });
    const free = { provider: 'openrouter', responseModel: 'openai/gpt-oss-20b:free' };
    expect(price(buckets, free)).toMatchObject({ amountPico: '0' });
  });

  it('U42 a model that is not named is unpriced, not priced as a guessed one', () => {
    expect(price({ inputFresh: 1 }, { provider: 'openai' }).reason).toBe('model_missing');
  });

  it('a bucket without a rate makes the whole call unpriced; the priced part is told', () => {
    const card = cardOf({ rates: { inputFresh: '3000000000000' } });
    expect(priceBy(card, { inputFresh: 10, outputText: 5 })).toMatchObject({
      amountPico: null,
      reason: 'rate_missing',
      missing: ['outputText'],
      pricedPartPico: '30000000',
    });
  });

  it('a count without a fee does the same; web fetches are free', () => {
    const searched = priceBy(cardOf({}), { inputFresh: 10 }, {}, { webSearches: 2, webFetches: 9 });
    expect(searched).toMatchObject({
      amountPico: null,
      reason: 'fee_missing',
      missing: ['webSearches'],
    });
    const fetched = priceBy(cardOf({}), { inputFresh: 10 }, {}, { webFetches: 9 });
    expect(fetched.amountPico).toBe('30000000');
  });

  it('adds fees per search and per request', () => {
    const search = price({ inputFresh: 1 }, anthropic('claude-sonnet-4-6'), { webSearches: 2 });
    expect(search.amountPico).toBe((3_000_000n + 2n * 10_000_000_000n).toString());
    const request = price({ inputFresh: 1 }, { provider: 'perplexity', responseModel: 'sonar' });
    expect(request).toMatchObject({ amountPico: '12001000000', fees: { requests: '12000000000' } });
  });
});

describe('U22 and U33: pricing never stands in the way', () => {
  it('U33 usage that is not known costs null, not 0', () => {
    const call = { usage: unknownUsage('provider'), ...anthropic('claude-opus-4-8') };
    expect(priceCall(call, cards)).toMatchObject({ amountPico: null, reason: 'usage_unknown' });
  });

  it('U33 partial usage is priced: a lower bound', () => {
    const usage: Usage = { ...usageOf({ inputFresh: 1_000 }), state: 'partial' };
    const cost = priceCall({ usage, ...anthropic('claude-opus-4-8') }, cards);
    expect(cost.amountPico).toBe('5000000000');
  });

  it('U22 a broken card gives null with a reason, and does not throw', () => {
    const broken = cardOf({ rates: { inputFresh: 'three', outputText: '1' } });
    expect(priceBy(broken, { inputFresh: 1 })).toMatchObject({
      amountPico: null,
      reason: 'pricing_failed',
    });
  });

  it('U21 and U22: any usage with any model gives a cost of at least 0 or a reason', () => {
    const buckets = fc.dictionary(fc.constantFrom(...bucketNames), fc.nat({ max: 10_000_000 }));
    const models = fc.constantFrom(
      'gpt-5.4',
      'claude-opus-4-6',
      'gemini-2.5-pro',
      'nope',
      '',
      'x/',
    );
    const tiers = fc.constantFrom(undefined, 'priority', 'flex', 'batch', 'odd', '');
    fc.assert(
      fc.property(buckets, models, tiers, fc.string(), (used, responseModel, servedTier, text) => {
        const options = {
          responseModel,
          servedTier,
          startedAt: text,
          region: text,
          provider: text,
        };
        for (const provider of [undefined, text]) {
          const cost = price(used, { ...options, provider });
          const priced = cost.amountPico !== null && BigInt(cost.amountPico) >= 0n;
          expect(priced || cost.reason !== undefined).toBe(true);
        }
      }),
    );
  });
});

describe('priceCall', () => {
  it('stamps card, version, match and the rates used', () => {
    const cost = price({ inputFresh: 2, outputText: 3 }, anthropic('claude-opus-4-8-20260601'));
    expect(cost).toEqual({
      amountPico: '85000000',
      currency: 'USD',
      source: 'local',
      cardId: 'anthropic/claude-opus-4-8',
      cardVersion: 1,
      match: 'response_snapshot',
      rates: { inputFresh: '5000000000000', outputText: '25000000000000' },
    });
  });

  it('rounds once, half to even, at the end', () => {
    const card = cardOf({ rates: { inputFresh: '500000', outputText: '500000' } });
    expect(priceBy(card, { inputFresh: 1 }).amountPico).toBe('0');
    expect(priceBy(card, { inputFresh: 3 }).amountPico).toBe('2');
    expect(priceBy(card, { inputFresh: 1, outputText: 1 }).amountPico).toBe('1');
  });

  it('applies the uplift of a region to tokens, not to fees', () => {
    const us = { ...anthropic('claude-opus-4-8'), region: 'us' };
    const cost = price({ inputFresh: 10 }, us, { webSearches: 1 });
    expect(cost).toMatchObject({ amountPico: '10055000000', uplift: '1.1' });
    const global = { ...anthropic('claude-opus-4-8'), region: 'global' };
    expect(price({ inputFresh: 10 }, global).uplift).toBeUndefined();
    const unnamed = { ...anthropic('claude-opus-4-8'), region: 'not_available' };
    expect(price({ inputFresh: 10 }, unnamed).uplift).toBeUndefined();
  });

  it('prices Cohere by what is billed', () => {
    const usage: Usage = {
      ...usageOf({ inputFresh: 500, outputText: 9 }),
      billed: { inputFresh: 7 },
    };
    const call = { usage, provider: 'cohere', responseModel: 'command-a-03-2025' };
    expect(priceCall(call, cards).amountPico).toBe('17500000');
  });

  it('takes the price that the provider named, but not one that a log reported', () => {
    const buckets = { inputFresh: 1_000 };
    const named = statedCost('0.0160614', 'provider');
    expect(price(buckets, { ...openai('gpt-5'), statedCost: named })).toBe(named);
    const reported = statedCost('99', 'reported');
    const cost = price(buckets, { ...openai('gpt-5'), statedCost: reported });
    expect(cost).toMatchObject({ source: 'local', amountPico: '1250000000' });
  });

  it('keeps amounts above 2^53 pico exact', () => {
    const cost = price({ outputText: 1_000_000_000 }, anthropic('claude-opus-4-1'));
    expect(cost.amountPico).toBe('75000000000000000');
  });

  it('other modalities use the text rate when a card has none, and say so', () => {
    expect(priceBy(cardOf({}), { inputAudio: 2 })).toMatchObject({
      amountPico: '6000000',
      flags: ['rateAssumed'],
    });
  });

  it('an override wins over the catalogue, in its time and in its currency', () => {
    const override = cardOf({
      cardId: 'own/gpt-5',
      provider: 'openai',
      models: { id: 'gpt-5', snapshotsOf: ['gpt-5'] },
      rates: { inputFresh: '1000000', outputText: '1000000' },
      currency: 'EUR',
      effectiveFrom: '2026-01-01T00:00:00Z',
      effectiveUntil: '2026-02-01T00:00:00Z',
    });
    const own = withOverrides(cards, [override]);
    const at = (startedAt: string) =>
      priceCall(
        { usage: usageOf({ inputFresh: 5 }), ...openai('gpt-5-2025-08-07'), startedAt },
        own,
      );
    expect(at('2026-01-15T00:00:00Z')).toMatchObject({
      amountPico: '5',
      currency: 'EUR',
      cardId: 'own/gpt-5',
    });
    expect(at('2026-03-01T00:00:00Z').cardId).toBe('openai/gpt-5');
  });
});
