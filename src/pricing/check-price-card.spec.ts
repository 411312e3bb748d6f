import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { checkPriceCard } from './check-price-card.js';
import { readCatalogue } from './load-price-cards.js';

const card = {
  cardId: 'own/gpt-5',
  version: 1,
  provider: 'openai',
  models: { id: 'gpt-5' },
  rates: { inputFresh: '1000000', outputText: '2000000' },
  currency: 'EUR',
  status: 'override',
  sources: [{ name: 'contract 7', enteredBy: 'jane' }],
};

describe('checkPriceCard', () => {
  it('accepts every built-in card and a small override', () => {
    const refused = readCatalogue().cards.filter((one) => !checkPriceCard(one).card);
    expect(refused).toEqual([]);
    expect(checkPriceCard(card)).toEqual({ card });
  });

  it.each([
    [{ rates: { inputFresh: 3 } }, 'rates.inputFresh'],
    [{ rates: { inputFresh: '-3' } }, 'rates.inputFresh'],
    [{ rates: { inputFresh: '1.5' } }, 'rates.inputFresh'],
    [{ rates: { input: '3' } }, 'rates.input'],
    [{ rates: undefined }, 'rates'],
    [{ version: 0 }, 'version'],
    [{ supersedes: 1 }, 'supersedes'],
    [{ models: { id: '' } }, 'models.id'],
    [{ fees: { webSearches: 'free' } }, 'fees.webSearches'],
    [{ contextTiers: [{ above: -1, inclusive: false, rates: {} }] }, 'contextTiers[0].above'],
    [{ serviceTiers: { batch: { factor: '-1' } } }, 'serviceTiers.batch.factor'],
    [{ uplift: [{ factor: '1.1' }] }, 'uplift[0]'],
    [{ windows: [{ from: '24:00', until: '06:00', zone: 'UTC', rates: {} }] }, 'windows[0].from'],
    [
      { windows: [{ from: '20:00', until: '06:00', zone: 'Mars/One', rates: {} }] },
      'windows[0].zone',
    ],
    [{ effectiveFrom: '2026-01-01' }, 'effectiveFrom'],
    [
      { effectiveFrom: '2026-01-01T00:00:00Z', effectiveUntil: '2025-01-01T00:00:00Z' },
      'effectiveUntil',
    ],
    [{ currency: 'usd' }, 'currency'],
    [{ sources: [] }, 'sources'],
    [{ effectivefrom: '2026-01-01T00:00:00Z' }, 'effectivefrom'],
    [{ models: { id: 'gpt-5', alias: ['x'] } }, 'models.alias'],
    [{ sources: [{ name: 'contract 7', enteredBy: 'jane', url: 7 }] }, 'sources[0].url'],
  ])('refuses %j and names the field', (change, path) => {
    const check = checkPriceCard({ ...card, ...change });
    expect(check.card).toBeUndefined();
    const problems = 'problems' in check ? check.problems : [];
    expect(problems.map((problem) => problem.split(':')[0])).toContain(path);
  });

  it('never throws, whatever it is given', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect('problems' in checkPriceCard(value)).toBe(true);
      }),
    );
  });
});
