import { canonicalJson } from './canonical-json.js';
import { plainTextOf } from './content-guards.js';
import { type HistoryItem, type ShownCall, callsOf } from './history-items.js';

/** How long the pieces of a transcript may be, in characters; undefined means word for word. */
export interface TranscriptLimits {
  readonly user?: number;
  readonly assistant?: number;
  readonly callArguments?: number;
  readonly result?: number;
}

/** A conversation as plain text, for whoever has to summarise it. */
export function transcript(
  items: readonly HistoryItem[],
  earlierSummary: string | undefined,
  limits: TranscriptLimits = {},
): string {
  const earlier =
    earlierSummary === undefined ? [] : [`Summary of what was before:\n${earlierSummary}`];
  return [...earlier, ...items.flatMap((item) => linesOf(item, limits))].join('\n\n');
}

function linesOf(item: HistoryItem, limits: TranscriptLimits): string[] {
  switch (item.kind) {
    case 'context':
      return [`Note: ${item.text}`];
    case 'user':
      return [`User: ${cut(plainTextOf(item.content), limits.user)}`];
    case 'assistant': {
      const text = item.blocks.flatMap((block) => (block.type === 'text' ? [block.text] : []));
      const said = text.join('\n').trim();
      const answer = said === '' ? [] : [`Assistant: ${cut(said, limits.assistant)}`];
      return [...answer, ...callsOf(item).map((call) => callLine(call, limits))];
    }
  }
}

function callLine(call: ShownCall, limits: TranscriptLimits): string {
  const given = call.argsText ?? canonicalJson(call.args ?? {});
  const result = plainTextOf(call.result.content);
  const label = call.result.isError ? 'Error' : 'Result';
  return (
    `Tool call ${call.tool} (${call.callId}) ${cut(given, limits.callArguments)}\n` +
    `${label}: ${cut(result, limits.result)}`
  );
}

/** Cuts between characters, never inside a surrogate pair. */
function cut(text: string, charactersMax: number | undefined): string {
  if (charactersMax === undefined || text.length <= charactersMax) return text;
  const isPairCut = /[\uD800-\uDBFF]$/.test(text.slice(0, charactersMax));
  const kept = text.slice(0, isPairCut ? charactersMax - 1 : charactersMax);
  return `${kept} […${text.length - kept.length} more characters]`;
}
