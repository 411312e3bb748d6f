import { addAmounts, formatPico, type Cost } from '../domain/money.js';
import type { PriceCard } from '../domain/price-card.js';
import {
  inputTokens,
  outputTokens,
  totalTokens,
  type Buckets,
  type Counts,
  type UsageFlag,
  type UsageState,
} from '../domain/usage.js';
import type { QuotedCall, ResponseQuote } from './quote-response.js';

export interface QuotedCallView {
  readonly callId?: string;
  readonly purpose?: string;
  readonly model?: string;
  readonly servedTier?: string;
  readonly speed?: string;
  readonly region?: string;
  readonly usage: {
    readonly state: UsageState;
    readonly buckets: Buckets;
    readonly counts: Counts;
    readonly billed?: Buckets;
    readonly flags: readonly UsageFlag[];
    readonly inputTokens: number;
    readonly outputTokens: number;
    readonly totalTokens: number;
  };
  /** As it is recorded; `amount` is the exact decimal. */
  readonly cost: Cost & { readonly amount: string | null };
  readonly card?: PriceCard;
}

export interface QuoteTotal {
  readonly amounts: readonly {
    readonly currency: string;
    readonly amountPico: string;
    readonly amount: string;
  }[];
  readonly calls: number;
  readonly unpricedCalls: number;
  readonly unpricedTokens: string;
  readonly unknownUsageCalls: number;
  /** False when a call is unpriced, or its usage is not final. */
  readonly complete: boolean;
}

export interface QuoteView {
  readonly shape?: string;
  readonly responseId?: string;
  readonly model?: string;
  readonly calls: readonly QuotedCallView[];
  readonly total: QuoteTotal;
}

/** A quote as people and programs read it. */
export function quoteView({ calls, ...named }: ResponseQuote): QuoteView {
  return { ...named, calls: calls.map(callView), total: totalOf(calls) };
}

function callView({ usage, cost, card, callId, purpose, ...rest }: QuotedCall): QuotedCallView {
  const { iteration: _iteration, ...circumstances } = rest;
  const { state, buckets, counts, billed, flags } = usage;
  const { amountPico } = cost;
  return {
    ...(callId === undefined ? {} : { callId }),
    ...(purpose === undefined ? {} : { purpose }),
    ...circumstances,
    usage: {
      state,
      buckets,
      counts,
      ...(billed === undefined ? {} : { billed }),
      flags,
      inputTokens: inputTokens(usage),
      outputTokens: outputTokens(usage),
      totalTokens: totalTokens(usage),
    },
    cost: { ...cost, amount: amountPico === null ? null : formatPico(BigInt(amountPico)) },
    ...(card === undefined ? {} : { card }),
  };
}

function totalOf(calls: readonly QuotedCall[]): QuoteTotal {
  const priced = calls.flatMap(({ cost: { amountPico, currency } }) =>
    amountPico === null ? [] : [{ amountPico, currency }],
  );
  const unknown = calls.filter(({ usage }) => usage.state === 'unknown');
  // As in every total: a call whose usage is not known is counted as that, not as unpriced.
  const unpriced = calls.filter(
    ({ usage, cost }) => cost.amountPico === null && usage.state !== 'unknown',
  );
  const tokens = unpriced.reduce((sum, { usage }) => sum + BigInt(totalTokens(usage)), 0n);
  return {
    amounts: addAmounts(priced).map(({ currency, amountPico }) => ({
      currency,
      amountPico,
      amount: formatPico(BigInt(amountPico)),
    })),
    calls: calls.length,
    unpricedCalls: unpriced.length,
    unpricedTokens: tokens.toString(),
    unknownUsageCalls: unknown.length,
    complete: unpriced.length === 0 && calls.every(({ usage }) => usage.state === 'final'),
  };
}
