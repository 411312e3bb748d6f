import { isObject, jsonText, sameJson, textOf, withoutKeys, type JsonObject } from '../json.js';
import type { Repair } from '../vocabulary.js';
import { blocksOf, isThinking } from './blocks.js';

/**
 * Fingerprints of everything that stands before each message: roles and blocks, without thinking
 * and cache marks. A thinking block keeps the one of its message as `_prefix`, and A28 compares.
 * System and tools are not part of a history: who changes them drops the thinking himself.
 */
export function prefixFingerprints(messages: readonly unknown[]): string[] {
  const { imul } = Math;
  let low = 0xdeadbeef;
  let high = 0x41c6ce57;
  const absorb = (text: string): void => {
    for (let index = 0; index < text.length; index += 1) {
      const code = text.charCodeAt(index);
      low = imul(low ^ code, 2654435761);
      high = imul(high ^ code, 1597334677);
    }
  };
  return messages.map((message) => {
    const fingerprint = (high >>> 0).toString(36) + (low >>> 0).toString(36).padStart(7, '0');
    if (isObject(message)) {
      for (const block of boundBlocks(message)) absorb(jsonText(block, 'undefined'));
    }
    return fingerprint;
  });
}

/** What thinking is bound to in one message. */
function boundBlocks(message: JsonObject): { role: unknown; block: unknown }[] {
  return blocksOf(message)
    .filter((block) => !isThinking(block))
    .map((block) => ({
      role: message.role,
      block: isObject(block) ? withoutKeys(block, 'cache_control') : block,
    }));
}

interface Thinking {
  readonly at: number;
  readonly index: number;
  readonly block: JsonObject;
  /** Number of other blocks before it. */
  readonly offset: number;
}

function thinkingOf(history: readonly unknown[]): Thinking[] {
  const found: Thinking[] = [];
  let offset = 0;
  history.forEach((message, at) => {
    if (!isObject(message)) return;
    blocksOf(message).forEach((block, index) => {
      if (isThinking(block)) found.push({ at, index, block, offset });
      else offset += 1;
    });
  });
  return found;
}

/**
 * Thinking blocks that A28 refuses by their `_prefix`: those with another prefix, those without
 * annotation behind them, and everything behind a gap between kept blocks.
 */
export function unboundThinking(history: readonly unknown[]): Set<JsonObject> {
  const dropped = new Set<JsonObject>();
  const found = thinkingOf(history);
  if (!found.some(({ block }) => typeof block._prefix === 'string')) return dropped;
  const prefixes = prefixFingerprints(history);
  let isBroken = false;
  let isKept = false;
  let isGap = false;
  for (const { at, block } of found) {
    const prefix = textOf(block._prefix);
    const isMismatch = prefix !== undefined && prefix !== prefixes[at];
    if (isMismatch) isBroken = true;
    if (isMismatch || isGap || (isBroken && prefix === undefined)) {
      dropped.add(block);
      isGap = isKept;
    } else {
      isKept = true;
    }
  }
  return dropped;
}

/** The given history without some of its thinking, to be repaired again. */
export interface Reconsidered {
  readonly history: unknown[];
  readonly changes: readonly Repair[];
}

/**
 * A28 after a repair: a repair that changes something invalidates the thinking behind it. Returns
 * the given history without that thinking, or undefined if nothing has to go.
 */
export function withoutInvalidatedThinking(
  given: readonly unknown[],
  repaired: readonly unknown[],
): Reconsidered | undefined {
  const unchanged = commonBlocks(given, repaired);
  const doomed: Thinking[] = [];
  let isKept = false;
  let isGap = false;
  for (const { thinking, partner } of matchedThinking(given, repaired)) {
    if (partner === undefined) {
      isGap ||= isKept;
      continue;
    }
    isKept = true;
    if (isGap || doomed.length > 0 || partner.offset > unchanged) doomed.push(thinking);
  }
  return without(given, doomed, 'A28', 'something before this thinking changed');
}

/** A18 after a repair: turns that were joined with the final one count as final too. */
export function withoutFinalThinking(
  given: readonly unknown[],
  repaired: readonly unknown[],
  finalBlocks: ReadonlySet<unknown>,
): Reconsidered | undefined {
  const doomed = matchedThinking(given, repaired)
    .filter(({ partner }) => partner !== undefined && finalBlocks.has(partner.block))
    .map(({ thinking }) => thinking);
  return without(given, doomed, 'A18', 'thinking is off, and this turn is the last');
}

/** The thinking of the given history, each with what is left of it. Order never changes. */
function matchedThinking(
  given: readonly unknown[],
  repaired: readonly unknown[],
): { thinking: Thinking; partner: Thinking | undefined }[] {
  const kept = thinkingOf(repaired);
  let next = 0;
  return thinkingOf(given).map((thinking) => {
    const candidate = kept[next];
    const isSame = candidate !== undefined && isSameThinking(thinking.block, candidate.block);
    if (isSame) next += 1;
    return { thinking, partner: isSame ? candidate : undefined };
  });
}

function without(
  given: readonly unknown[],
  doomed: readonly Thinking[],
  rule: string,
  reason: string,
): Reconsidered | undefined {
  if (doomed.length === 0) return undefined;
  const changes = doomed.map(({ at }): Repair => ({
    rule,
    position: at,
    action: 'drop_block',
    reason,
  }));
  return { history: withoutBlocks(given, doomed), changes };
}

function isSameThinking(one: JsonObject, other: JsonObject): boolean {
  return one.type === other.type && one.signature === other.signature && one.data === other.data;
}

/** Number of blocks, thinking apart, that are the same at the beginning of both histories. */
function commonBlocks(one: readonly unknown[], other: readonly unknown[]): number {
  const [left, right] = [one, other].map((history) =>
    history.filter(isObject).flatMap((message) => boundBlocks(message)),
  ) as [unknown[], unknown[]];
  const differing = left.findIndex((block, index) => !sameJson(block, right[index]));
  return differing === -1 ? left.length : differing;
}

function withoutBlocks(history: readonly unknown[], doomed: readonly Thinking[]): unknown[] {
  const indices = new Map<number, Set<number>>();
  for (const { at, index } of doomed) {
    indices.set(at, (indices.get(at) ?? new Set()).add(index));
  }
  return history.map((message, at) => {
    const gone = indices.get(at);
    if (gone === undefined || !isObject(message)) return message;
    return { ...message, content: blocksOf(message).filter((_, index) => !gone.has(index)) };
  });
}
