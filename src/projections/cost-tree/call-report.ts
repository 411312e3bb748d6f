import type { EventOf } from '../../domain/events.js';
import type { ModelCallPurpose } from '../../domain/events/model-events.js';
import type { Cost, CostSource } from '../../domain/money.js';
import {
  type Usage,
  betterUsage,
  countNames,
  sumBuckets,
  totalTokens,
  unknownUsage,
} from '../../domain/usage.js';

/** What one report says of a provider request, as far as a figure needs it. */
export interface CallReport {
  readonly usage: CountedUsage;
  readonly cost?: Pick<Cost, 'amountPico' | 'currency' | 'source'>;
  readonly purpose: ModelCallPurpose;
  readonly provider?: string;
  /** The model that answered, else the one that was asked for. */
  readonly model?: string;
}

/** Buckets and counts without zeros, in the order of their names' lists. */
export type CountedUsage = Pick<
  Usage,
  'state' | 'buckets' | 'counts' | 'splits' | 'flags' | 'source'
>;

/**
 * undefined: the provider cannot have billed it. A request that never left, or was refused before
 * any output, counts in no figure (usage specification, §2); one that may have been billed and has
 * no usage counts as unknown, never as 0.
 */
export function reportOf(data: EventOf<'ModelCallSettled'>['data']): CallReport | undefined {
  const usage = data.usage ?? (mayBeBilled(data) ? unknownUsage('local') : undefined);
  if (usage === undefined) return undefined;
  const { cost, purpose, provider } = data;
  return {
    usage: countedUsage(usage),
    cost: cost && { amountPico: cost.amountPico, currency: cost.currency, source: cost.source },
    purpose,
    provider,
    model: data.responseModel ?? data.requestedModel,
  };
}

function mayBeBilled(data: EventOf<'ModelCallSettled'>['data']): boolean {
  if (data.outcome === 'notSent' || data.outcome === 'providerError') return false;
  return data.outcome === 'completed' || data.providerReached !== 'no';
}

function countedUsage({ state, buckets, counts, splits, flags, source }: Usage): CountedUsage {
  const used = countNames.filter((name) => (counts[name] ?? 0) !== 0);
  return {
    state,
    buckets: sumBuckets([buckets]),
    counts: Object.fromEntries(used.map((name) => [name, counts[name]])),
    splits: { cacheLife: splits.cacheLife, reasoning: splits.reasoning },
    flags,
    source,
  };
}

/**
 * Which of two reports of one request counts, whatever their order: the better usage (usage
 * specification, §3.3); of equal usage the priced one, and of two prices the one that is nearer to
 * the bill.
 */
export function betterReport(one: CallReport, other: CallReport): CallReport {
  if (JSON.stringify(one.usage) !== JSON.stringify(other.usage)) {
    return betterUsage(one.usage, other.usage) === one.usage ? one : other;
  }
  return compareTold(one, other) >= 0 ? one : other;
}

const nearnessToBill: Record<CostSource, number> = { provider: 3, local: 2, reported: 1 };

function compareTold(one: CallReport, other: CallReport): number {
  const byNearness = nearness(one) - nearness(other);
  if (byNearness !== 0) return byNearness;
  const difference = BigInt(one.cost?.amountPico ?? 0) - BigInt(other.cost?.amountPico ?? 0);
  if (difference !== 0n) return difference > 0n ? 1 : -1;
  return toldKey(one) < toldKey(other) ? -1 : 1;
}

function nearness({ cost }: CallReport): number {
  if (cost === undefined || cost.amountPico === null) return 0;
  return nearnessToBill[cost.source];
}

function toldKey({ cost, purpose, provider, model }: CallReport): string {
  return JSON.stringify([cost?.currency, cost?.source, purpose, provider, model]);
}

/** A figure's parts by name; all are whole numbers, and parts that are 0 are absent. */
export type Tally = Map<string, bigint>;

/** What one request adds to every figure that contains it. */
export function tallyOf({ usage, cost }: CallReport): ReadonlyMap<string, bigint> {
  const tally: Tally = new Map([['calls', 1n]]);
  for (const [bucket, tokens] of Object.entries(usage.buckets)) {
    if (tokens) tally.set(`token:${bucket}`, BigInt(tokens));
  }
  for (const [name, count] of Object.entries(usage.counts)) {
    if (count) tally.set(`count:${name}`, BigInt(count));
  }
  if (usage.state === 'partial') tally.set('partialCalls', 1n);
  if (usage.state === 'estimated') tally.set('estimatedCalls', 1n);
  if (usage.state === 'unknown') tally.set('unknownUsageCalls', 1n);
  addPrice(tally, usage, cost);
  return tally;
}

function addPrice(tally: Tally, usage: CountedUsage, cost: CallReport['cost']): void {
  if (cost !== undefined && cost.amountPico !== null) {
    const place = `${cost.currency}:${cost.source}`;
    tally.set(`priced:${place}`, 1n);
    if (cost.amountPico !== '0') tally.set(`pico:${place}`, BigInt(cost.amountPico));
  } else if (usage.state !== 'unknown') {
    tally.set('unpricedCalls', 1n);
    const tokens = totalTokens(usage);
    if (tokens > 0) tally.set('unpricedTokens', BigInt(tokens));
  }
}
