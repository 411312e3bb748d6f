import { isObject, textOf, withoutKeys, type JsonObject } from '../json.js';
import type { AnthropicOptions } from '../options.js';
import type { RepairLog } from '../repair-log.js';
import { FIXED_STRINGS } from '../texts.js';
import { isToolNameTooLong, shortenToolName } from '../tool-names.js';
import {
  hasMark,
  idOf,
  isBlankText,
  isBlock,
  isInWrongRole,
  isServerToolResult,
  isServerToolUse,
  isThinking,
  isThinkingIntact,
  isToolResult,
  isToolUse,
  mayCarryMark,
  type Role,
} from './blocks.js';

/** Drops and converts the blocks of one message after the other. */
export class BlockCleaner {
  private serverIds = new Set<string>();

  constructor(
    private readonly options: AnthropicOptions,
    private readonly unbound: ReadonlySet<JsonObject>,
    private readonly log: RepairLog,
  ) {}

  /** Server tools pair inside one turn only. */
  startTurn(): void {
    this.serverIds = new Set();
  }

  clean(given: readonly unknown[], role: Role, position: number): JsonObject[] {
    const kept: JsonObject[] = [];
    for (const raw of given) {
      const block = typeof raw === 'string' ? { type: 'text', text: raw } : raw;
      const problem = this.problemOf(block, role);
      if (problem !== undefined) {
        this.log.add(problem.rule, position, 'drop_block', problem.reason);
        if (isObject(block) && isBlankText(block)) this.moveMark(block, kept, position);
        continue;
      }
      if (block !== raw) this.log.add('X4', position, 'convert_content_type', 'a bare string');
      kept.push(this.converted(block as JsonObject, kept, position));
    }
    return kept;
  }

  private problemOf(block: unknown, role: Role): { rule: string; reason: string } | undefined {
    if (!isBlock(block)) return { rule: 'X4', reason: 'this is no content block' };
    if (isBlankText(block)) return { rule: 'A8', reason: 'the text is blank' };
    if (isInWrongRole(block, role)) {
      return { rule: 'A26', reason: `${String(block.type)} cannot stand in a ${role} message` };
    }
    if (isThinking(block)) {
      if (!isThinkingIntact(block, this.options)) {
        return { rule: 'A14', reason: 'the thinking is unsigned or of another model' };
      }
      if (this.unbound.has(block)) return { rule: 'A28', reason: 'its prefix has changed' };
    }
    if (isServerToolUse(block)) this.serverIds.add(idOf(block.id));
    if (isServerToolResult(block) && !this.serverIds.has(idOf(block.tool_use_id))) {
      return { rule: 'A24', reason: 'no server tool use stands before this result' };
    }
    return undefined;
  }

  private converted(given: JsonObject, kept: JsonObject[], position: number): JsonObject {
    let block = given;
    if (hasMark(block) && !mayCarryMark(block)) {
      this.moveMark(block, kept, position);
      block = withoutKeys(block, 'cache_control');
    }
    if (isToolResult(block) && typeof block.tool_use_id !== 'string') {
      this.log.add('A7', position, 'rewrite_ids', 'the call id of a result is no text');
      block = { ...block, tool_use_id: idOf(block.tool_use_id) };
    }
    if (!isToolUse(block)) return block;
    if (!isObject(block.input)) {
      const reason = `the input of "${idOf(block.id)}" is no object`;
      this.log.add('A22', position, 'wrap_invalid_json', reason);
      block = { ...block, input: { [FIXED_STRINGS.invalidJson]: block.input ?? null } };
    }
    if (isToolNameTooLong('anthropic', block.name)) {
      this.log.add('X2', position, 'shorten_name', 'the tool name is longer than 200 characters');
      block = { ...block, name: shortenToolName('anthropic', textOf(block.name)!) };
    }
    return block;
  }

  /** A21: the previous block of the message that may carry the mark takes it. */
  private moveMark(block: JsonObject, kept: JsonObject[], position: number): void {
    if (!hasMark(block)) return;
    const at = kept.findLastIndex(mayCarryMark);
    if (at !== -1 && !hasMark(kept[at]!)) {
      kept[at] = { ...kept[at]!, cache_control: block.cache_control };
    }
    const reason = 'a cache mark moved to the block before, or went where none may carry it';
    this.log.add('A21', position, 'move_cache_control', reason);
  }
}
