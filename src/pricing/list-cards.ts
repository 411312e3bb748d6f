import type { PriceCard, ProviderNames } from '../domain/price-card.js';
import { findProvider, indexProviders } from './card-index.js';
import { withoutDate } from './model-id.js';

export interface CardFilter {
  /** By any of its names: `google` also finds `gcp.gen_ai`. */
  readonly provider?: string;
  /** An id, an alias, or a dated snapshot of one: what the card would price. */
  readonly model?: string;
}

/** The cards that a filter names, in the order given. */
export function filterCards(
  cards: readonly PriceCard[],
  filter: CardFilter,
  providers: readonly ProviderNames[],
): readonly PriceCard[] {
  const index = indexProviders(providers);
  const idOf = (name: string) => findProvider(index, name)?.id ?? name.toLowerCase();
  const provider = filter.provider === undefined ? undefined : idOf(filter.provider);
  const model = filter.model?.trim().toLowerCase();
  return cards.filter(
    (card) =>
      (provider === undefined || idOf(card.provider) === provider) &&
      (model === undefined || isForModel(card, model)),
  );
}

function isForModel({ models }: PriceCard, model: string): boolean {
  const names = [models.id, ...(models.aliases ?? [])].map((name) => name.toLowerCase());
  if (names.includes(model)) return true;
  const base = withoutDate(model);
  return (models.snapshotsOf ?? []).some((name) => name.toLowerCase() === base);
}
