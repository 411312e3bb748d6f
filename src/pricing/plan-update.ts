import type { PriceCard } from '../domain/price-card.js';
import { sameContent } from '../domain/tenant/same-content.js';
import { newestVersion } from '../domain/tenant/tenant.js';

export interface CardChange {
  readonly cardId: string;
  readonly change: 'new' | 'changed' | 'unchanged';
  /** The version that holds after the update. */
  readonly version: number;
  /** One line for each field that differs: `rates.inputFresh: 3 -> 2`. */
  readonly fields: readonly string[];
}

export interface UpdatePlan {
  readonly cards: readonly PriceCard[];
  readonly changes: readonly CardChange[];
}

/**
 * What a file of cards changes: a new card as it is, a changed one as the next version, and of the
 * others nothing. Versions in the file do not count; another source alone is no change.
 */
export function planUpdate(
  listed: readonly PriceCard[],
  recorded: readonly PriceCard[],
): UpdatePlan {
  const cards: PriceCard[] = [];
  const changes = listed.map((card): CardChange => {
    const { cardId } = card;
    const newest = newestVersion([...recorded, ...cards], cardId);
    if (newest === undefined) {
      const first = versioned(card, 1);
      cards.push(first);
      return { cardId, change: 'new', version: 1, fields: [] };
    }
    const fields = differences(comparable(newest), comparable(card));
    if (fields.length === 0) {
      return { cardId, change: 'unchanged', version: newest.version, fields };
    }
    const next = versioned(card, newest.version + 1, newest.version);
    cards.push(next);
    return { cardId, change: 'changed', version: next.version, fields };
  });
  return { cards, changes };
}

function versioned(card: PriceCard, version: number, supersedes?: number): PriceCard {
  const { cardId, version: _version, supersedes: _supersedes, ...content } = card;
  return { cardId, version, ...(supersedes === undefined ? {} : { supersedes }), ...content };
}

function comparable(card: PriceCard): object {
  const { version: _version, supersedes: _supersedes, sources: _sources, ...content } = card;
  return content;
}

function differences(before: unknown, after: unknown, path = ''): readonly string[] {
  if (sameContent(before, after)) return [];
  if (!isFields(before) || !isFields(after))
    return [`${path}: ${shown(before)} -> ${shown(after)}`];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name) =>
    differences(before[name], after[name], path === '' ? name : `${path}.${name}`),
  );
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function shown(value: unknown): string {
  if (value === undefined) return 'none';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
