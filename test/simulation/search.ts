/** Histories of these seeds, until one breaks an invariant. */
export interface Search {
  readonly first: number;
  readonly count: number;
  readonly variant?: VariantName;
}

export interface SearchResult {
  readonly seeds: number;
  readonly steps: number;
  /** How often each kind of event, and each kind of fault, happened. */
  readonly counts: Readonly<Record<string, number>>;
  /** Of everything that was logged; another process has other keys, and so another one. */
  readonly digest: string;
  readonly violation?: { readonly seed: number; readonly text: string };
}

/** What is broken, so that the search has to find it. */
export const VARIANT_NAMES = [
  'acknowledged events are lost',
  'events are appended at any revision',
  'read models miss an event now and then',
  'nothing is reconciled',
] as const;
export type VariantName = (typeof VARIANT_NAMES)[number];

/** Results of parts of one search; of violations that of the lowest seed. */
export function merged(parts: readonly SearchResult[]): Omit<SearchResult, 'digest'> {
  const counts: Record<string, number> = {};
  let [seeds, steps] = [0, 0];
  let violation: SearchResult['violation'];
  for (const part of parts) {
    seeds += part.seeds;
    steps += part.steps;
    for (const [what, times] of Object.entries(part.counts)) {
      counts[what] = (counts[what] ?? 0) + times;
    }
    const isLower = violation === undefined || (part.violation?.seed ?? Infinity) < violation.seed;
    if (isLower) violation = part.violation;
  }
  return { seeds, steps, counts, violation };
}
