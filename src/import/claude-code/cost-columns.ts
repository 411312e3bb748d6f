import { bucketNames, outputTokens, sumBuckets, type Buckets } from '../../domain/usage.js';
import type { PriceCards } from '../../pricing/card-index.js';
import type { LogCounts } from '../import-report.js';
import { type Answer, priceAnswer, pricedCalls } from './answer-usage.js';

type CostColumns = Pick<
  LogCounts,
  | 'model_calls'
  | 'input_fresh'
  | 'cache_read'
  | 'cache_write_5m'
  | 'cache_write_1h'
  | 'cache_write_unknown'
  | 'output'
  | 'reasoning'
  | 'cost_pusd'
  | 'unpriced_calls'
  | 'recorded_cost_pusd'
  | 'models'
>;

/**
 * Tokens and cost of the answers that report usage, one call each, at the list price of the day of
 * the call. What is billed on top of an answer (`iterations`) is not in these columns, nor are
 * served tiers and regions; `recorded_cost_pusd` has them. A usage of only zeros costs 0 here.
 */
export function costColumns(answers: readonly Answer[], cards: PriceCards): CostColumns {
  const counted = answers.filter((answer) => answer.best !== undefined);
  const models = new Set<string>();
  const buckets: Buckets[] = [];
  let pico = 0n;
  let recorded = 0n;
  let unpriced = 0;
  for (const answer of counted) {
    const [call] = answer.best!.calls;
    const { model } = answer.best!;
    if (model !== undefined) models.add(model);
    buckets.push(call.usage.buckets);
    const told = { ...call.usage, state: 'final' as const };
    const { amountPico } = priceAnswer({}, told, model, answer.firstTime, cards);
    for (const { cost } of pricedCalls(answer, cards)) recorded += BigInt(cost.amountPico ?? 0);
    if (amountPico === null) unpriced += 1;
    else pico += BigInt(amountPico);
  }
  const sum = sumBuckets(buckets);
  const of = (name: (typeof bucketNames)[number]) => sum[name] ?? 0;
  return {
    model_calls: counted.length,
    input_fresh: of('inputFresh'),
    cache_read: of('cacheRead'),
    cache_write_5m: of('cacheWrite5m'),
    cache_write_1h: of('cacheWrite1h'),
    cache_write_unknown: of('cacheWriteUnknown'),
    output: outputTokens({ buckets: sum }),
    reasoning: of('outputReasoning'),
    cost_pusd: unpriced === counted.length ? '' : pico.toString(),
    unpriced_calls: unpriced,
    recorded_cost_pusd: recorded.toString(),
    models: [...models].sort().join('|'),
  };
}
