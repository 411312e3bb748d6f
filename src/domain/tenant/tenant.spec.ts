import { describe, expect, it } from '@jest/globals';
import type { PriceCard } from '../price-card.js';
import { Rejection } from '../rejection.js';
import {
  PRICE_CARDS_MAX,
  type TenantState,
  decideTenant,
  evolveTenant,
  initialTenantState,
} from './tenant.js';

function cardOf(changes: Partial<PriceCard> = {}): PriceCard {
  return {
    cardId: 'own/model',
    version: 1,
    provider: 'acme',
    models: { id: 'model' },
    rates: { inputFresh: '1000000', outputText: '2000000' },
    currency: 'USD',
    status: 'override',
    sources: [{ name: 'contract', enteredBy: 'jane' }],
    ...changes,
  };
}

const decided = (state: TenantState, ...cards: readonly PriceCard[]) =>
  decideTenant({ type: 'AddPriceCards', cards }, state);

const given = (...cards: readonly PriceCard[]) =>
  decided(initialTenantState, ...cards).reduce(evolveTenant, initialTenantState);

function refusal(act: () => unknown): Rejection {
  try {
    act();
  } catch (error) {
    if (error instanceof Rejection) return error;
  }
  throw new Error('it was not refused');
}

const second = cardOf({ version: 2, supersedes: 1, rates: { inputFresh: '900000' } });

describe('price cards of a tenant', () => {
  it('are added, all of a command in order', () => {
    expect(decided(initialTenantState, cardOf(), second)).toEqual([
      { type: 'PriceCardAdded', data: { card: cardOf() } },
      { type: 'PriceCardAdded', data: { card: second } },
    ]);
    expect(given(cardOf(), second)).toEqual({
      ...initialTenantState,
      revision: 1,
      cards: [cardOf(), second],
    });
  });

  it('are added once: the same card again changes nothing, whoever sends it', () => {
    const state = given(cardOf(), second);
    const { sources: _sources, ...rest } = cardOf();
    const byJohn = { sources: [{ enteredBy: 'john', name: 'contract' }], ...rest };
    expect(decided(state, cardOf(), second, byJohn)).toEqual([]);
  });

  it('never change: other content under the same version is refused', () => {
    const changed = cardOf({ rates: { inputFresh: '1' } });
    expect(refusal(() => decided(given(cardOf()), changed))).toMatchObject({
      code: 'id_in_use',
      facts: { cardId: 'own/model', version: 1, newestVersion: 1 },
      message: expect.stringContaining('version 2 with supersedes: 1'),
    });
  });

  it.each<[string, PriceCard]>([
    ['skips the version that it follows', cardOf({ version: 3, supersedes: 1, currency: 'EUR' })],
    ['does not say what it replaces', cardOf({ version: 3 })],
  ])('a new version is refused when it %s', (_, card) => {
    const rejection = refusal(() => decided(given(cardOf(), second), card));
    expect(rejection.code).toBe('invalid_request');
    expect(rejection.message).toContain('version 3 or higher with supersedes: 2');
  });

  it('a first version cannot replace one', () => {
    const rejection = refusal(() => decided(initialTenantState, second));
    expect(rejection.code).toBe('invalid_request');
  });

  it('are limited in number', () => {
    const cards = Array.from({ length: PRICE_CARDS_MAX }, (_, index) =>
      cardOf({ cardId: `own/${index}` }),
    );
    const full: TenantState = {
      ...initialTenantState,
      revision: PRICE_CARDS_MAX - 1,
      cards,
    };
    expect(decided(full, cardOf({ cardId: 'own/0' }))).toEqual([]);
    expect(refusal(() => decided(full, cardOf())).code).toBe('limit_exceeded');
  });
});
