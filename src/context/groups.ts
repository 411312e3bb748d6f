import { isOpenStatus } from './call-view.js';
import { type HistoryItem, callsOf } from './history-items.js';

/** Items that stay together: `end` is exclusive. */
export interface Group {
  readonly start: number;
  readonly end: number;
  /** A call of the group has no final outcome. */
  readonly isOpen: boolean;
}

/**
 * The atomic groups of a conversation (provider rules, §11): an assistant turn with its calls and
 * results; where the provider's own blocks (thinking) are in it, the whole tool loop from the user
 * message to the final text. Everything else is a group of its own.
 */
export function groupsOf(items: readonly HistoryItem[]): readonly Group[] {
  const groups: Group[] = [];
  for (let start = 0; start < items.length;) {
    const end = beginsLoop(items, start) ? loopEnd(items, start) : start + 1;
    const loop = items.slice(start, end);
    if (loop.some(hasProviderBlock)) {
      groups.push({ start, end, isOpen: loop.some(hasOpenCall) });
    } else {
      loop.forEach((item, offset) => {
        const place = start + offset;
        groups.push({ start: place, end: place + 1, isOpen: hasOpenCall(item) });
      });
    }
    start = end;
  }
  return groups;
}

/** A loop begins at the last user item before its first assistant item, or without one. */
function beginsLoop(items: readonly HistoryItem[], start: number): boolean {
  if (items[start]!.kind !== 'user') return items[start]!.kind === 'assistant';
  let next = start + 1;
  while (items[next]?.kind === 'context') next += 1;
  return items[next]?.kind === 'assistant';
}

function loopEnd(items: readonly HistoryItem[], start: number): number {
  let hasAssistant = false;
  for (let index = start; index < items.length; index += 1) {
    const item = items[index]!;
    if (item.kind === 'user' && hasAssistant) return index;
    if (item.kind !== 'assistant') continue;
    hasAssistant = true;
    if (callsOf(item).length === 0) return index + 1;
  }
  return items.length;
}

function hasProviderBlock(item: HistoryItem): boolean {
  return item.kind === 'assistant' && item.blocks.some((block) => block.type === 'provider');
}

function hasOpenCall(item: HistoryItem): boolean {
  return callsOf(item).some((call) => isOpenStatus(call.status));
}

/** Index of the first input that no model has answered; the number of items if there is none. */
export function firstUnread(items: readonly HistoryItem[]): number {
  const lastAnswer = items.findLastIndex((item) => item.kind === 'assistant');
  const index = items.findIndex((item, place) => place > lastAnswer && item.kind === 'user');
  return index === -1 ? items.length : index;
}
