import type { PriceCard } from '../domain/price-card.js';
import { checkPriceCard } from './check-price-card.js';

export interface CardFault {
  /** `cards.<index>`, then the field. */
  readonly at: string;
  readonly message: string;
}

export interface CheckedOverrides {
  readonly cards: readonly PriceCard[];
  readonly faults: readonly CardFault[];
}

export interface OverrideCheck {
  /** Written as `enteredBy` of a source that names nobody. */
  readonly enteredBy: string;
  /** Ids of the cards that come with the release: an override has an id of its own. */
  readonly builtInIds: ReadonlySet<string>;
}

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What every override is need not be written: its status, and who enters it. */
function completed(card: Fields, enteredBy: string): Fields {
  const { sources } = card;
  return {
    ...card,
    ...(card['status'] === undefined ? { status: 'override' } : {}),
    ...(Array.isArray(sources)
      ? {
          sources: sources.map((source: unknown) =>
            isFields(source) && source['enteredBy'] === undefined
              ? { ...source, enteredBy }
              : source,
          ),
        }
      : {}),
  };
}

/**
 * Checks a tenant's cards before they are recorded, and says every problem of every card. Whether
 * a version fits to those before it is decided where they are known.
 */
export function checkOverrides(values: readonly unknown[], check: OverrideCheck): CheckedOverrides {
  const cards: PriceCard[] = [];
  const faults: CardFault[] = [];
  const seen = new Set<string>();
  values.forEach((value, index) => {
    const at = `cards.${index}`;
    const fault = (message: string) => faults.push({ at, message });
    const checked = checkPriceCard(isFields(value) ? completed(value, check.enteredBy) : value);
    if (!checked.card) {
      checked.problems.forEach(fault);
      return;
    }
    const { card } = checked;
    const name = `${card.cardId} version ${card.version}`;
    if (card.status !== 'override') fault('status: must be override');
    if (check.builtInIds.has(card.cardId)) {
      fault(`cardId: ${card.cardId} is a built-in card; give yours an id of its own`);
    }
    if (seen.has(name)) fault(`cardId: ${name} stands here twice`);
    seen.add(name);
    cards.push(card);
  });
  return { cards, faults };
}

/** Cards as they stand in a file or a request: one card, a list, or `{cards: […]}`. */
export function listedCards(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (isFields(value) && Array.isArray(value['cards'])) return value['cards'];
  return [value];
}
