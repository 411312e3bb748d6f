import type { CompactionRange } from './compaction-range.js';
import { transcript } from './transcript.js';

const ASSISTANT_CHARACTERS = 400;
const ARGUMENT_CHARACTERS = 160;
const RESULT_CHARACTERS = 160;
const USER_CHARACTERS = 600;

/**
 * A summary that needs no model: the conversation with long pieces cut short. Where the session
 * has no recorded facts, what the users wrote stays word for word, because nothing else would keep
 * their constraints. The same range gives the same text.
 */
export function builtInSummary(range: CompactionRange): string {
  return transcript(range.items, range.earlierSummary, {
    user: range.hasFacts ? USER_CHARACTERS : undefined,
    assistant: ASSISTANT_CHARACTERS,
    callArguments: ARGUMENT_CHARACTERS,
    result: RESULT_CHARACTERS,
  });
}
