import type { RepricedCall } from '../domain/events/model-events.js';
import { type Amount, type Cost, addAmounts } from '../domain/money.js';
import type { RecordedCall } from '../domain/recorded-calls.js';
import type { PriceCards } from './card-index.js';
import { priceCall } from './price-call.js';

/** Which calls are priced anew; all that are given must hold. */
export interface RepricingFilter {
  readonly provider?: string;
  /** The model that answered, else the one that was asked for; exactly. */
  readonly model?: string;
  /** Calls that this card priced. */
  readonly cardId?: string;
  /** UTC instants of the call's start: included, not included. */
  readonly from?: string;
  readonly to?: string;
  /** Only calls that have no price. */
  readonly unpricedOnly?: boolean;
}

/** What a re-pricing changes, or would change. */
export interface RepricingTotals {
  readonly calls: number;
  /** What these calls cost before; without those that had no price. */
  readonly before: readonly Amount[];
  readonly unpricedBefore: number;
  readonly after: readonly Amount[];
  /** Calls that the cards of now do not price: they keep what they have. */
  readonly leftUnpriced: number;
}

export interface RepricingPlan extends RepricingTotals {
  readonly changes: readonly RepricedCall[];
}

/**
 * Prices recorded calls again by the cards of now, each for the time of its start. A price that the
 * provider named stays, and no price is ever replaced by none.
 */
export function planRepricing(
  calls: Iterable<RecordedCall>,
  filter: RepricingFilter,
  cards: PriceCards,
): RepricingPlan {
  const changes: RepricedCall[] = [];
  let leftUnpriced = 0;
  for (const call of calls) {
    if (!isPriceable(call) || !agrees(call, filter)) continue;
    const cost = priceCall({ ...call, usage: call.usage }, cards);
    if (cost.amountPico === null) {
      if ((call.cost?.amountPico ?? null) === null) leftUnpriced += 1;
      continue;
    }
    if (isSameAmount(call.cost, cost)) continue;
    const { modelCallId, callKey } = call;
    changes.push({ modelCallId, callKey, before: beforeOf(call.cost), cost });
  }
  return planOf(changes, leftUnpriced);
}

export function planOf(changes: readonly RepricedCall[], leftUnpriced: number): RepricingPlan {
  return { ...totalsOf(changes), leftUnpriced, changes };
}

function isPriceable(
  call: RecordedCall,
): call is RecordedCall & { readonly usage: NonNullable<RecordedCall['usage']> } {
  return (
    call.usage !== undefined && call.usage.state !== 'unknown' && call.cost?.source !== 'provider'
  );
}

function agrees(call: RecordedCall, filter: RepricingFilter): boolean {
  const { provider, model, cardId, from, to, unpricedOnly = false } = filter;
  if (provider !== undefined && call.provider !== provider) return false;
  if (model !== undefined && (call.responseModel ?? call.requestedModel) !== model) return false;
  if (cardId !== undefined && call.cost?.cardId !== cardId) return false;
  if (unpricedOnly && (call.cost?.amountPico ?? null) !== null) return false;
  if (from === undefined && to === undefined) return true;
  const startedMs = Date.parse(call.startedAt ?? '');
  const isLate = from === undefined || startedMs >= Date.parse(from);
  return isLate && (to === undefined || startedMs < Date.parse(to));
}

function isSameAmount(before: Cost | undefined, after: Cost): boolean {
  return before?.amountPico === after.amountPico && before.currency === after.currency;
}

function beforeOf(cost: Cost | undefined): RepricedCall['before'] {
  if (cost === undefined) return { amountPico: null, currency: 'USD', source: 'local' };
  const { amountPico, currency, source, cardId, cardVersion } = cost;
  return { amountPico, currency, source, cardId, cardVersion };
}

function totalsOf(changes: readonly RepricedCall[]): Omit<RepricingTotals, 'leftUnpriced'> {
  const priced = changes.flatMap(({ before }) => (isPriced(before) ? [before] : []));
  return {
    calls: changes.length,
    before: addAmounts(priced),
    unpricedBefore: changes.length - priced.length,
    after: addAmounts(changes.flatMap(({ cost }) => (isPriced(cost) ? [cost] : []))),
  };
}

function isPriced<T extends Pick<Cost, 'amountPico'>>(
  cost: T,
): cost is T & { readonly amountPico: string } {
  return cost.amountPico !== null;
}

export function addTotals(totals: readonly RepricingTotals[]): RepricingTotals {
  const sum = (of: (one: RepricingTotals) => number) =>
    totals.reduce((total, one) => total + of(one), 0);
  return {
    calls: sum(({ calls }) => calls),
    before: addAmounts(totals.flatMap(({ before }) => before)),
    unpricedBefore: sum(({ unpricedBefore }) => unpricedBefore),
    after: addAmounts(totals.flatMap(({ after }) => after)),
    leftUnpriced: sum(({ leftUnpriced }) => leftUnpriced),
  };
}
