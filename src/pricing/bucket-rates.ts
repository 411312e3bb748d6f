import type { BucketName } from '../domain/usage.js';
import type { Rates } from '../domain/price-card.js';

/** Whose rate a bucket has when the card names none of its own, in order. */
const fallbacks: Readonly<Partial<Record<BucketName, readonly BucketName[]>>> = {
  cacheRead: ['inputFresh'],
  cacheWrite5m: ['cacheWriteUnknown', 'inputFresh'],
  cacheWrite1h: ['cacheWriteUnknown', 'inputFresh'],
  cacheWriteUnknown: ['cacheWrite5m', 'inputFresh'],
  inputAudio: ['inputFresh'],
  inputImage: ['inputFresh'],
  inputVideo: ['inputFresh'],
  cacheReadAudio: ['cacheRead', 'inputFresh'],
  cacheReadImage: ['cacheRead', 'inputFresh'],
  cacheReadVideo: ['cacheRead', 'inputFresh'],
  outputReasoning: ['outputText'],
  outputAudio: ['outputText'],
  outputImage: ['outputText'],
  outputVideo: ['outputText'],
  outputCitation: ['outputText'],
};

/** Another bucket's rate is the rule here, not an assumption. */
const regular: ReadonlySet<BucketName> = new Set([
  'cacheRead',
  'cacheWrite5m',
  'outputReasoning',
  'outputCitation',
]);

export interface BucketRate {
  readonly rate: string;
  readonly flag?: 'cacheLifeAssumed' | 'rateAssumed';
}

/** The rate of a bucket in pico per million tokens (usage-and-cost 3.1); undefined: no rate. */
export function rateOfBucket(rates: Rates, bucket: BucketName): BucketRate | undefined {
  const own = rates[bucket];
  if (own !== undefined) return { rate: own };
  for (const name of fallbacks[bucket] ?? []) {
    const rate = rates[name];
    if (rate === undefined) continue;
    if (bucket === 'cacheWriteUnknown') return { rate, flag: 'cacheLifeAssumed' };
    return regular.has(bucket) ? { rate } : { rate, flag: 'rateAssumed' };
  }
  return undefined;
}
