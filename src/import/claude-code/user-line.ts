import { type JsonObject, type LogLine, blocksOf, textOf } from './log-line.js';

/** What a `user` line is, apart from tool results in it. */
export type UserKind = 'typed' | 'program' | 'interrupt' | 'summary' | 'nothing';

export interface UserLine {
  readonly kind: UserKind;
  readonly results: readonly JsonObject[];
  /** What was typed, without what the program put in. */
  readonly content: readonly JsonObject[];
  /** Reminders that stood between what was typed. */
  readonly injected: readonly JsonObject[];
}

const INTERRUPT = '[Request interrupted by user';
const COMMAND_STARTS = ['<command-', '<local-command-', '<bash-'];
const injectedWhole =
  /^<(system-reminder|task-notification|ide_[a-z_]+|user-prompt-submit-hook)\b[^]*<\/\1>$/;

export function readUserLine(line: LogLine): UserLine {
  const blocks = blocksOf(line.message);
  const results = blocks.filter((block) => block['type'] === 'tool_result');
  const others = blocks.filter((block) => block['type'] !== 'tool_result');
  const injected = others.filter(isInjected);
  const content = others.filter((block) => !injected.includes(block));
  return { kind: kindOf(line, content, others), results, content, injected };
}

function kindOf(
  line: LogLine,
  content: readonly JsonObject[],
  others: readonly JsonObject[],
): UserKind {
  if (line.value['isCompactSummary'] === true) return 'summary';
  if (others.length === 0) return 'nothing';
  if (content.some((block) => startsWithOne(block, [INTERRUPT]))) return 'interrupt';
  const isProgram =
    line.isMeta || content.length === 0 || startsWithOne(content[0]!, COMMAND_STARTS);
  return isProgram ? 'program' : 'typed';
}

function startsWithOne(block: JsonObject, starts: readonly string[]): boolean {
  const text = block['type'] === 'text' ? textOf(block['text'])?.trimStart() : undefined;
  return text !== undefined && starts.some((start) => text.startsWith(start));
}

/** Only a block that is nothing else: a user's words may follow a reminder in one text. */
function isInjected(block: JsonObject): boolean {
  const text = block['type'] === 'text' ? textOf(block['text'])?.trim() : undefined;
  return text !== undefined && injectedWhole.test(text);
}

const DENIALS = ["The user doesn't want to proceed", 'was rejected'];

/** The user did not let the tool run: no failure of the tool. */
export function isDenied(result: JsonObject, line: LogLine): boolean {
  if (result['is_error'] !== true) return false;
  if (textOf(line.value['toolDenialKind']) !== undefined) return true;
  const text = resultText(result);
  return DENIALS.some((denial) => text.includes(denial));
}

export function resultText(result: JsonObject): string {
  const { content } = result;
  if (typeof content === 'string') return content;
  return blocksOf(result)
    .flatMap((block) => textOf(block['text']) ?? [])
    .join('\n');
}

/** Plain text of some blocks. */
export function plainText(blocks: readonly JsonObject[]): string {
  return blocks.flatMap((block) => textOf(block['text']) ?? []).join('\n');
}
