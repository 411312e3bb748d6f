import { divideHalfEven, type Cost, type CostFlag, type UnpricedReason } from '../domain/money.js';
import {
  bucketNames,
  countNames,
  inputTokens,
  type BucketName,
  type Buckets,
  type CountName,
  type Usage,
} from '../domain/usage.js';
import { rateOfBucket } from './bucket-rates.js';
import type { PriceCards } from './card-index.js';
import { chooseRates, serviceTierOf, type ChosenRates } from './choose-rates.js';
import { findCard, type CardQuery } from './find-card.js';
import type { Fees, PriceCard, Rates } from '../domain/price-card.js';

export interface CallToPrice extends CardQuery {
  readonly usage: Usage;
  /** What the response says was served. */
  readonly servedTier?: string;
  readonly requestedTier?: string;
  /** `fast`, where the provider has it. */
  readonly speed?: string;
  /** A price inside the usage. One that the provider named counts before our cards. */
  readonly statedCost?: Cost;
}

const tokensPerRate = 1_000_000n;
/** Counts that are free where a card names no fee: a request is paid by its tokens. */
const freeCounts: ReadonlySet<string> = new Set<CountName>(['requests', 'webFetches']);

interface Fraction {
  readonly top: bigint;
  readonly bottom: bigint;
}

const one: Fraction = { top: 1n, bottom: 1n };

function fractionOf(factor: string | undefined): Fraction {
  if (factor === undefined) return one;
  const [whole = '0', decimals = ''] = factor.split('.');
  return { top: BigInt(whole + decimals), bottom: 10n ** BigInt(decimals.length) };
}

interface TokenPart {
  /** Tokens times rate: millionths of a pico. */
  readonly product: bigint;
  readonly rates: Rates;
  readonly missing: readonly BucketName[];
  readonly flags: readonly CostFlag[];
}

function priceTokens(buckets: Buckets, rates: Rates): TokenPart {
  let product = 0n;
  const used: Partial<Record<BucketName, string>> = {};
  const missing: BucketName[] = [];
  const flags: CostFlag[] = [];
  for (const bucket of bucketNames) {
    const tokens = buckets[bucket] ?? 0;
    if (tokens === 0) continue;
    const priced = rateOfBucket(rates, bucket);
    if (!priced) {
      missing.push(bucket);
      continue;
    }
    product += BigInt(tokens) * BigInt(priced.rate);
    used[bucket] = priced.rate;
    if (priced.flag && !flags.includes(priced.flag)) flags.push(priced.flag);
  }
  return { product, rates: used, missing, flags };
}

interface CountPart {
  readonly pico: bigint;
  readonly fees: Fees;
  readonly missing: readonly CountName[];
}

const noFees: Fees = {};

function priceCounts(usage: Usage, fees: Fees = noFees): CountPart {
  let pico = 0n;
  const used: Partial<Record<CountName, string>> = {};
  const missing: CountName[] = [];
  for (const name of countNames) {
    const count = usage.counts[name] ?? (name === 'requests' ? 1 : 0);
    const fee = fees[name];
    if (count === 0) continue;
    if (fee !== undefined) {
      pico += BigInt(count) * BigInt(fee);
      used[name] = fee;
    } else if (!freeCounts.has(name)) missing.push(name);
  }
  return { pico, fees: used, missing };
}

/** Filled field by field: spreading optional parts into it costs more than the pricing. */
type Draft = { -readonly [Field in keyof Cost]: Cost[Field] };

function unpriced(reason: UnpricedReason): Draft {
  return { amountPico: null, currency: 'USD', source: 'local', reason };
}

function hasEntries(record: object): boolean {
  for (const _name in record) return true;
  return false;
}

function describe(cost: Draft, chosen: ChosenRates, flags: readonly CostFlag[]): void {
  if (chosen.contextTier !== undefined) cost.contextTier = chosen.contextTier;
  if (chosen.tierFactor !== undefined) cost.tierFactor = chosen.tierFactor;
  if (chosen.window !== undefined) cost.window = chosen.window;
  if (chosen.uplift !== undefined) cost.uplift = chosen.uplift;
  if (flags.length > 0) cost.flags = flags;
}

function costOf(card: PriceCard, usage: Usage, chosen: ChosenRates): Draft {
  const tokens = priceTokens(usage.billed ?? usage.buckets, chosen.rates);
  const counts = priceCounts(usage, card.fees);
  const tier = fractionOf(chosen.tierFactor);
  const uplift = fractionOf(chosen.uplift);
  const amount =
    divideHalfEven(
      tokens.product * tier.top * uplift.top,
      tokensPerRate * tier.bottom * uplift.bottom,
    ) + counts.pico;
  const cost: Draft = {
    amountPico: amount.toString(),
    currency: card.currency,
    source: 'local',
    rates: tokens.rates,
  };
  if (hasEntries(counts.fees)) cost.fees = counts.fees;
  describe(cost, chosen, tokens.flags);
  const missing = [...tokens.missing, ...counts.missing];
  if (missing.length > 0) {
    cost.pricedPartPico = amount.toString();
    cost.amountPico = null;
    cost.reason = tokens.missing.length > 0 ? 'rate_missing' : 'fee_missing';
    cost.missing = missing;
  }
  return cost;
}

function priceByCard(call: CallToPrice, cards: PriceCards): Cost {
  const { usage } = call;
  const search = findCard(call, cards);
  if (!search.card) return unpriced(search.reason);
  const { card, match } = search;
  const instant = call.startedAt === undefined ? Number.NaN : Date.parse(call.startedAt);
  const tier = serviceTierOf(call);
  const choice = chooseRates(card, {
    inputTokens: inputTokens({ buckets: usage.billed ?? usage.buckets }),
    instant: Number.isNaN(instant) ? undefined : instant,
    tier,
    region: call.region,
  });
  const cost = choice.chosen ? costOf(card, usage, choice.chosen) : unpriced(choice.reason);
  cost.currency = card.currency;
  cost.cardId = card.cardId;
  cost.cardVersion = card.version;
  cost.match = match;
  if (tier !== 'standard') cost.tier = tier;
  return cost;
}

/**
 * What a call cost, exactly: Σ tokens × rate × uplift, rounded once half to even, plus fees. Not
 * known is `amountPico: null` with a reason, never 0. Never throws: a failure to price must not
 * keep usage from being recorded (pydantic/genai-prices#334).
 */
export function priceCall(call: CallToPrice, cards: PriceCards): Cost {
  try {
    if (call.statedCost?.source === 'provider') return call.statedCost;
    if (call.usage.state === 'unknown') return unpriced('usage_unknown');
    return priceByCard(call, cards);
  } catch {
    return unpriced('pricing_failed');
  }
}
