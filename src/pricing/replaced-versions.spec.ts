import { describe, expect, it } from '@jest/globals';
import { cardOf } from '../../test/pricing/priced-calls.js';
import { buildPriceCards } from './card-index.js';
import { findCard } from './find-card.js';
import { withoutReplaced } from './replaced-versions.js';

const first = cardOf({ models: { id: 'model', aliases: ['wrong'] } });
const corrected = cardOf({ version: 2, supersedes: 1 });
const fromJune = cardOf({ version: 3, supersedes: 2, effectiveFrom: '2026-06-01T00:00:00Z' });

function versionFor(model: string, startedAt: string): number | undefined {
  const cards = buildPriceCards(withoutReplaced([first, corrected, fromJune]), []);
  return findCard({ provider: 'test', responseModel: model, startedAt }, cards).card?.version;
}

describe('withoutReplaced', () => {
  it('drops a version that a later one replaces for its whole time', () => {
    expect(withoutReplaced([first, corrected, fromJune])).toEqual([corrected, fromJune]);
    expect(versionFor('wrong', '2026-05-01T00:00:00Z')).toBeUndefined();
  });

  it('keeps a version for the time before a later one', () => {
    expect(versionFor('model', '2026-05-31T23:59:59.999Z')).toBe(2);
    expect(versionFor('model', '2026-06-01T00:00:00Z')).toBe(3);
  });
});
