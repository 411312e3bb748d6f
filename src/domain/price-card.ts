import type { BucketName, CountName } from './usage.js';

/** Pico-USD per million tokens, as decimal text of an integer. */
export type Rates = Readonly<Partial<Record<BucketName, string>>>;
/** Pico-USD per unit, as decimal text of an integer. */
export type Fees = Readonly<Partial<Record<CountName, string>>>;

/** The whole request is priced at these rates once its total input is above the threshold. */
export interface ContextTier {
  /** In input tokens, cache included. */
  readonly above: number;
  /** Whether the threshold itself is in the upper tier (xAI). */
  readonly inclusive: boolean;
  /** Buckets that are not named keep the rate of below the threshold. */
  readonly rates: Rates;
}

/** Either rates of its own, or all rates of the card times a factor (decimal text). */
export type ServiceTier =
  | { readonly rates: Rates; readonly contextTiers?: readonly ContextTier[] }
  | { readonly factor: string };

/** Rates at certain times of day. They replace the card's rates and context tiers. */
export interface PriceWindow {
  /** `HH:MM`, included. */
  readonly from: string;
  /** `HH:MM`, not included; before `from` for a window over midnight. */
  readonly until: string;
  /** IANA name. */
  readonly zone: string;
  /** ISO weekdays, 1 Monday to 7 Sunday, on which the window begins. Left out: every day. */
  readonly weekdays?: readonly number[];
  readonly rates: Rates;
  readonly contextTiers?: readonly ContextTier[];
}

/** A factor on all token rates in some regions. Regions are compared without case. */
export interface Uplift {
  readonly regions?: readonly string[];
  /** Every region but these; a call whose region is not known gets no uplift. */
  readonly exceptRegions?: readonly string[];
  readonly factor: string;
}

export interface PriceSource {
  readonly name: string;
  readonly url?: string;
  readonly commit?: string;
  readonly readOn?: string;
  readonly licence?: string;
  readonly enteredBy: string;
}

export interface CardModels {
  readonly id: string;
  readonly aliases?: readonly string[];
  /** Ids that may be followed by a date: `-YYYYMMDD`, `-YYYY-MM-DD` or `@YYYYMMDD`. */
  readonly snapshotsOf?: readonly string[];
}

/** What a model costs, from one instant on. A change is a new version, never an edit. */
export interface PriceCard {
  readonly cardId: string;
  readonly version: number;
  /** The version of this card that it replaces. */
  readonly supersedes?: number;
  /** As in OpenTelemetry `gen_ai.provider.name`. */
  readonly provider: string;
  /** Prices only calls from this region. */
  readonly region?: string;
  readonly models: CardModels;
  readonly rates: Rates;
  readonly fees?: Fees;
  readonly contextTiers?: readonly ContextTier[];
  /** `standard` is the card itself; others: `batch`, `flex`, `priority`, `fast`, … */
  readonly serviceTiers?: Readonly<Record<string, ServiceTier>>;
  readonly uplift?: readonly Uplift[];
  readonly windows?: readonly PriceWindow[];
  /** UTC instant, included. */
  readonly effectiveFrom?: string;
  /** UTC instant, not included. */
  readonly effectiveUntil?: string;
  readonly currency: string;
  readonly status: 'catalogue' | 'override';
  readonly sources: readonly PriceSource[];
}

/** How one provider is called, and whose cards apply where it has none of its own. */
export interface ProviderNames {
  readonly id: string;
  readonly aliases: readonly string[];
  readonly fallbacks: readonly string[];
  /** It makes models: asked before resellers when a log does not name the provider. */
  readonly maker: boolean;
}
