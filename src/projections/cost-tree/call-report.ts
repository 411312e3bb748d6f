import type { EventOf } from '../../domain/events.js';
import type { ModelCallPurpose } from '../../domain/events/model-events.js';
import type { Cost, CostSource } from '../../domain/money.js';
import {
  type BucketName,
  type CountName,
  type Usage,
  betterUsage,
  bucketNames,
  countNames,
  sumBuckets,
  totalTokens,
  unknownUsage,
} from '../../domain/usage.js';
import type { Credit } from './attribution.js';

/** What one report says of a provider request, as far as a figure needs it. */
export interface CallReport {
  readonly usage: CountedUsage;
  readonly cost?: CountedCost;
  /** It was re-priced since; this is what it was recorded with. */
  readonly repriced?: { readonly recorded: CountedCost | undefined };
  readonly purpose: ModelCallPurpose;
  readonly provider?: string;
  /** The model that answered, else the one that was asked for. */
  readonly model?: string;
  /** What the reporting session counts it under. */
  readonly credit: Credit;
}

export type CountedCost = Pick<Cost, 'amountPico' | 'currency' | 'source'>;

/** Buckets and counts without zeros, in the order of their names' lists. */
export type CountedUsage = Pick<
  Usage,
  'state' | 'buckets' | 'counts' | 'splits' | 'flags' | 'source'
>;

type Settled = EventOf<'ModelCallSettled' | 'ModelUsageReported'>['data'];

/**
 * undefined: the provider cannot have billed it. A request that never left, or was refused before
 * any output, counts in no figure (usage specification, §2); one that may have been billed and has
 * no usage counts as unknown, never as 0.
 */
export function reportOf(data: Settled, credit: Credit): CallReport | undefined {
  const usage = data.usage ?? (mayBeBilled(data) ? unknownUsage('local') : undefined);
  if (usage === undefined) return undefined;
  const { cost, purpose, provider } = data;
  return {
    usage: countedUsage(usage),
    cost: cost && countedCost(cost),
    purpose,
    provider,
    model: data.responseModel ?? data.requestedModel,
    credit,
  };
}

export function countedCost({ amountPico, currency, source }: Cost): CountedCost {
  return { amountPico, currency, source };
}

function mayBeBilled(data: Settled): boolean {
  if (!('outcome' in data)) return true;
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
 * Which of two reports of one request counts, whatever their order and their credit: the better usage (usage
 * specification, §3.3); of equal usage the one that somebody re-priced, then the priced one, and of
 * two prices the one that is nearer to the bill.
 */
export function betterReport(one: CallReport, other: CallReport): CallReport {
  if (JSON.stringify(one.usage) !== JSON.stringify(other.usage)) {
    return betterUsage(one.usage, other.usage) === one.usage ? one : other;
  }
  return compareTold(one, other) >= 0 ? one : other;
}

const nearnessToBill: Record<CostSource, number> = { provider: 3, local: 2, reported: 1 };

function compareTold(one: CallReport, other: CallReport): number {
  const byDecision = Number(one.repriced !== undefined) - Number(other.repriced !== undefined);
  if (byDecision !== 0) return byDecision;
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

function toldKey({ cost, repriced, purpose, provider, model }: CallReport): string {
  const recorded = repriced?.recorded;
  return JSON.stringify([cost?.currency, cost?.source, purpose, provider, model, recorded]);
}

/** What a figure consists of: whole numbers by name. Parts that are 0 are absent. */
export type Part = readonly [name: string, amount: bigint];

export const tokenPart = Object.fromEntries(
  bucketNames.map((name) => [name, `token:${name}`]),
) as Record<BucketName, string>;
export const countPart = Object.fromEntries(
  countNames.map((name) => [name, `count:${name}`]),
) as Record<CountName, string>;

/** What one request adds to every figure that contains it. */
export function partsOf({ usage, cost, repriced }: CallReport): readonly Part[] {
  const parts: Part[] = [['calls', 1n]];
  for (const name of bucketNames) {
    const tokens = usage.buckets[name];
    if (tokens) parts.push([tokenPart[name], BigInt(tokens)]);
  }
  for (const name of countNames) {
    const count = usage.counts[name];
    if (count) parts.push([countPart[name], BigInt(count)]);
  }
  if (usage.state === 'partial') parts.push(['partialCalls', 1n]);
  if (usage.state === 'estimated') parts.push(['estimatedCalls', 1n]);
  if (usage.state === 'unknown') parts.push(['unknownUsageCalls', 1n]);
  parts.push(...priceParts(usage, cost));
  if (repriced !== undefined) parts.push(...repricingParts(cost, repriced.recorded));
  if (usage.source === 'imported') parts.push(...importedParts(cost));
  return parts;
}

/** What was not spent here, as a part of what counts. */
function importedParts(cost: CountedCost | undefined): readonly Part[] {
  const counted: Part = ['importedCalls', 1n];
  if (!isPriced(cost)) return [counted];
  const pico = BigInt(cost.amountPico);
  return pico === 0n ? [counted] : [counted, [`imported:${cost.currency}`, pico]];
}

/** What was recorded, as its difference to what counts now. */
function repricingParts(
  cost: CountedCost | undefined,
  recorded: CountedCost | undefined,
): readonly Part[] {
  const differences = new Map<string, bigint>();
  const add = (of: CountedCost | undefined, sign: bigint): void => {
    const name = isPriced(of) ? `recorded:${of.currency}` : 'recordedUnpriced';
    const amount = isPriced(of) ? BigInt(of.amountPico) : 1n;
    differences.set(name, (differences.get(name) ?? 0n) + sign * amount);
  };
  add(recorded, 1n);
  add(cost, -1n);
  const changed = [...differences].filter(([, amount]) => amount !== 0n);
  return [['repricedCalls', 1n], ...changed];
}

function isPriced(
  cost: CountedCost | undefined,
): cost is CountedCost & { readonly amountPico: string } {
  return cost !== undefined && cost.amountPico !== null;
}

function priceParts(usage: CountedUsage, cost: CountedCost | undefined): readonly Part[] {
  if (isPriced(cost)) {
    const place = `${cost.currency}:${cost.source}`;
    const pico = BigInt(cost.amountPico);
    const counted: Part = [`priced:${place}`, 1n];
    return pico === 0n ? [counted] : [counted, [`pico:${place}`, pico]];
  }
  if (usage.state === 'unknown') return [];
  const tokens = totalTokens(usage);
  const counted: Part = ['unpricedCalls', 1n];
  return tokens === 0 ? [counted] : [counted, ['unpricedTokens', BigInt(tokens)]];
}
