import { readFileSync } from 'node:fs';
import { buildPriceCards, type PriceCards } from './card-index.js';
import type { PriceCard, PriceSource, ProviderNames } from '../domain/price-card.js';

type StoredCard = Omit<PriceCard, 'currency' | 'status' | 'sources'> & {
  readonly sources: readonly string[];
};

interface CardFile {
  readonly sources: Readonly<Record<string, PriceSource>>;
  readonly providers: readonly ProviderNames[];
  readonly cards: readonly StoredCard[];
}

/** The cards of the file that come with the release, in full. */
export function readCatalogue(): {
  readonly cards: readonly PriceCard[];
  readonly providers: readonly ProviderNames[];
} {
  const file = new URL('./price-cards.json', import.meta.url);
  const { sources, providers, cards } = JSON.parse(readFileSync(file, 'utf8')) as CardFile;
  const sourceOf = (name: string): PriceSource => {
    const source = sources[name];
    if (!source) throw new Error(`price-cards.json: a card names the source "${name}", not listed`);
    return source;
  };
  return {
    providers,
    cards: cards.map((card) => ({
      ...card,
      currency: 'USD',
      status: 'catalogue',
      sources: card.sources.map(sourceOf),
    })),
  };
}

/** Reads the built-in cards and indexes them: once per process. */
export function loadPriceCards(): PriceCards {
  const { cards, providers } = readCatalogue();
  return buildPriceCards(cards, providers);
}
