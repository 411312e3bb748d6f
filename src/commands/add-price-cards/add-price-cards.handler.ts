import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { PriceCard } from '../../domain/price-card.js';
import { Rejection } from '../../domain/rejection.js';
import type { TenantEvent } from '../../domain/tenant/tenant.js';
import { type CheckedOverrides, checkOverrides } from '../../pricing/check-overrides.js';
import { TenantHandling, type TenantSender } from '../tenant-handling.js';
import { builtInPrices } from '../tenant-prices.js';

export interface AddedPriceCards {
  /** In the order in which they came; `added: false` for one that was there already. */
  readonly cards: readonly (PriceCard & { readonly added: boolean })[];
  /** Of the tenant's stream. */
  readonly revision: number;
}

export class AddPriceCards extends Command<AddedPriceCards> {
  constructor(
    readonly sender: TenantSender,
    readonly cards: readonly unknown[],
  ) {
    super();
  }
}

/** Checks every card and adds all or none. */
@CommandHandler(AddPriceCards)
export class AddPriceCardsHandler implements ICommandHandler<AddPriceCards, AddedPriceCards> {
  constructor(private readonly handling: TenantHandling) {}

  /** @throws Rejection with every fault; VersionConflictError; the store's errors. */
  async execute({ sender, cards: values }: AddPriceCards): Promise<AddedPriceCards> {
    const cards = cardsWithoutFault(values, sender);
    const { events, revision } = await this.handling.handle(sender, {
      type: 'AddPriceCards',
      cards,
    });
    return answer(cards, events, revision);
  }
}

/** The same check as before a card is written. */
export function checkedForTenant(values: readonly unknown[], actor: string): CheckedOverrides {
  return checkOverrides(values, { enteredBy: actor, builtInIds: builtInPrices().ids });
}

function cardsWithoutFault(values: readonly unknown[], { actor }: TenantSender) {
  const { cards, faults } = checkedForTenant(values, actor);
  const [first] = faults;
  if (first === undefined) return cards;
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : '';
  throw new Rejection('invalid_request', `${first.at}: ${first.message}${more}`, {
    errors: faults,
  });
}

function answer(
  cards: readonly PriceCard[],
  events: readonly TenantEvent[],
  revision: number,
): AddedPriceCards {
  const added = new Set(
    events.flatMap((event) => (event.type === 'PriceCardAdded' ? [event.data.card] : [])),
  );
  return { cards: cards.map((card) => ({ ...card, added: added.has(card) })), revision };
}
