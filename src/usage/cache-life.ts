import type { BucketName } from '../domain/usage.js';

export interface CacheWriteSplit {
  readonly total: number;
  readonly fiveMinutes: number;
  readonly oneHour: number;
}

type WriteBuckets = Pick<
  Record<BucketName, number>,
  'cacheWrite5m' | 'cacheWrite1h' | 'cacheWriteUnknown'
>;

function addsUp(split: CacheWriteSplit): boolean {
  return split.fiveMinutes + split.oneHour === split.total;
}

/**
 * Which written tokens live 5 minutes and which an hour (usage-and-cost 4.1). A split that adds up
 * is used; else that of the last iteration with the same total and a split that adds up; a split
 * below the total leaves a rest of unknown life; a split above it says nothing (`inconsistent`).
 */
export function bucketsOfCacheWrites(
  top: CacheWriteSplit,
  iterations: readonly CacheWriteSplit[],
): { readonly buckets: WriteBuckets; readonly inconsistent: boolean } {
  const agreeing = addsUp(top)
    ? top
    : iterations.findLast((split) => split.total === top.total && addsUp(split));
  const chosen = agreeing ?? top;
  const rest = chosen.total - chosen.fiveMinutes - chosen.oneHour;
  if (rest < 0) {
    return {
      buckets: { cacheWrite5m: 0, cacheWrite1h: 0, cacheWriteUnknown: top.total },
      inconsistent: true,
    };
  }
  return {
    buckets: {
      cacheWrite5m: chosen.fiveMinutes,
      cacheWrite1h: chosen.oneHour,
      cacheWriteUnknown: rest,
    },
    inconsistent: false,
  };
}
