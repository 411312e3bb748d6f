import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { PriceCard } from '../../domain/price-card.js';
import { Rejection } from '../../domain/rejection.js';
import { type CardFilter, filterCards } from '../../pricing/list-cards.js';
import { TenantPrices, builtInPrices } from '../tenant-prices.js';

export interface PriceCardPage {
  /** The tenant's own first, as they are searched; each with its source. */
  readonly cards: readonly PriceCard[];
  readonly total: number;
  readonly cursor?: string;
}

export interface PriceCardPageRequest {
  readonly limit: number;
  readonly cursor?: string;
}

export class ListPriceCards extends Query<PriceCardPage> {
  constructor(
    readonly tenantId: string,
    readonly filter: CardFilter,
    readonly page: PriceCardPageRequest,
  ) {
    super();
  }
}

@QueryHandler(ListPriceCards)
export class ListPriceCardsHandler implements IQueryHandler<ListPriceCards, PriceCardPage> {
  constructor(private readonly prices: TenantPrices) {}

  async execute({ tenantId, filter, page }: ListPriceCards): Promise<PriceCardPage> {
    const { cards, providers } = builtInPrices();
    const all = [...(await this.prices.overridesOf(tenantId)), ...cards];
    const found = filterCards(all, filter, providers);
    const first = firstAfter(found, page.cursor);
    const shown = found.slice(first, first + page.limit);
    const last = shown.at(-1);
    const hasMore = first + shown.length < found.length && last !== undefined;
    return {
      cards: shown,
      total: found.length,
      ...(hasMore ? { cursor: nameOf(last) } : {}),
    };
  }
}

function firstAfter(cards: readonly PriceCard[], cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const index = cards.findIndex((card) => nameOf(card) === cursor);
  if (index >= 0) return index + 1;
  throw new Rejection('invalid_request', 'after must be the cursor of a page of the same list');
}

function nameOf({ status, cardId, version }: PriceCard): string {
  return `${status}/${cardId}@${version}`;
}
