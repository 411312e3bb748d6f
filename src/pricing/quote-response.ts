import type { Cost } from '../domain/money.js';
import type { PriceCard } from '../domain/price-card.js';
import type { UsageSource, UsageState } from '../domain/usage.js';
import { type ExtractedCall, extractUsage } from '../usage/extract-usage.js';
import type { PriceCards } from './card-index.js';
import { findCard } from './find-card.js';
import { type CallToPrice, priceCall } from './price-call.js';

export interface ResponseToQuote {
  /** A provider's response body as it is, or `{usage}`. Undefined: there was none. */
  readonly body: unknown;
  readonly provider?: string;
  /** Shape of the body, when it cannot be seen: `messages`, `chat`, … */
  readonly api?: string;
  readonly requestedModel?: string;
  /** The model that answered; counts before the one that the body names. */
  readonly responseModel?: string;
  readonly responseId?: string;
  /** Counts when the body does not say what was served. */
  readonly requestedTier?: string;
  /** UTC instant. */
  readonly startedAt?: string;
  /** Of what the body reports. Default `final`. */
  readonly state?: Exclude<UsageState, 'unknown'>;
  /** How an `estimated` usage was made. */
  readonly method?: string;
  /** Default `provider`. */
  readonly source?: UsageSource;
}

export interface QuotedCall extends Omit<ExtractedCall, 'statedCost'> {
  readonly cost: Cost;
  /** The card that priced it, in full. */
  readonly card?: PriceCard;
}

export interface ResponseQuote {
  /** The shape that was read; undefined when there is no usage that is known here. */
  readonly shape?: string;
  readonly responseId?: string;
  readonly model?: string;
  /** The response itself, then what is billed on top of it. Never empty. */
  readonly calls: readonly [QuotedCall, ...QuotedCall[]];
}

/**
 * Usage and cost of one response: what is recorded when a model call is settled, and what a quote
 * answers. Never throws on a JSON value: what is not known is `unknown` or null.
 * @param cards the cards in effect; undefined when they could not be read, then nothing is priced.
 */
export function quoteResponse(
  response: ResponseToQuote,
  cards: PriceCards | undefined,
): ResponseQuote {
  const extracted = extractUsage(response.body, {
    provider: response.provider,
    api: response.api,
    model: response.responseModel,
    responseId: response.responseId,
    state: response.state,
    method: response.method,
    source: response.source,
  });
  const [main, ...onTop] = extracted.calls;
  const model = response.responseModel ?? extracted.model;
  return {
    ...(extracted.shape === undefined ? {} : { shape: extracted.shape }),
    ...(extracted.responseId === undefined ? {} : { responseId: extracted.responseId }),
    ...(model === undefined ? {} : { model }),
    calls: [
      quoted(model === undefined ? main : { ...main, model }, response, cards),
      ...onTop.map((call) => quoted(call, response, cards)),
    ],
  };
}

function quoted(
  { statedCost, ...call }: ExtractedCall,
  response: ResponseToQuote,
  cards: PriceCards | undefined,
): QuotedCall {
  const toPrice: CallToPrice = {
    usage: call.usage,
    provider: response.provider,
    requestedModel: response.requestedModel,
    responseModel: call.model,
    startedAt: response.startedAt,
    servedTier: call.servedTier,
    requestedTier: response.requestedTier,
    speed: call.speed,
    region: call.region,
    statedCost,
  };
  if (cards === undefined) return { ...call, cost: unpricedBy(statedCost) };
  const cost = priceCall(toPrice, cards);
  const card = cost.cardId === undefined ? undefined : findCard(toPrice, cards).card;
  return card === undefined ? { ...call, cost } : { ...call, cost, card };
}

function unpricedBy(statedCost: Cost | undefined): Cost {
  if (statedCost?.source === 'provider') return statedCost;
  return { amountPico: null, currency: 'USD', source: 'local', reason: 'pricing_failed' };
}
