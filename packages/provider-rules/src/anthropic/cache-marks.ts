import { isObject, withoutKeys, type JsonObject } from '../json.js';
import type { RepairLog } from '../repair-log.js';
import { hasMark, isToolResult } from './blocks.js';

/** Most marks in tools, system and messages together. */
const MARKS_MAX = 4;

interface Mark {
  /** Index of the message. */
  readonly at: number;
  readonly isLong: boolean;
}

/** All cache marks in the order of the request, those inside tool results included. */
export function marksOf(history: readonly unknown[]): Mark[] {
  const marks: Mark[] = [];
  changeMarks(history, (block, at) => {
    const { cache_control: control } = block;
    marks.push({ at, isLong: isObject(control) && control.ttl === '1h' });
    return block;
  });
  return marks;
}

/** A19: number of marks that are too many. */
export function excessMarks(history: readonly unknown[], elsewhere: number): number {
  return Math.max(0, marksOf(history).length + elsewhere - MARKS_MAX);
}

/** A20: index of the first message with a long mark behind a short one, or -1. */
export function longAfterShort(history: readonly unknown[]): number {
  let isShortSeen = false;
  for (const { at, isLong } of marksOf(history)) {
    if (isLong && isShortSeen) return at;
    if (!isLong) isShortSeen = true;
  }
  return -1;
}

/** Section 6.2, step 9. */
export function withLegalMarks(
  history: readonly unknown[],
  elsewhere: number,
  log: RepairLog,
): unknown[] {
  let excess = excessMarks(history, elsewhere);
  let marked = [...history];
  if (excess > 0) {
    marked = changeMarks(history, (block, at) => {
      if (excess === 0) return block;
      excess -= 1;
      log.add('A19', at, 'drop_oldest_cache_control', 'more than four cache marks');
      return withoutKeys(block, 'cache_control');
    });
  }
  const at = longAfterShort(marked);
  if (at === -1) return marked;
  log.add('A20', at, 'one_cache_control_ttl', 'a one-hour mark stood behind a shorter one');
  // Five minutes everywhere: legal whatever the marks in tools and system say.
  return changeMarks(marked, (block) => ({
    ...block,
    cache_control: withoutKeys(block.cache_control as JsonObject, 'ttl'),
  }));
}

type MarkChange = (block: JsonObject, at: number) => JsonObject;

/** Calls `change` for every marked block and keeps everything else by identity. */
function changeMarks(history: readonly unknown[], change: MarkChange): unknown[] {
  return history.map((message, at) => {
    if (!isObject(message) || !Array.isArray(message.content)) return message;
    const content = changedBlocks(message.content, at, change);
    return content === message.content ? message : { ...message, content };
  });
}

function changedBlocks(
  blocks: readonly unknown[],
  at: number,
  change: MarkChange,
): readonly unknown[] {
  const changed = blocks.map((given) => {
    if (!isObject(given)) return given;
    let block = given;
    if (isToolResult(given) && Array.isArray(given.content)) {
      const content = given.content.map((inner: unknown) =>
        isObject(inner) && hasMark(inner) ? change(inner, at) : inner,
      );
      const isSame = content.every((inner, index) => inner === (given.content as unknown[])[index]);
      if (!isSame) block = { ...given, content };
    }
    return hasMark(block) ? change(block, at) : block;
  });
  return changed.every((block, index) => block === blocks[index]) ? blocks : changed;
}
