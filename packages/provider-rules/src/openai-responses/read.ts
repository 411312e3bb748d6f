import type { Draft } from '../format.js';
import { sameJson, textOf, type JsonObject } from '../json.js';
import type { OpenAiResponsesOptions } from '../options.js';
import type { Call, Result, Turn, WalkStep } from '../pairing.js';
import type { RepairLog } from '../repair-log.js';
import { isSyntheticText } from '../texts.js';
import { isToolNameTooLong, shortenToolName } from '../tool-names.js';
import {
  callIdOf,
  convertedPart,
  hasBadId,
  hasEncryptedContent,
  hasStringCallId,
  isForeign,
  isModelItem,
  isPartOf,
  itemId,
  kindOf,
  outputText,
  withoutId,
} from './items.js';
import { countedItemId } from './validate.js';

export interface ItemPiece {
  readonly position: number;
  readonly item: JsonObject;
  readonly call: Call | undefined;
  readonly result: Result | undefined;
}

export interface ItemPieces {
  readonly items: readonly ItemPiece[];
  /** Outputs whose call lives on the server; they keep their place. */
  readonly serverResults: Set<Result>;
}

/** Section 6.2, step 1, for Responses. */
export function readResponses(
  history: readonly unknown[],
  options: OpenAiResponsesOptions,
  log: RepairLog,
): Draft<ItemPieces> {
  const cleaner = new ItemCleaner(options, log);
  const walk: WalkStep[] = [];
  const items: ItemPiece[] = [];
  let turn: Turn | undefined;
  history.forEach((given, position) => {
    const kind = kindOf(given);
    if (kind === 'unknown') {
      log.leaveOut('X4', position, given, 'this is no item of the format');
      turn = undefined;
      return;
    }
    const isModel = isModelItem(given as JsonObject);
    if (!isModel) turn = undefined;
    else if (turn === undefined) {
      turn = { calls: [] };
      walk.push({ turn });
    }
    const item = cleaner.clean(given as JsonObject, position);
    if (item === undefined) return;
    const call = kind === 'call' ? toCall(item, position) : undefined;
    const result = kind === 'output' ? toResult(item, position) : undefined;
    if (call) turn!.calls.push(call);
    if (result) walk.push({ result });
    items.push({ position, item, call, result });
  });
  const calls = items.flatMap(({ call }) => call ?? []);
  return { walk, idScopes: [calls], pieces: { items, serverResults: new Set() } };
}

/** Drops and converts items one after the other; remembers ids and what was dropped before. */
class ItemCleaner {
  private readonly seen = new Map<string, JsonObject | undefined>();
  /** Rule by which the reasoning before this item was dropped. */
  private lossRule: string | undefined;

  constructor(
    private readonly options: OpenAiResponsesOptions,
    private readonly log: RepairLog,
  ) {
    for (const id of options.serverKnownItemIds ?? []) this.seen.set(id, undefined);
  }

  clean(given: JsonObject, position: number): JsonObject | undefined {
    if (this.isUnsendable(given, position)) return undefined;
    const kind = kindOf(given);
    const isFollower = isModelItem(given) && kind !== 'reasoning';
    if (!isFollower) this.lossRule = undefined;
    let item = given;
    if (hasBadId(item)) item = this.stripped(item, position, 'R9', 'the id has a wrong prefix');
    if (this.lossRule && kind !== 'reference' && itemId(item) !== undefined) {
      item = this.stripped(item, position, this.lossRule, 'its reasoning item was dropped');
    }
    const unique = this.uniqueItem(given, item, position);
    if (unique === undefined) return undefined;
    item = unique;
    if (kind === 'message') {
      const message = this.withLegalParts(item, position);
      if (message === undefined) return undefined;
      item = message;
    }
    if (kind === 'call' && isToolNameTooLong('openai-responses', item.name)) {
      this.log.add('X2', position, 'shorten_name', 'the tool name is longer than 64 characters');
      item = { ...item, name: shortenToolName('openai-responses', String(item.name)) };
    }
    return item;
  }

  private isUnsendable(item: JsonObject, position: number): boolean {
    const { options, log } = this;
    const kind = kindOf(item);
    if (isForeign(item, options.encryptedOwner)) {
      const reason = 'its encrypted content belongs to another account or model';
      log.add('R7', position, 'drop_reasoning', reason);
      this.lossRule = 'R7';
      return true;
    }
    if (options.store === false && kind === 'reasoning' && !hasEncryptedContent(item)) {
      log.add('R6', position, 'drop_reasoning', 'the server keeps nothing, and it has no content');
      this.lossRule = 'R6';
      return true;
    }
    const hasNoId = itemId(item) === undefined;
    if (kind === 'reference' && (options.store === false || hasNoId)) {
      const rule = hasNoId ? 'R9' : 'R6';
      log.add(rule, position, 'inline_or_drop_reference', 'the server has no such item');
      return true;
    }
    if (kind === 'reasoning' && hasBadId(item)) {
      log.add('R9', position, 'drop_reasoning', 'the id of the reasoning item has a wrong prefix');
      return true;
    }
    return false;
  }

  private stripped(item: JsonObject, position: number, rule: string, reason: string): JsonObject {
    this.log.add(rule, position, 'strip_item_id', reason);
    return withoutId(item);
  }

  /** R8: an exact copy, a second reasoning or reference goes; else the later id goes. */
  private uniqueItem(
    given: JsonObject,
    item: JsonObject,
    position: number,
  ): JsonObject | undefined {
    const id = countedItemId(item);
    if (id === undefined) return item;
    if (!this.seen.has(id)) {
      this.seen.set(id, given);
      return item;
    }
    const first = this.seen.get(id);
    const kind = kindOf(item);
    const isCopy = first === undefined || sameJson(first, given);
    if (isCopy || kind === 'reasoning' || kind === 'reference') {
      const reason = first === undefined ? 'the server has this item' : 'the item stands twice';
      this.log.add('R8', position, 'dedupe_item', reason);
      return undefined;
    }
    return this.stripped(item, position, 'R8', 'an earlier item has the same id');
  }

  private withLegalParts(item: JsonObject, position: number): JsonObject | undefined {
    const { content, role } = item;
    if (typeof content === 'string') return item;
    if (Array.isArray(content) && content.every((part) => isPartOf(part, role))) return item;
    const given: readonly unknown[] = Array.isArray(content) ? content : [];
    const parts = given.flatMap((part) =>
      isPartOf(part, role) ? [part] : (convertedPart(part, role) ?? []),
    );
    if (parts.length === 0) {
      this.log.add('R10', position, 'drop_message', 'the message has no content for its role');
      return undefined;
    }
    const reason = 'a part has a type that its role cannot carry';
    this.log.add('R10', position, 'convert_content_type', reason);
    return { ...item, content: parts };
  }
}

function toCall(source: JsonObject, position: number): Call {
  const id = callIdOf(source);
  return {
    id,
    newId: id,
    hasStringId: hasStringCallId(source),
    name: textOf(source.name),
    position,
    needsResult: true,
    keys: [id],
    source,
    result: undefined,
  };
}

function toResult(source: JsonObject, position: number): Result {
  const id = callIdOf(source);
  const text = outputText(source);
  return {
    position,
    id,
    keys: [id],
    isSynthetic: text !== undefined && isSyntheticText(text),
    isMade: false,
    source,
    call: undefined,
  };
}
