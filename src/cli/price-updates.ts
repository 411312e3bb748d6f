import {
  type AddedPriceCards,
  AddPriceCards,
} from '../commands/add-price-cards/add-price-cards.handler.js';
import { CARDS_AT_ONCE_MAX } from '../commands/add-price-cards/add-price-cards.dto.js';
import { TenantPrices } from '../commands/tenant-prices.js';
import type { PriceCard } from '../domain/price-card.js';
import { type CardChange, planUpdate } from '../pricing/plan-update.js';
import type { LocalApplication } from './local-application.js';

/** Adds cards in order, so many in one append as there can be. */
export async function addInBatches(
  { commands, scope }: LocalApplication,
  cards: readonly PriceCard[],
): Promise<AddedPriceCards['cards']> {
  const { tenantId, actor } = scope('');
  const added: AddedPriceCards['cards'][number][] = [];
  for (let first = 0; first < cards.length; first += CARDS_AT_ONCE_MAX) {
    const batch = cards.slice(first, first + CARDS_AT_ONCE_MAX);
    const answer = await commands.execute(new AddPriceCards({ tenantId, actor }, batch));
    added.push(...answer.cards);
  }
  return added;
}

/** @param dryRun only says what would change. */
export async function updateCards(
  application: LocalApplication,
  listed: readonly PriceCard[],
  dryRun: boolean,
): Promise<readonly CardChange[]> {
  const { tenantId } = application.scope('');
  const recorded = await application.context.get(TenantPrices).overridesOf(tenantId);
  const { cards, changes } = planUpdate(listed, recorded);
  if (!dryRun) await addInBatches(application, cards);
  return changes;
}

/** A file for `update` needs no versions: they are counted from what is recorded. */
export function withFirstVersion(card: unknown): unknown {
  if (typeof card !== 'object' || card === null || Array.isArray(card)) return card;
  const { supersedes: _supersedes, ...content } = card as Readonly<Record<string, unknown>>;
  return { ...content, version: 1 };
}
