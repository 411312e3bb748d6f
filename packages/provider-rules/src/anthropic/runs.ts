import { isObject } from '../json.js';
import type { AnthropicOptions } from '../options.js';
import { blocksOf, isThinking, isToolResult, isToolUse, roleOf, type Role } from './blocks.js';

/** Neighbours of one role seen as one message: the merged view of section 4.3. */
export interface BlockRun {
  readonly role: Role | 'none';
  readonly blocks: { readonly at: number; readonly block: unknown }[];
  /** Index of the first message. */
  readonly at: number;
}

export function runsOf(history: readonly unknown[], options: AnthropicOptions): BlockRun[] {
  const runs: BlockRun[] = [];
  history.forEach((message, at) => {
    const role = roleOf(message, options) ?? 'none';
    if (runs.at(-1)?.role !== role) runs.push({ role, blocks: [], at });
    if (!isObject(message)) return;
    for (const block of blocksOf(message)) runs.at(-1)!.blocks.push({ at, block });
  });
  return runs;
}

interface RunView {
  readonly role: Role | 'none';
  readonly blocks: readonly { readonly block: unknown }[];
}

/**
 * A18: the assistant turn that the server takes as final, or undefined. It is the last one, if the
 * model is to go on from it: nothing of the user follows but results of its calls.
 */
export function finalTurn<Run extends RunView>(runs: readonly Run[]): Run | undefined {
  const at = runs.findLastIndex(({ role }) => role === 'assistant');
  if (at === -1) return undefined;
  const run = runs[at]!;
  const hasCalls = run.blocks.some(({ block }) => isToolUse(block));
  const isLast = runs
    .slice(at + 1)
    .every(({ role, blocks }) => role === 'none' || blocks.every((one) => isToolResult(one.block)));
  return hasCalls || isLast ? run : undefined;
}

/**
 * A15: the assistant turn that begins the tool loop at the end of the history without thinking, or
 * undefined. Earlier loops are not checked by the server.
 */
export function loopWithoutThinking(runs: readonly BlockRun[]): BlockRun | undefined {
  let at = runs.findLastIndex(({ role }) => role === 'assistant');
  if (at === -1 || !runs[at]!.blocks.some(({ block }) => isToolUse(block))) return undefined;
  while (runs[at - 2]?.role === 'assistant' && isOnlyResults(runs[at - 1]!)) at -= 2;
  return isThinking(runs[at]!.blocks[0]?.block) ? undefined : runs[at];
}

function isOnlyResults(run: BlockRun): boolean {
  return run.role === 'user' && run.blocks.every(({ block }) => isToolResult(block));
}
