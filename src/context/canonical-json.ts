/**
 * Canonical JSON text (RFC 8785): keys sorted by UTF-16 units, no spaces, so that the same content
 * has the same bytes in every process. What JSON cannot hold (undefined, functions) is left out of
 * objects and is `null` in lists, as `JSON.stringify` has it; a bigint becomes its decimal text.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'bigint') return JSON.stringify(value.toString());
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined && typeof field !== 'function')
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, field]) => `${JSON.stringify(key)}:${canonicalJson(field)}`);
  return `{${fields.join(',')}}`;
}

/** Deeper values are not shown to a model: no provider takes them, and recursion must end. */
export const JSON_DEPTH_MAX = 200;

/** True if the value is nested at most `JSON_DEPTH_MAX` deep; needs no stack of its own. */
export function isShallow(value: unknown): boolean {
  const pending: [unknown, number][] = [[value, 1]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [item, depth] = next;
    if (typeof item !== 'object' || item === null) continue;
    if (depth > JSON_DEPTH_MAX) return false;
    for (const field of Object.values(item)) {
      if (typeof field === 'object' && field !== null) pending.push([field, depth + 1]);
    }
  }
  return true;
}
