import type { CountName } from '../domain/usage.js';

/** A key, or the sum of `take` over those entries of an array whose `where` is one of `among`. */
export type PathStep =
  string | { readonly where: string; readonly among: readonly string[]; readonly take: string };
export type Path = readonly PathStep[];

/** Alternatives: the first path that holds a number counts. */
export type Figure = readonly Path[];

/**
 * `inside`: the total includes the part; `outside`: the part comes on top of it; `byTotal`: as the
 * report's grand total says, and `orElse` where it says nothing.
 */
export type Place = 'inside' | 'outside' | { readonly byTotal: 'inside' | 'outside' };

export interface Modality {
  /** Added up; cached tokens of this modality included. */
  readonly all: readonly Figure[];
  readonly cached?: Figure;
}

/** How one provider's usage object is read: data, no code. */
export interface UsageShape {
  readonly name: string;
  readonly input: {
    readonly base: Figure;
    /** Input on top of `base`. */
    readonly extra?: Figure;
    readonly cachePlace: Place;
    readonly cacheRead?: Figure;
    readonly cacheWrite?: Figure;
    readonly cacheWrite5m?: Figure;
    readonly cacheWrite1h?: Figure;
    readonly audio?: Modality;
    readonly image?: Modality;
    readonly video?: Modality;
  };
  readonly output?: {
    readonly base: Figure;
    readonly reasoning?: Figure;
    readonly reasoningPlace?: Place;
    /** The provider leaves reasoning out of the report when there was none. */
    readonly reasoningAlwaysTold?: boolean;
    readonly audio?: Figure;
    readonly image?: Figure;
    readonly video?: Figure;
    /** On top of `base`. */
    readonly citation?: Figure;
  };
  readonly total?: Figure;
  readonly counts?: Readonly<Partial<Record<CountName, Figure>>>;
  readonly billed?: { readonly input: Figure; readonly output: Figure };
  /** A price in USD inside the usage object. */
  readonly statedCost?: {
    readonly path: readonly string[];
    /** Added when the flag at `onTopWhen` is true. */
    readonly onTop?: readonly string[];
    readonly onTopWhen?: readonly string[];
    readonly source: 'provider' | 'reported';
  };
}
