import { describe, expect, it } from '@jest/globals';
import { filterCards } from './list-cards.js';
import { readCatalogue } from './load-price-cards.js';

const { cards, providers } = readCatalogue();
const idsFor = (filter: Parameters<typeof filterCards>[1]) =>
  filterCards(cards, filter, providers).map(({ cardId }) => cardId);

describe('filterCards', () => {
  it('finds a provider by any of its names, and by no part of one', () => {
    const google = idsFor({ provider: 'google' });
    expect(google).not.toHaveLength(0);
    expect(google).toEqual(idsFor({ provider: 'gcp.gen_ai' }));
    expect(idsFor({ provider: 'anthro' })).toEqual([]);
  });

  it('finds a model by id, alias and dated snapshot, and by no part of one', () => {
    for (const model of ['claude-sonnet-4-5', 'Claude-Sonnet-4.5', 'claude-sonnet-4-5-20990101']) {
      expect(idsFor({ provider: 'anthropic', model })).toEqual(['anthropic/claude-sonnet-4-5']);
    }
    expect(idsFor({ model: 'claude-sonnet' })).toEqual([]);
  });
});
