import { boundedKey } from '../source-reference.js';
import { type JsonObject, type LogLine, blocksOf, textOf } from './log-line.js';

/** The program speaks, not a model: "API Error", "No response requested". */
export const SYNTHETIC_MODEL = '<synthetic>';

export interface NamedCall {
  readonly block: JsonObject;
  /** The log's id of the call, or one made of its message and place. */
  readonly providerId: string;
  readonly tool: string;
}

export function isSynthetic(line: LogLine): boolean {
  return line.message?.['model'] === SYNTHETIC_MODEL;
}

/** The lines of one model answer share this: its id, else that of the request, else the line's. */
export function answerKey(line: LogLine, recordKey: string): string {
  return textOf(line.message?.['id']) ?? textOf(line.value['requestId']) ?? recordKey;
}

export function usageOf(line: LogLine): JsonObject | undefined {
  const usage = line.message?.['usage'];
  return typeof usage === 'object' && usage !== null ? (usage as JsonObject) : undefined;
}

/** Gives calls without an id one: `<message>#<number of the call without id in it>`. */
export class CallNames {
  private readonly unnamed = new Map<string, number>();

  name(line: LogLine, answer: string): ReadonlyMap<JsonObject, NamedCall> {
    const calls = new Map<JsonObject, NamedCall>();
    for (const block of blocksOf(line.message)) {
      if (block['type'] !== 'tool_use') continue;
      const tool = boundedKey(textOf(block['name']) ?? 'unnamed');
      const providerId = boundedKey(textOf(block['id']) ?? this.next(answer));
      calls.set(block, { block, tool, providerId });
    }
    return calls;
  }

  private next(answer: string): string {
    const number = this.unnamed.get(answer) ?? 0;
    this.unnamed.set(answer, number + 1);
    return `${answer}#${number}`;
  }
}

/** Characters that a model wrote in these blocks. */
export function writtenCharacters(line: LogLine): number {
  let characters = 0;
  for (const block of blocksOf(line.message)) {
    if (block['type'] === 'text') characters += textOf(block['text'])?.length ?? 0;
  }
  return characters;
}
