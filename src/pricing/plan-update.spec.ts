import { describe, expect, it } from '@jest/globals';
import { cardOf } from '../../test/pricing/priced-calls.js';
import { decideTenant, initialTenantState } from '../domain/tenant/tenant.js';
import { planUpdate } from './plan-update.js';

const first = cardOf({ cardId: 'own/a' });
const second = cardOf({ cardId: 'own/a', version: 2, supersedes: 1, region: 'eu' });
const other = cardOf({ cardId: 'own/b' });

describe('planUpdate', () => {
  it('makes a new version of what differs and says which fields', () => {
    const cheaper = cardOf({
      cardId: 'own/a',
      rates: { inputFresh: '2000000000000', outputText: '15000000000000' },
    });
    const added = cardOf({ cardId: 'own/c' });
    const plan = planUpdate([cheaper, other, added], [first, second, other]);
    expect(plan.changes).toEqual([
      {
        cardId: 'own/a',
        change: 'changed',
        version: 3,
        fields: ['rates.inputFresh: 3000000000000 -> 2000000000000', 'region: eu -> none'],
      },
      { cardId: 'own/b', change: 'unchanged', version: 1, fields: [] },
      { cardId: 'own/c', change: 'new', version: 1, fields: [] },
    ]);
    expect(plan.cards).toEqual([{ ...cheaper, version: 3, supersedes: 2 }, added]);
  });

  it('plans what is accepted, and nothing when it is done again', () => {
    const listed = [{ ...first, rates: { inputFresh: '1' } }, other];
    const recorded = [first, second];
    const { cards } = planUpdate(listed, recorded);
    const state = { ...initialTenantState, revision: 1, cards: recorded };
    expect(decideTenant({ type: 'AddPriceCards', cards }, state)).toHaveLength(2);
    const again = planUpdate(listed, [...recorded, ...cards]);
    expect(again.cards).toEqual([]);
  });

  it('finds no change in another version, another source or another order of fields', () => {
    const { rates, ...rest } = first;
    const same = { rates, ...rest, version: 9, sources: [{ name: 'x', enteredBy: 'y' }] };
    expect(planUpdate([same], [first]).cards).toEqual([]);
  });
});
