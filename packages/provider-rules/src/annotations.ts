import { isObject, type JsonObject } from './json.js';

/**
 * The history without annotations of the log: keys that begin with `_` of messages and items, and
 * of the blocks in their `content` or `parts`. They guide the repair and are never sent. What has
 * none is kept by identity; tool arguments and results are not looked into.
 */
export function withoutAnnotations(history: readonly unknown[]): unknown[] {
  return history.map((message) => {
    if (!isObject(message)) return message;
    let bare = withoutOwn(message);
    for (const field of ['content', 'parts']) {
      const blocks = bare[field];
      if (!Array.isArray(blocks)) continue;
      const kept = blocks.map((block: unknown) => (isObject(block) ? withoutOwn(block) : block));
      if (kept.some((block, index) => block !== blocks[index])) bare = { ...bare, [field]: kept };
    }
    return bare;
  });
}

function withoutOwn(object: JsonObject): JsonObject {
  const entries = Object.entries(object);
  const kept = entries.filter(([key]) => !key.startsWith('_'));
  return kept.length === entries.length ? object : Object.fromEntries(kept);
}
