import { describe, expect, it } from '@jest/globals';
import { checkOverrides, listedCards } from './check-overrides.js';

const card = {
  cardId: 'own/model',
  version: 1,
  provider: 'acme',
  models: { id: 'model' },
  rates: { inputFresh: '1000000', outputText: '2000000' },
  currency: 'USD',
  sources: [{ name: 'contract' }],
};
const check = { enteredBy: 'jane', builtInIds: new Set(['openai/gpt-5']) };

describe('checkOverrides', () => {
  it('fills in what every override is: its status and who enters it', () => {
    expect(checkOverrides([card], check)).toEqual({
      cards: [{ ...card, status: 'override', sources: [{ name: 'contract', enteredBy: 'jane' }] }],
      faults: [],
    });
    const signed = { ...card, sources: [{ name: 'contract', enteredBy: 'john' }] };
    expect(checkOverrides([signed], check).cards[0]!.sources[0]!.enteredBy).toBe('john');
  });

  it('says every problem of every card, and where', () => {
    const values = [
      { ...card, rates: { inputFresh: 3, tokens: '1' }, currency: 'dollars' },
      card,
      'no card',
      card,
      { ...card, cardId: 'openai/gpt-5' },
      { ...card, cardId: 'own/other', status: 'catalogue' },
    ];
    const { faults } = checkOverrides(values, check);
    expect(faults.map(({ at, message }) => `${at} ${message.split(':')[0]}`)).toEqual([
      'cards.0 rates.inputFresh',
      'cards.0 rates.tokens',
      'cards.0 currency',
      'cards.2 card',
      'cards.3 cardId',
      'cards.4 cardId',
      'cards.5 status',
    ]);
  });
});

describe('listedCards', () => {
  it('reads a card, a list, and what `prices list --json` prints', () => {
    expect(listedCards(card)).toEqual([card]);
    expect(listedCards([card, card])).toEqual([card, card]);
    expect(listedCards({ cards: [card], total: 1 })).toEqual([card]);
  });
});
