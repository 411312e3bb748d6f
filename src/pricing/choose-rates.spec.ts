import { describe, expect, it } from '@jest/globals';
import {
  anthropic,
  builtInCards as cards,
  cardOf,
  openai,
  price,
  priceBy,
  type Options,
} from '../../test/pricing/priced-calls.js';

describe('U17 long context', () => {
  it('chooses the tier by all input, cache included, for all tokens of the request', () => {
    const buckets = { inputFresh: 270_540, cacheRead: 7_936, outputText: 100 };
    const cost = price(buckets, openai('gpt-5.4'));
    const pico = 270_540n * 5_000_000n + 7_936n * 500_000n + 100n * 22_500_000n;
    expect(cost).toMatchObject({ amountPico: pico.toString(), contextTier: 272_000 });
  });

  it.each([
    [271_999, undefined],
    [272_000, undefined],
    [272_001, 272_000],
  ])('at %i input tokens, with the excess in cache reads only', (input, contextTier) => {
    const buckets = { inputFresh: 200_000, cacheRead: input - 200_000, outputText: 1 };
    expect(price(buckets, openai('gpt-5.4')).contextTier).toBe(contextTier);
  });

  it('holds at T-1, T and T+1 for every built-in card with a tier', () => {
    let tiers = 0;
    for (const entries of cards.catalogue.names.values()) {
      for (const { card, rule } of entries) {
        if (rule !== 'exact') continue;
        for (const { above, inclusive } of card.contextTiers ?? []) {
          tiers += 1;
          const startedAt = card.effectiveFrom ?? '2020-01-01T00:00:00Z';
          const options = { provider: card.provider, responseModel: card.models.id, startedAt };
          const at = (cacheRead: number) =>
            price({ inputFresh: 1, cacheRead }, options).contextTier;
          expect([at(above - 2), at(above - 1), at(above)]).toEqual([
            undefined,
            inclusive ? above : undefined,
            above,
          ]);
        }
      }
    }
    expect(tiers).toBeGreaterThan(20);
  });

  it('the threshold itself is in the upper tier where the card says so (xAI)', () => {
    const rates = { inputFresh: '6000000000000' };
    const card = cardOf({ contextTiers: [{ above: 128_000, inclusive: true, rates }] });
    expect(priceBy(card, { inputFresh: 127_999 }).contextTier).toBeUndefined();
    expect(priceBy(card, { inputFresh: 128_000 }).contextTier).toBe(128_000);
  });
});

describe('U18 dated prices', () => {
  it.each([
    ['2026-03-12T23:59:59.999Z', '10000000000', 1],
    ['2026-03-13T00:00:00.000Z', '5000000000', 2],
  ])('a long request that starts at %s', (startedAt, perThousand, cardVersion) => {
    const cost = price({ inputFresh: 250_000 }, { ...anthropic('claude-opus-4-6'), startedAt });
    expect(cost.amountPico).toBe((BigInt(perThousand) * 250n).toString());
    expect(cost.cardVersion).toBe(cardVersion);
  });

  it('names the reason when the start is not known and the price depends on it', () => {
    const call = { ...anthropic('claude-opus-4-6'), startedAt: undefined };
    expect(price({ inputFresh: 1 }, call)).toMatchObject({
      amountPico: null,
      reason: 'start_time_missing',
    });
    const undated = { ...anthropic('claude-opus-4-7'), startedAt: undefined };
    expect(price({ inputFresh: 1 }, undated).amountPico).toBe('5000000');
  });

  it('finds no price before a card begins', () => {
    const card = cardOf({ effectiveFrom: '2026-01-01T00:00:00Z' });
    const early = priceBy(card, { inputFresh: 1 }, { startedAt: '2025-12-31T23:59:59Z' });
    expect(early).toMatchObject({ amountPico: null, reason: 'no_card_in_effect' });
  });
});

describe('U24 service tiers', () => {
  const buckets = { inputFresh: 1_000, outputText: 10, outputReasoning: 90 };

  it('the served tier beats the requested one; nothing said is standard', () => {
    const at = (options: Options) => price(buckets, { ...openai('gpt-5'), ...options }).amountPico;
    const standard = (1_000n * 1_250_000n + 100n * 10_000_000n).toString();
    const priority = (1_000n * 2_500_000n + 100n * 20_000_000n).toString();
    expect(at({})).toBe(standard);
    expect(at({ servedTier: 'default', requestedTier: 'priority' })).toBe(standard);
    expect(at({ servedTier: 'priority', requestedTier: 'flex' })).toBe(priority);
    expect(at({ requestedTier: 'flex' })).toBe((BigInt(standard) / 2n).toString());
    expect(at({ servedTier: 'auto' })).toBe(standard);
  });

  it('names the tier, and prices reasoning at its output rate', () => {
    const cost = price(buckets, { ...openai('gpt-5'), servedTier: 'priority' });
    expect(cost.tier).toBe('priority');
    expect(cost.rates).toMatchObject({ outputReasoning: '20000000000000' });
  });

  it('batch is a tier of its own: half, also of cache writes', () => {
    const batch = { ...anthropic('claude-sonnet-4-5'), servedTier: 'batch' };
    const cost = price({ inputFresh: 1_000, cacheWrite1h: 100 }, batch);
    expect(cost.amountPico).toBe(((1_000n * 3_000_000n + 100n * 6_000_000n) / 2n).toString());
    expect(cost).toMatchObject({ tier: 'batch', tierFactor: '0.5' });
  });

  it('a fast response is priced at the fast rates', () => {
    const cost = price({ outputText: 10 }, { ...anthropic('claude-opus-4-8'), speed: 'fast' });
    expect(cost).toMatchObject({ amountPico: '500000000', tier: 'fast' });
  });

  it('a tier without a price is unpriced, not standard', () => {
    const cost = price({ outputText: 10 }, { ...anthropic('claude-opus-4-8'), servedTier: 'flex' });
    expect(cost).toMatchObject({ amountPico: null, reason: 'tier_unpriced', tier: 'flex' });
    const both = { ...anthropic('claude-opus-4-8'), servedTier: 'batch', speed: 'fast' };
    expect(price({ outputText: 10 }, both)).toMatchObject({ amountPico: null, tier: 'batch+fast' });
  });

  it('long context inside a service tier has the rates of that tier', () => {
    const cost = price({ inputFresh: 300_000 }, { ...openai('gpt-5.6-sol'), servedTier: 'flex' });
    expect(cost.amountPico).toBe((300_000n * 5_000_000n).toString());
  });
});

describe('U25 times of day', () => {
  const deepseek = { provider: 'deepseek', responseModel: 'deepseek-chat' };

  it.each([
    ['2025-09-04T00:29:59.999Z', '135000', undefined],
    ['2025-09-04T00:30:00.000Z', '270000', '00:30-16:30 UTC'],
    ['2025-09-04T16:29:59.999Z', '270000', '00:30-16:30 UTC'],
    ['2025-09-04T16:30:00.000Z', '135000', undefined],
    ['2025-09-04T18:30:00.000+02:00', '135000', undefined],
  ])('a call that starts at %s', (startedAt, amountPico, window) => {
    const cost = price({ inputFresh: 1 }, { ...deepseek, startedAt });
    expect([cost.amountPico, cost.window]).toEqual([amountPico, window]);
  });

  it('prices the DeepSeek call of 2025-09-04 19:44 UTC off-peak', () => {
    const usage = { inputFresh: 180, cacheRead: 9_024, outputText: 79 };
    const cost = price(usage, { ...deepseek, startedAt: '2025-09-04T19:44:00Z' });
    expect(cost.amountPico).toBe('383590000');
  });

  it('knows weekdays, zones and windows over midnight', () => {
    const card = cardOf({
      windows: [
        {
          from: '22:00',
          until: '06:00',
          zone: 'Asia/Shanghai',
          weekdays: [5],
          rates: { inputFresh: '1000000' },
        },
      ],
    });
    const at = (startedAt: string) => priceBy(card, { inputFresh: 1 }, { startedAt }).amountPico;
    expect(at('2026-08-07T13:59:59Z')).toBe('3000000');
    expect(at('2026-08-07T14:00:00Z')).toBe('1');
    expect(at('2026-08-07T21:59:59Z')).toBe('1');
    expect(at('2026-08-07T22:00:00Z')).toBe('3000000');
    expect(at('2026-08-06T23:00:00Z')).toBe('3000000');
  });
});
