import {
  idOf,
  isServerToolResult,
  isServerToolUse,
  isThinking,
  isToolResult,
  isToolUse,
  withToolUseLast,
} from './blocks.js';
import type { BlockRun } from './runs.js';
import type { Report } from '../vocabulary.js';

/** Rules of the merged view: pairing, order inside a turn, server tools. */
export function checkTurns(runs: readonly BlockRun[], report: Report): void {
  runs.forEach((run, index) => {
    checkServerTools(run, report);
    const before = runs[index - 1];
    if (run.role === 'user') {
      if (before?.role !== 'assistant') checkResults(run, new Map(), report);
      return;
    }
    if (run.role !== 'assistant') return;
    checkAssistant(run, report);
    const following = runs[index + 1];
    const open = new Map<string, { count: number; at: number }>();
    for (const { at, block } of run.blocks) {
      if (!isToolUse(block)) continue;
      const id = idOf(block.id);
      if (open.has(id)) report('A5', 'duplicate_tool_call_id', at);
      open.set(id, { count: (open.get(id)?.count ?? 0) + 1, at });
    }
    if (following?.role === 'user') checkResults(following, open, report);
    for (const { count, at } of open.values()) {
      for (let left = 0; left < count; left += 1) report('A1', 'missing_tool_result', at);
    }
  });
}

/** A4 and A17. */
function checkAssistant(run: BlockRun, report: Report): void {
  const ordered = withToolUseLast(run.blocks, ({ block }) => block);
  const moved = ordered.findIndex((entry, index) => entry !== run.blocks[index]);
  if (moved !== -1) report('A4', 'tool_use_not_last', run.blocks[moved]!.at);
  const last = run.blocks.at(-1);
  if (isThinking(last?.block)) report('A17', 'final_block_thinking', last!.at);
}

/** A2, A3 and A6. Takes what it finds out of `open`. */
function checkResults(
  run: BlockRun,
  open: Map<string, { count: number; at: number }>,
  report: Report,
): void {
  let isOtherSeen = false;
  for (const { at, block } of run.blocks) {
    if (!isToolResult(block)) {
      isOtherSeen = true;
      continue;
    }
    if (isOtherSeen) report('A3', 'tool_result_not_first', at);
    const call = open.get(idOf(block.tool_use_id));
    if (call === undefined) report('A2', 'orphan_tool_result', at);
    else if (call.count === 0) report('A6', 'duplicate_tool_result', at);
    else call.count -= 1;
  }
}

/** A24: the use stands before its result in the same turn. */
function checkServerTools(run: BlockRun, report: Report): void {
  const ids = new Set<string>();
  for (const { at, block } of run.blocks) {
    if (isServerToolUse(block)) ids.add(idOf(block.id));
    if (isServerToolResult(block) && !ids.has(idOf(block.tool_use_id))) {
      report('A24', 'orphan_server_tool_result', at);
    }
  }
}
