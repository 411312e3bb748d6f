/**
 * What one model call has used, in the normal form: disjoint buckets of tokens (a token is in
 * exactly one bucket; an absent bucket is 0). JSON-safe: tokens are safe integers, raw is text.
 */

export const inputBucketNames = [
  'inputFresh',
  'cacheRead',
  'cacheWrite5m',
  'cacheWrite1h',
  'cacheWriteUnknown',
  'inputAudio',
  'cacheReadAudio',
  'inputImage',
  'cacheReadImage',
  'inputVideo',
  'cacheReadVideo',
] as const;

export const outputBucketNames = [
  'outputText',
  'outputReasoning',
  'outputAudio',
  'outputImage',
  'outputVideo',
  'outputCitation',
] as const;

export const bucketNames = [...inputBucketNames, ...outputBucketNames] as const;
export const countNames = ['webSearches', 'webFetches', 'requests', 'images', 'seconds'] as const;

export type BucketName = (typeof bucketNames)[number];
export type CountName = (typeof countNames)[number];
export type Buckets = Readonly<Partial<Record<BucketName, number>>>;
export type Counts = Readonly<Partial<Record<CountName, number>>>;

/**
 * `final`: the provider's last report. `partial`: counts from before the end, a lower bound.
 * `estimated`: counted by a program, `method` names how. `unknown`: nothing was reported and the
 * provider may have billed; never a measured 0.
 */
export type UsageState = 'final' | 'partial' | 'estimated' | 'unknown';
/** `provider`: as the provider said; `imported`: read from another program's log; `local`: ours. */
export type UsageSource = 'provider' | 'imported' | 'local';

/** `inconsistent`: parts exceed a total, or a count was negative or no whole number. */
export type UsageFlag =
  'inconsistent' | 'implausible' | 'rawTruncated' | 'shapeUnknown' | 'lineageAssumed';

/** Whether 0 in a bucket means "none" (known) or "not told" (unknown). */
export interface UsageSplits {
  readonly cacheLife: 'known' | 'unknown';
  readonly reasoning: 'known' | 'unknown';
}

export interface Usage {
  readonly state: UsageState;
  readonly buckets: Buckets;
  readonly counts: Counts;
  readonly splits: UsageSplits;
  /** The provider's usage object as JSON text, at most 16 KiB of it. */
  readonly raw?: string;
  readonly flags: readonly UsageFlag[];
  readonly source: UsageSource;
  /** How an estimate was made. */
  readonly method?: string;
  /** What the provider bills, where it says that this differs from what was used (Cohere). */
  readonly billed?: Buckets;
  /** Of a stream that was cut: tokens of output that had arrived, estimated from its text. */
  readonly estimatedOutput?: number;
}

interface HasBuckets {
  readonly buckets: Buckets;
}

function sumOf(buckets: Buckets, names: readonly BucketName[]): number {
  let sum = 0;
  for (const name of names) sum += buckets[name] ?? 0;
  return sum;
}

/** All input tokens, read from and written to caches included (gen_ai.usage.input_tokens). */
export function inputTokens(usage: HasBuckets): number {
  return sumOf(usage.buckets, inputBucketNames);
}

/** All output tokens, reasoning included (gen_ai.usage.output_tokens). */
export function outputTokens(usage: HasBuckets): number {
  return sumOf(usage.buckets, outputBucketNames);
}

export function totalTokens(usage: HasBuckets): number {
  return sumOf(usage.buckets, bucketNames);
}

/** Adds up bucket by bucket; buckets that hold 0 are left out. */
export function sumBuckets(all: Iterable<Buckets>): Buckets {
  const sum: Partial<Record<BucketName, number>> = {};
  for (const buckets of all) {
    for (const name of bucketNames) {
      const tokens = buckets[name] ?? 0;
      if (tokens !== 0) sum[name] = (sum[name] ?? 0) + tokens;
    }
  }
  return sum;
}

export function unknownUsage(source: UsageSource): Usage {
  return {
    state: 'unknown',
    buckets: {},
    counts: {},
    splits: { cacheLife: 'unknown', reasoning: 'unknown' },
    flags: [],
    source,
  };
}

const stateRank: Record<UsageState, number> = { final: 3, partial: 2, estimated: 1, unknown: 0 };

/**
 * Which of two reports of one call counts: `final` beats `partial` beats `estimated`; within one
 * state the largest total. Equal totals are ordered by their content, so that the answer does not
 * depend on which report came first. Seen where the first one won: 793 output tokens kept instead
 * of 6,840 (ccusage/ccusage#938).
 */
export function betterUsage(one: Usage, other: Usage): Usage {
  const byState = stateRank[one.state] - stateRank[other.state];
  if (byState !== 0) return byState > 0 ? one : other;
  const byTotal = totalTokens(one) - totalTokens(other);
  if (byTotal !== 0) return byTotal > 0 ? one : other;
  const byDetail = knownSplits(one) - knownSplits(other);
  if (byDetail !== 0) return byDetail > 0 ? one : other;
  return contentKey(one) >= contentKey(other) ? one : other;
}

function knownSplits(usage: Usage): number {
  return Number(usage.splits.cacheLife === 'known') + Number(usage.splits.reasoning === 'known');
}

function contentKey(usage: Usage): string {
  const tokens = bucketNames.map((name) => usage.buckets[name] ?? 0);
  const counts = countNames.map((name) => usage.counts[name] ?? 0);
  return JSON.stringify([tokens, counts, usage.source, usage.flags, usage.raw ?? '']);
}
