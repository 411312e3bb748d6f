import type { StreamPosition } from '../domain/events/positions.js';
import type { CompactionRange } from './compaction-range.js';
import { plainTextOf } from './content-guards.js';
import type { HistoryItem } from './history-items.js';

/** Who said a part of the covered range; `summary` is the summary before this one. */
export type Speaker = 'user' | 'assistant' | 'summary';

export interface CoveredText {
  readonly by: Speaker;
  readonly text: string;
  readonly at?: StreamPosition;
}

/**
 * What was said in the covered range. Results and arguments of tools are not in it: a real
 * transcript has thousands of paths and numbers there, and those that matter are spoken of.
 */
export function coveredTexts(
  range: Pick<CompactionRange, 'items' | 'earlierSummary'>,
): readonly CoveredText[] {
  const { items, earlierSummary } = range;
  const earlier: readonly CoveredText[] =
    earlierSummary === undefined ? [] : [{ by: 'summary', text: earlierSummary }];
  return [...earlier, ...items.flatMap(textsOf)];
}

function textsOf(item: HistoryItem): readonly CoveredText[] {
  switch (item.kind) {
    case 'user':
      return [{ by: 'user', text: plainTextOf(item.content), at: item.at }];
    case 'assistant':
      return item.blocks.flatMap((block) =>
        block.type === 'text' ? [{ by: 'assistant' as const, text: block.text, at: item.at }] : [],
      );
    case 'context':
      return [];
  }
}
