import type { PriceCard } from '../domain/price-card.js';

function startOf(card: PriceCard): number {
  return card.effectiveFrom === undefined ? -Infinity : Date.parse(card.effectiveFrom);
}

function endOf(card: PriceCard): number {
  return card.effectiveUntil === undefined ? Infinity : Date.parse(card.effectiveUntil);
}

function replaces(later: PriceCard, earlier: PriceCard): boolean {
  return (
    later.cardId === earlier.cardId &&
    later.version > earlier.version &&
    startOf(later) <= startOf(earlier) &&
    endOf(later) >= endOf(earlier)
  );
}

/**
 * The versions that can still price a call. One that a later version replaces for its whole time
 * is left out, so that a model name which the later one dropped is not found any more.
 */
export function withoutReplaced(cards: readonly PriceCard[]): readonly PriceCard[] {
  const versions = new Map<string, PriceCard[]>();
  for (const card of cards) {
    const own = versions.get(card.cardId);
    if (own) own.push(card);
    else versions.set(card.cardId, [card]);
  }
  return cards.filter((card) => !versions.get(card.cardId)?.some((other) => replaces(other, card)));
}
