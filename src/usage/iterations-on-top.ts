import { inputTokens, outputTokens, type Buckets } from '../domain/usage.js';
import { convertUsage } from './convert-usage.js';
import { isRecord, textAt } from './read-figure.js';
import type { UsageShape } from './usage-shape.js';

export interface IterationOnTop {
  readonly index: number;
  readonly purpose: 'compaction' | 'advisor' | 'other';
  readonly iteration: unknown;
}

interface Totals {
  readonly input: number;
  readonly output: number;
}

const purposes: Readonly<Record<string, IterationOnTop['purpose']>> = {
  compaction: 'compaction',
  advisor_message: 'advisor',
};

function totalsOf(buckets: Buckets): Totals {
  return { input: inputTokens({ buckets }), output: outputTokens({ buckets }) };
}

function addTotals(all: readonly Totals[]): Totals {
  return all.reduce(
    (sum, { input, output }) => ({ input: sum.input + input, output: sum.output + output }),
    { input: 0, output: 0 },
  );
}

/**
 * The inner requests of a response that are billed on top of it. Its usage is the sum of the
 * iterations of type `message`; `compaction` and `advisor_message` are missing from it. Iterations
 * of a type that is not known here are inside if the response's totals include them, else on top.
 * One that reports nothing but zeros used nothing.
 */
export function iterationsOnTop(
  iterations: readonly unknown[],
  response: Buckets,
  shape: UsageShape,
): readonly IterationOnTop[] {
  const read = iterations.map((iteration, index) => {
    const type = isRecord(iteration) ? (textAt(iteration, ['type']) ?? 'message') : 'message';
    const totals = totalsOf(convertUsage(iteration, shape).buckets);
    const known = type === 'message' || Object.hasOwn(purposes, type);
    return { index, iteration, type, totals, known };
  });
  const inside = read.filter(({ type, known }) => type === 'message' || !known);
  const sum = addTotals(inside.map(({ totals }) => totals));
  const top = totalsOf(response);
  const unknownTypesInside = sum.input === top.input && sum.output === top.output;
  return read
    .filter(({ type, known }) => type !== 'message' && (known || !unknownTypesInside))
    .filter(({ totals }) => totals.input + totals.output > 0)
    .map(({ index, iteration, type }) => ({
      index,
      iteration,
      purpose: Object.hasOwn(purposes, type) ? (purposes[type] ?? 'other') : 'other',
    }));
}
