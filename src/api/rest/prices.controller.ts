import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AddPriceCardsBody } from '../../commands/add-price-cards/add-price-cards.dto.js';
import { AddPriceCards } from '../../commands/add-price-cards/add-price-cards.handler.js';
import { ListPriceCards } from '../../commands/list-price-cards/list-price-cards.query.js';
import { QuotePricesBody } from '../../commands/quote-prices/quote-prices.dto.js';
import { QuotePrices } from '../../commands/quote-prices/quote-prices.query.js';
import { RepriceCallsBody } from '../../commands/reprice-calls/reprice-calls.dto.js';
import { RepriceCalls } from '../../commands/reprice-calls/reprice-calls.handler.js';
import type { Principal } from '../principal.js';
import { Sender } from '../request-scope.js';
import { Needs } from '../needs.js';
import { Problems } from './answers.js';
import { AddedCardsView, PriceCardListView, PriceQuoteView } from './price-views.js';
import { RepricingView, repricingView } from './repricing-views.js';
import { PriceCardsQuery } from './query-fields.js';

@ApiTags('prices')
@Controller('v1/prices')
export class PricesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Needs('session:read')
  @Post('quote')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Usage and cost of a provider response: what would be recorded, without recording it',
  })
  @ApiOkResponse({ type: PriceQuoteView })
  @Problems('too_large', 'store_unavailable')
  quote(@Sender() sender: Principal, @Body() body: QuotePricesBody): Promise<PriceQuoteView> {
    return this.queries.execute(new QuotePrices(sender.tenantId, body));
  }

  @Needs('session:read')
  @Get('cards')
  @ApiOperation({ summary: 'Price cards, your own and the built-in ones, with their sources' })
  @ApiOkResponse({ type: PriceCardListView })
  @Problems('store_unavailable')
  list(
    @Sender() sender: Principal,
    @Query() { provider, model, first, after }: PriceCardsQuery,
  ): Promise<PriceCardListView> {
    const page = { limit: first, cursor: after };
    return this.queries.execute(new ListPriceCards(sender.tenantId, { provider, model }, page));
  }

  @Needs('manifest:write')
  @Post('cards')
  @HttpCode(200)
  @ApiOperation({ summary: 'Add price cards of your own; no past cost changes' })
  @ApiOkResponse({ type: AddedCardsView })
  @Problems(
    'id_in_use',
    'limit_exceeded',
    'version_conflict',
    'too_large',
    'append_unknown',
    'store_unavailable',
  )
  async add(@Sender() sender: Principal, @Body() body: AddPriceCardsBody): Promise<AddedCardsView> {
    const { cards } = await this.commands.execute(new AddPriceCards(sender, body.cards));
    return { cards: cards.map(({ cardId, version, added }) => ({ cardId, version, added })) };
  }

  @Needs('manifest:write')
  @Post('reprice')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Price recorded calls again by the cards of now; what they were recorded with stays',
  })
  @ApiOkResponse({ type: RepricingView })
  @Problems('version_conflict', 'too_large', 'append_unknown', 'store_unavailable')
  async reprice(
    @Sender() { tenantId, actor }: Principal,
    @Body() body: RepriceCallsBody,
  ): Promise<RepricingView> {
    return repricingView(await this.commands.execute(new RepriceCalls({ tenantId, actor }, body)));
  }
}
