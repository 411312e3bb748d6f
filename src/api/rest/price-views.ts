import { ApiProperty } from '@nestjs/swagger';
import type { PriceCard } from '../../domain/price-card.js';

export class PriceSourceView {
  @ApiProperty({ description: 'Where the price is from.' })
  name: string;

  @ApiProperty({ required: false })
  url?: string;

  @ApiProperty({ required: false })
  commit?: string;

  @ApiProperty({ required: false, description: 'When it was read there.' })
  readOn?: string;

  @ApiProperty({ required: false })
  licence?: string;

  @ApiProperty({ description: 'Who entered it.' })
  enteredBy: string;
}

export class PriceCardView {
  @ApiProperty()
  cardId: string;

  @ApiProperty()
  version: number;

  @ApiProperty({ required: false, description: 'The version that this one replaces.' })
  supersedes?: number;

  @ApiProperty()
  provider: string;

  @ApiProperty({ required: false, description: 'Prices only calls from this region.' })
  region?: string;

  @ApiProperty({
    type: Object,
    description: '{id, aliases?, snapshotsOf?}: which models it prices.',
  })
  models: object;

  @ApiProperty({
    type: Object,
    description: 'Pico-units of the currency per million tokens, by bucket, as decimal text.',
  })
  rates: object;

  @ApiProperty({ type: Object, required: false, description: 'Pico-units each, by count.' })
  fees?: object;

  @ApiProperty({
    type: [Object],
    required: false,
    description: '{above, inclusive, rates}: other rates for requests with a larger input.',
  })
  contextTiers?: readonly object[];

  @ApiProperty({
    type: Object,
    required: false,
    description: 'By tier: rates of its own, or a factor on all rates.',
  })
  serviceTiers?: object;

  @ApiProperty({
    type: [Object],
    required: false,
    description: '{regions?, exceptRegions?, factor}: factors on all rates in some regions.',
  })
  uplift?: readonly object[];

  @ApiProperty({
    type: [Object],
    required: false,
    description: '{from, until, zone, weekdays?, rates}: rates at certain times of day.',
  })
  windows?: readonly object[];

  @ApiProperty({ required: false, format: 'date-time' })
  effectiveFrom?: string;

  @ApiProperty({ required: false, format: 'date-time' })
  effectiveUntil?: string;

  @ApiProperty()
  currency: string;

  @ApiProperty({ enum: ['catalogue', 'override'], description: 'Built in, or your own.' })
  status: PriceCard['status'];

  @ApiProperty({ type: [PriceSourceView] })
  sources: readonly PriceSourceView[];
}

export class PriceCardListView {
  @ApiProperty({
    type: [PriceCardView],
    description: 'Your own first: they are searched before the built-in ones.',
  })
  cards: readonly PriceCardView[];

  @ApiProperty({ description: 'How many cards the filter names.' })
  total: number;

  @ApiProperty({ description: 'Give it as `after` for the next page.', required: false })
  cursor?: string;
}

export class AddedCardView {
  @ApiProperty()
  cardId: string;

  @ApiProperty()
  version: number;

  @ApiProperty({ description: 'False: it was there already, with the same content.' })
  added: boolean;
}

export class AddedCardsView {
  @ApiProperty({ type: [AddedCardView] })
  cards: readonly AddedCardView[];
}

export class QuotedCallView {
  @ApiProperty({ required: false })
  callId?: string;

  @ApiProperty({ required: false, description: 'Of a call that is billed on top of the response.' })
  purpose?: string;

  @ApiProperty({ required: false })
  model?: string;

  @ApiProperty({
    type: Object,
    description:
      '{state, buckets, counts, flags, inputTokens, outputTokens, totalTokens}; a token is in ' +
      'exactly one bucket.',
  })
  usage: object;

  @ApiProperty({
    type: Object,
    description:
      'As it is recorded: {amountPico, amount, currency, source, cardId, cardVersion, match, ' +
      'rates, …}. Not known is amountPico null with a reason, which is not 0.',
  })
  cost: object;

  @ApiProperty({ type: PriceCardView, required: false, description: 'The card that priced it.' })
  card?: PriceCardView;
}

export class QuoteTotalView {
  @ApiProperty({
    type: [Object],
    description: '{currency, amountPico, amount}; currencies are never added to each other.',
  })
  amounts: readonly object[];

  @ApiProperty()
  calls: number;

  @ApiProperty({ description: 'Calls with usage and without a price: in no amount.' })
  unpricedCalls: number;

  @ApiProperty({ description: 'Their tokens.' })
  unpricedTokens: string;

  @ApiProperty()
  unknownUsageCalls: number;

  @ApiProperty({ description: 'Every call has a final usage and a price.' })
  complete: boolean;
}

export class PriceQuoteView {
  @ApiProperty({ format: 'date-time', description: 'The instant that the prices hold for.' })
  at: string;

  @ApiProperty({ required: false, description: 'The shape that was recognised.' })
  shape?: string;

  @ApiProperty({ required: false })
  responseId?: string;

  @ApiProperty({ required: false })
  model?: string;

  @ApiProperty({
    type: [QuotedCallView],
    description: 'The response itself, then what is billed on top of it.',
  })
  calls: readonly QuotedCallView[];

  @ApiProperty({ type: QuoteTotalView })
  total: QuoteTotalView;
}
