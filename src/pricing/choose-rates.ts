import type { UnpricedReason } from '../domain/money.js';
import type { ContextTier, PriceCard, Rates, Uplift } from '../domain/price-card.js';
import { isInWindow, windowName } from './time-window.js';

export interface Circumstances {
  /** Total input of the call, cache included. */
  readonly inputTokens: number;
  /** Milliseconds since 1970; undefined when not known. */
  readonly instant: number | undefined;
  /** As `serviceTierOf` gives it. */
  readonly tier: string;
  readonly region: string | undefined;
}

export interface ChosenRates {
  readonly rates: Rates;
  readonly contextTier?: number;
  readonly tierFactor?: string;
  readonly window?: string;
  readonly uplift?: string;
}

export type RateChoice =
  | { readonly chosen: ChosenRates }
  | { readonly chosen?: undefined; readonly reason: UnpricedReason };

const standardNames: ReadonlySet<string> = new Set([
  'standard',
  'standard_only',
  'default',
  'auto',
  'on_demand',
  '',
]);
const otherNames: Readonly<Record<string, string>> = {
  on_demand_priority: 'priority',
  on_demand_flex: 'flex',
};

function tierName(name: string): string {
  const key = name.trim().toLowerCase().replaceAll('-', '_');
  if (standardNames.has(key)) return 'standard';
  return Object.hasOwn(otherNames, key) ? (otherNames[key] ?? key) : key;
}

/**
 * The tier that was served, else the one that was asked for, else `standard`. A fast response is a
 * tier of its own.
 */
export function serviceTierOf(call: {
  readonly servedTier?: string;
  readonly requestedTier?: string;
  readonly speed?: string;
}): string {
  const tier = tierName(call.servedTier ?? call.requestedTier ?? 'standard');
  const speed = tierName(call.speed ?? 'standard');
  if (speed === 'standard' || speed === tier) return tier;
  return tier === 'standard' ? speed : `${tier}+${speed}`;
}

/** The long-context tier that the whole request falls into: the highest whose threshold it tops. */
function contextTierOf(
  tiers: readonly ContextTier[] | undefined,
  inputTokens: number,
): ContextTier | undefined {
  const reached = (tiers ?? []).filter(({ above, inclusive }) =>
    inclusive ? inputTokens >= above : inputTokens > above,
  );
  if (reached.length === 0) return undefined;
  return reached.reduce((one, other) => (other.above > one.above ? other : one));
}

function upliftOf(uplifts: readonly Uplift[] | undefined, region: string | undefined) {
  const place = region?.trim().toLowerCase();
  if (!place || place === 'not_available') return undefined;
  const names = (regions: readonly string[]) => regions.map((name) => name.toLowerCase());
  return uplifts?.find(({ regions, exceptRegions }) =>
    regions ? names(regions).includes(place) : !names(exceptRegions ?? []).includes(place),
  );
}

/** Which rates of a card hold for a call (usage-and-cost 6.3). */
export function chooseRates(card: PriceCard, call: Circumstances): RateChoice {
  const { windows = [] } = card;
  if (windows.length > 0 && call.instant === undefined) return { reason: 'start_time_missing' };
  const { instant } = call;
  const window =
    instant === undefined ? undefined : windows.find((candidate) => isInWindow(candidate, instant));
  const schedule = window ?? card;
  const tier = call.tier === 'standard' ? undefined : card.serviceTiers?.[call.tier];
  if (call.tier !== 'standard' && !tier) return { reason: 'tier_unpriced' };

  const own = tier && 'rates' in tier ? tier : schedule;
  const context = contextTierOf(own.contextTiers, call.inputTokens);
  const uplift = upliftOf(card.uplift, call.region);
  return {
    chosen: {
      rates: context ? { ...own.rates, ...context.rates } : own.rates,
      ...(context ? { contextTier: context.above } : {}),
      ...(tier && 'factor' in tier ? { tierFactor: tier.factor } : {}),
      ...(window ? { window: windowName(window) } : {}),
      ...(uplift ? { uplift: uplift.factor } : {}),
    },
  };
}
