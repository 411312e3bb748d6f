import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { CLOCK, type Clock } from '../../tokens.js';
import type { PriceCards } from '../../pricing/card-index.js';
import { quoteResponse } from '../../pricing/quote-response.js';
import { type QuoteView, quoteView } from '../../pricing/quote-view.js';
import { TenantPrices } from '../tenant-prices.js';
import type { QuotePricesBody } from './quote-prices.dto.js';

export interface QuoteAnswer extends QuoteView {
  /** The instant that the prices hold for. */
  readonly at: string;
}

export class QuotePrices extends Query<QuoteAnswer> {
  constructor(
    readonly tenantId: string,
    readonly body: QuotePricesBody,
  ) {
    super();
  }
}

/** What a response would be recorded with; writes nothing. */
@QueryHandler(QuotePrices)
export class QuotePricesHandler implements IQueryHandler<QuotePrices, QuoteAnswer> {
  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly prices: TenantPrices,
  ) {}

  async execute({ tenantId, body }: QuotePrices): Promise<QuoteAnswer> {
    const nowMs = this.clock();
    return quoteAt(body, nowMs, await this.prices.cardsForRecording(tenantId));
  }
}

export function quoteAt(
  body: QuotePricesBody,
  nowMs: number,
  cards: PriceCards | undefined,
): QuoteAnswer {
  const at = new Date(body.at ?? nowMs).toISOString();
  const quote = quoteResponse(
    {
      body: body.response,
      provider: body.provider,
      api: body.api,
      requestedModel: body.model,
      requestedTier: body.tier,
      startedAt: at,
    },
    cards,
  );
  return { at, ...quoteView(quote) };
}
