import { builtInSummary } from './built-in-summary.js';
import type { CompactionRange } from './compaction-range.js';
import { plainTextOf } from './content-guards.js';

const HEADING = 'What the users wrote, word for word:';
/** A session of years must still fit into an event and a budget. */
export const USER_WORDS_CHARACTERS_MAX = 32_000;

/** What stands for the range: the given summary, or a digest that no model made. */
export function summaryOf(range: CompactionRange, given: string | undefined): string {
  return given === undefined ? builtInSummary(range) : withUserWords(given, range);
}

/**
 * A summary with what the users wrote in the covered part, and in what was summarised before it:
 * where a session has no facts, nothing else would keep their constraints. The newest are kept if
 * there is more than fits; recorded facts take the place of all of it.
 */
export function withUserWords(
  summary: string,
  { hasFacts, items, earlierSummary }: CompactionRange,
): string {
  if (hasFacts) return summary;
  const said = items.flatMap((item) =>
    item.kind === 'user' ? [`User: ${plainTextOf(item.content)}`] : [],
  );
  const words = [...earlierWords(earlierSummary), ...said];
  const kept = newest(words);
  const leftOut = words.length - kept.length;
  const note = leftOut === 0 ? [] : [`[${leftOut} more are in the session's log only]`];
  return words.length === 0 ? summary : [summary, HEADING, ...note, ...kept].join('\n\n');
}

/** A summary of another kind, such as the built-in digest, stays as it is. */
function earlierWords(summary: string | undefined): readonly string[] {
  if (summary === undefined) return [];
  const start = summary.indexOf(`${HEADING}\n\n`);
  const section = start === -1 ? summary : summary.slice(start + HEADING.length + 2);
  return section.split(/\n\n(?=User: )/);
}

function newest(words: readonly string[]): readonly string[] {
  let characters = 0;
  const first = words.findLastIndex((text) => {
    characters += text.length;
    return characters > USER_WORDS_CHARACTERS_MAX;
  });
  return words.slice(first + 1);
}
