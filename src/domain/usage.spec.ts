import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  betterUsage,
  bucketNames,
  inputTokens,
  outputTokens,
  sumBuckets,
  totalTokens,
  unknownUsage,
  type Buckets,
  type Usage,
} from './usage.js';

const bucketsArbitrary: fc.Arbitrary<Buckets> = fc.dictionary(
  fc.constantFrom(...bucketNames),
  fc.nat({ max: 1_000_000 }),
);

function reportOf(state: Usage['state'], buckets: Buckets): Usage {
  return { ...unknownUsage('provider'), state, buckets };
}

const reportArbitrary = fc
  .tuple(fc.constantFrom('final', 'partial', 'estimated', 'unknown'), bucketsArbitrary)
  .map(([state, buckets]) => reportOf(state as Usage['state'], buckets));

describe('usage', () => {
  it('derives totals with cache in the input and reasoning in the output', () => {
    const usage = reportOf('final', {
      inputFresh: 2,
      cacheRead: 30,
      cacheWrite5m: 100,
      cacheWrite1h: 500,
      outputText: 7,
      outputReasoning: 3,
    });
    expect(inputTokens(usage)).toBe(632);
    expect(outputTokens(usage)).toBe(10);
    expect(totalTokens(usage)).toBe(642);
  });

  it('adds buckets up and leaves empty ones out', () => {
    const sum = sumBuckets([
      { inputFresh: 1, cacheRead: 0 },
      { inputFresh: 2, outputText: 3 },
    ]);
    expect(sum).toEqual({ inputFresh: 3, outputText: 3 });
  });

  it('total = input + output, for any buckets', () => {
    fc.assert(
      fc.property(bucketsArbitrary, (buckets) => {
        const usage = reportOf('final', buckets);
        expect(inputTokens(usage) + outputTokens(usage)).toBe(totalTokens(usage));
      }),
    );
  });

  it('U02 keeps the largest of partial reports and the final one before any other', () => {
    const first = reportOf('partial', { outputText: 793 });
    const later = reportOf('partial', { outputText: 6_840 });
    expect(betterUsage(first, later)).toBe(later);
    expect(betterUsage(later, first)).toBe(later);
    const last = reportOf('final', { outputText: 5 });
    expect(betterUsage(later, last)).toBe(last);
    const guess = reportOf('estimated', { outputText: 9_999 });
    expect(betterUsage(guess, first)).toBe(first);
    expect(betterUsage(unknownUsage('provider'), guess)).toBe(guess);
  });

  it('U02 chooses the same report in whatever order they arrive', () => {
    fc.assert(
      fc.property(fc.array(reportArbitrary, { minLength: 1, maxLength: 6 }), (reports) => {
        const forward = reports.reduce(betterUsage);
        const backward = [...reports].reverse().reduce(betterUsage);
        expect(forward).toEqual(backward);
      }),
    );
  });
});
