import { isObject, type JsonObject } from '../json.js';
import type { OpenAiResponsesOptions } from '../options.js';
import { isModelItem, itemId, kindOf, withoutId } from './items.js';

/** Ids that count as present: items and references of the input, and what the server has. */
export function presentIds(
  items: readonly unknown[],
  options: OpenAiResponsesOptions,
): ReadonlySet<string> {
  const present = new Set(options.serverKnownItemIds);
  for (const item of items) {
    const kind = kindOf(item);
    if (!isObject(item) || (kind !== 'reasoning' && kind !== 'reference')) continue;
    const id = itemId(item);
    if (id !== undefined) present.add(id);
  }
  return present;
}

/** Indices of the reasoning items that R4 refuses. */
export function reasoningWithoutFollower(items: readonly unknown[]): number[] {
  const found: number[] = [];
  let follower: JsonObject | undefined;
  for (let at = items.length - 1; at >= 0; at -= 1) {
    const item = items[at];
    if (!isObject(item) || kindOf(item) !== 'reasoning') {
      follower = isObject(item) ? item : undefined;
      continue;
    }
    const isFollowed = follower !== undefined && isModelItem(follower);
    const needsId = itemId(item) !== undefined;
    if (!isFollowed || (needsId && itemId(follower!) === undefined)) found.push(at);
  }
  return found.reverse();
}

/** Indices of the items whose id R5 refuses, because their reasoning is not there. */
export function itemsWithoutReasoning(
  items: readonly unknown[],
  options: OpenAiResponsesOptions,
): number[] {
  const { reasoningOf } = options;
  if (reasoningOf === undefined) return [];
  const present = presentIds(items, options);
  const found: number[] = [];
  items.forEach((item, at) => {
    const id = isObject(item) ? itemId(item) : undefined;
    if (id === undefined || !Object.hasOwn(reasoningOf, id)) return;
    if (!present.has(reasoningOf[id]!)) found.push(at);
  });
  return found;
}

/** One item with its position in the given history. */
export interface Placed {
  readonly position: number;
  readonly item: JsonObject;
}

/**
 * R4 and R5 until nothing changes; they feed each other: a dropped reasoning takes the ids of what
 * followed it, and an item without id is no follower for a reasoning with one.
 */
export function settleReasoning(
  placed: readonly Placed[],
  options: OpenAiResponsesOptions,
  onChange: (rule: 'R4' | 'R5', position: number) => void,
): Placed[] {
  let current = [...placed];
  for (;;) {
    const dropped = new Set(reasoningWithoutFollower(current.map(({ item }) => item)));
    for (const at of dropped) onChange('R4', current[at]!.position);
    current = current.filter((_, at) => !dropped.has(at));
    const items = current.map(({ item }) => item);
    const bare = itemsWithoutReasoning(items, options);
    for (const at of bare) {
      const { position, item } = current[at]!;
      onChange('R5', position);
      current[at] = { position, item: withoutId(item) };
    }
    const withoutReferences = current.filter(
      ({ item }) => kindOf(item) !== 'reference' || itemId(item) !== undefined,
    );
    const isSettled = dropped.size === 0 && bare.length === 0;
    current = withoutReferences;
    if (isSettled) return current;
  }
}
