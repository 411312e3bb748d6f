import type { IdRule } from './ids.js';
import type { Call, Result, Unplaced, WalkStep } from './pairing.js';
import type { RepairLog } from './repair-log.js';
import type { SyntheticReason } from './texts.js';
import type { Repair, Violation, ViolationKind } from './vocabulary.js';

/** Names of the rules that the shared steps report under, in one format. */
export interface PairingRules {
  readonly missing: string;
  readonly orphan: string;
  readonly duplicate: string;
}

/** The history after step 1, ready to be paired. `pieces` are for the format's own `write`. */
export interface Draft<Pieces> {
  readonly walk: readonly WalkStep[];
  /** Calls whose ids must differ from each other. */
  readonly idScopes: readonly (readonly Call[])[];
  readonly pieces: Pieces;
}

/**
 * One history format: what it calls valid, and how the shared repair (pipeline.ts) reads and writes
 * it. Formats never see a history that is no array.
 */
export interface Format<Options, Pieces> {
  readonly emptyRule: string;
  readonly emptyKind: ViolationKind;
  readonly pairing: PairingRules;
  idRule(options: Options): IdRule | undefined;
  /** Rules that are named when an id had to be rewritten. */
  readonly idRules: { readonly illegal: string; readonly duplicate: string };
  validate(history: readonly unknown[], options: Options): Violation[];
  /** The one user message that stands for an empty history. */
  userMessage(text: string): unknown;
  /** Step 1: drop or convert what cannot be sent, and find turns and results. */
  read(history: readonly unknown[], options: Options, log: RepairLog): Draft<Pieces>;
  /** Results that may stay, or be placed, although the walk found no call for them. */
  place?(unplaced: readonly Unplaced[], draft: Draft<Pieces>, options: Options): Unplaced[];
  /** Step 3: the result for an open call; undefined if the call type has no such shape. */
  synthesize(call: Call, text: string, reason: SyntheticReason): Result['source'] | undefined;
  reservedIds?(options: Options): Iterable<string>;
  /** Steps 4, 6 and 7: the history in the provider's order. */
  write(draft: Draft<Pieces>, options: Options, log: RepairLog): unknown[];
  /** Steps 8 and 9: ephemeral head and tail, cache marks. `end` is the position for the log. */
  finish(history: readonly unknown[], options: Options, log: RepairLog, end: number): unknown[];
  /**
   * A second look after the repair: if it made another part invalid (A18, A28), the given history
   * without that part, to be repaired once more.
   */
  reconsider?(
    given: readonly unknown[],
    repaired: readonly unknown[],
    options: Options,
  ): { readonly history: unknown[]; readonly changes: readonly Repair[] } | undefined;
  /** Request options that must change because the history cannot be repaired (only A15). */
  optionsToChange?(history: readonly unknown[], options: Options): Partial<Options> | undefined;
}

/** A format with its type parameters hidden, so that all six fit into one table. */
export interface AnyFormat extends Format<never, never> {}

export function asAnyFormat<Options, Pieces>(format: Format<Options, Pieces>): AnyFormat {
  return format as unknown as AnyFormat;
}
