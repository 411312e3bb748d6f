export const JSON_DEPTH_MAX = 64;
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

/** What is wrong with a value as JSON data; undefined when it can be stored. */
export function jsonFault(value: unknown, depth = 0): string | undefined {
  if (depth > JSON_DEPTH_MAX) return `must be at most ${JSON_DEPTH_MAX} levels deep`;
  if (value === null || typeof value !== 'object') {
    return value === undefined ? 'must be a JSON value' : undefined;
  }
  if (Array.isArray(value)) return firstFault(value, depth);
  const key = Object.keys(value).find((name) => FORBIDDEN_KEYS.has(name));
  return key === undefined
    ? firstFault(Object.values(value), depth)
    : `must not have a key named "${key}"`;
}

function firstFault(values: readonly unknown[], depth: number): string | undefined {
  for (const value of values) {
    const fault = jsonFault(value, depth + 1);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
