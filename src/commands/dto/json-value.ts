export const JSON_DEPTH_MAX = 64;
/** The one key that an assignment does not store: it would change the prototype of the copy. */
const PROTOTYPE_KEY = '__proto__';

/** What is wrong with a value as JSON data; undefined when it can be stored. */
export function jsonFault(value: unknown, depth = 0): string | undefined {
  if (depth > JSON_DEPTH_MAX) return `must be at most ${JSON_DEPTH_MAX} levels deep`;
  if (value === null || typeof value !== 'object') {
    return value === undefined ? 'must be a JSON value' : undefined;
  }
  if (Array.isArray(value)) return firstFault(value, depth);
  return Object.hasOwn(value, PROTOTYPE_KEY)
    ? `must not have a key named "${PROTOTYPE_KEY}"`
    : firstFault(Object.values(value), depth);
}

function firstFault(values: readonly unknown[], depth: number): string | undefined {
  for (const value of values) {
    const fault = jsonFault(value, depth + 1);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
