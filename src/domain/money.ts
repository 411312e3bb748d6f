import type { BucketName, CountName } from './usage.js';

/** Money is whole pico-USD (1e-12 USD) in a BigInt; in JSON a decimal string. No float holds it. */
export const picoPerUnit = 1_000_000_000_000n;

const picoDigits = 12;
const decimalPattern = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/;
/** Longer texts and larger exponents are no amounts of money. */
const decimalCharactersMax = 400;
const exponentMax = 300;

export interface Amount {
  readonly currency: string;
  readonly amountPico: string;
}

/** `local`: our card; `provider`: the provider named it; `reported`: read in a program's log. */
export type CostSource = 'local' | 'provider' | 'reported';

/** The step of the search that found the card: which model id, and how it agreed. */
export type CardMatch =
  `${'response' | 'requested'}_${'exact' | 'alias' | 'snapshot' | 'normalised'}`;

export type UnpricedReason =
  | 'usage_unknown'
  | 'model_missing'
  | 'no_card'
  | 'provider_ambiguous'
  | 'no_card_in_effect'
  | 'start_time_missing'
  | 'tier_unpriced'
  | 'rate_missing'
  | 'fee_missing'
  | 'amount_unreadable'
  | 'pricing_failed';

/** `cacheLifeAssumed`: writes of unknown life at the 5-minute rate. `rateAssumed`: a rate of
 * another bucket was used. `rounded`: digits below a pico were dropped. */
export type CostFlag = 'cacheLifeAssumed' | 'rateAssumed' | 'rounded';

/** What one model call cost. `amountPico` null means not known, which is not 0. */
export interface Cost {
  readonly amountPico: string | null;
  readonly currency: string;
  readonly source: CostSource;
  readonly cardId?: string;
  readonly cardVersion?: number;
  readonly match?: CardMatch;
  /** The rates used, as in the card: pico per million tokens. */
  readonly rates?: Readonly<Partial<Record<BucketName, string>>>;
  /** The fees used: pico per unit. */
  readonly fees?: Readonly<Partial<Record<CountName, string>>>;
  /** The threshold, in input tokens, of the long-context tier that applied. */
  readonly contextTier?: number;
  /** The service tier, when it was not the standard one. */
  readonly tier?: string;
  readonly tierFactor?: string;
  /** The time-of-day window that applied, such as `00:30-16:30 UTC`. */
  readonly window?: string;
  readonly uplift?: string;
  readonly flags?: readonly CostFlag[];
  readonly reason?: UnpricedReason;
  /** Buckets and counts that have no price. */
  readonly missing?: readonly string[];
  /** Of a call that is not priced as a whole: what the priced part costs. */
  readonly pricedPartPico?: string;
}

/** Division rounded half to even. The divisor is positive. */
export function divideHalfEven(dividend: bigint, divisor: bigint): bigint {
  const sign = dividend < 0n ? -1n : 1n;
  const size = dividend * sign;
  const quotient = size / divisor;
  const twice = (size % divisor) * 2n;
  const up = twice > divisor || (twice === divisor && quotient % 2n === 1n);
  return sign * (up ? quotient + 1n : quotient);
}

/**
 * Reads decimal text (an exponent is allowed) as pico, rounded half to even; `rounded` says that
 * digits were lost. Give the text of the JSON token, not a parsed double. Undefined: no number.
 */
export function parsePico(text: string): { pico: bigint; rounded: boolean } | undefined {
  if (text.length > decimalCharactersMax) return undefined;
  const match = decimalPattern.exec(text.trim());
  if (!match) return undefined;
  const [, sign = '', whole = '', fraction = '', exponentText = '0'] = match;
  if (whole + fraction === '') return undefined;
  const exponent = Number(exponentText);
  if (Math.abs(exponent) > exponentMax) return undefined;
  const digits = BigInt(whole + fraction) * (sign === '-' ? -1n : 1n);
  const shift = picoDigits + exponent - fraction.length;
  if (shift >= 0) return { pico: digits * 10n ** BigInt(shift), rounded: false };
  const divisor = 10n ** BigInt(-shift);
  return { pico: divideHalfEven(digits, divisor), rounded: digits % divisor !== 0n };
}

/** The exact amount in units: no exponent, no trailing zeros. 12178389500000n is `12.1783895`. */
export function formatPico(pico: bigint): string {
  const sign = pico < 0n ? '-' : '';
  const size = pico < 0n ? -pico : pico;
  const fraction = (size % picoPerUnit).toString().padStart(picoDigits, '0').replace(/0+$/, '');
  return `${sign}${size / picoPerUnit}${fraction === '' ? '' : `.${fraction}`}`;
}

/** For eyes only: 2 decimals from 1 unit on, 4 below, `< 0.0001` instead of `0.0000`. Never add
 * what this returns. */
export function displayPico(pico: bigint): string {
  if (pico === 0n) return '0.00';
  const sign = pico < 0n ? '-' : '';
  const size = pico < 0n ? -pico : pico;
  const fourDecimals = divideHalfEven(size, picoPerUnit / 10_000n);
  if (fourDecimals === 0n) return `${sign}< 0.0001`;
  if (fourDecimals < 10_000n) return `${sign}0.${fourDecimals.toString().padStart(4, '0')}`;
  const twoDecimals = divideHalfEven(size, picoPerUnit / 100n)
    .toString()
    .padStart(3, '0');
  return `${sign}${twoDecimals.slice(0, -2)}.${twoDecimals.slice(-2)}`;
}

const int64Max = 2n ** 63n - 1n;

/** Whole micro-units, clamped to int64: for sorting in a database, never for adding. */
export function sortableMicro(pico: bigint): bigint {
  const micro = pico / 1_000_000n;
  if (micro > int64Max) return int64Max;
  return micro < -int64Max ? -int64Max : micro;
}

/** One entry per currency, sorted by currency: different currencies are never added. */
export function addAmounts(amounts: Iterable<Amount>): Amount[] {
  const sums = new Map<string, bigint>();
  for (const { currency, amountPico } of amounts) {
    sums.set(currency, (sums.get(currency) ?? 0n) + BigInt(amountPico));
  }
  return [...sums]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([currency, pico]) => ({ currency, amountPico: pico.toString() }));
}

/** A cost that somebody else named, from the decimal text they wrote. Not above 0: no cost. */
export function statedCost(
  decimalText: string,
  source: 'provider' | 'reported',
  currency = 'USD',
): Cost {
  const parsed = parsePico(decimalText);
  if (!parsed || parsed.pico < 0n) {
    return { amountPico: null, currency, source, reason: 'amount_unreadable' };
  }
  const cost: Cost = { amountPico: parsed.pico.toString(), currency, source };
  return parsed.rounded ? { ...cost, flags: ['rounded'] } : cost;
}
