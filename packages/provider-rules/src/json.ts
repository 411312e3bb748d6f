/** A JSON object of unknown shape: histories come from anywhere, so nothing is assumed. */
export interface JsonObject {
  readonly [key: string]: unknown;
}

const { isArray } = Array;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !isArray(value);
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function isBlank(text: string): boolean {
  return text.trim() === '';
}

/** Characters as servers count them: code points, not UTF-16 units. */
export function characterCount(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

export function withoutKeys(object: JsonObject, ...keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
}

/**
 * JSON text of a value; `fallback` for what has none (undefined) and for values nested so deeply
 * that the engine gives up. Repair must not throw on any history.
 */
export function jsonText(value: unknown, fallback: string): string {
  try {
    return JSON.stringify(value) ?? fallback;
  } catch {
    return fallback;
  }
}

/** Parsed JSON, or undefined if the text is none. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Deep equality without recursion, because a stored value may be nested deeper than the stack. */
export function sameJson(left: unknown, right: unknown): boolean {
  const pairs: [unknown, unknown][] = [[left, right]];
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [one, other] = pair;
    if (Object.is(one, other)) continue;
    if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) return false;
    if (Array.isArray(one) !== Array.isArray(other)) return false;
    const keys = Object.keys(one);
    if (keys.length !== Object.keys(other).length) return false;
    for (const key of keys) {
      if (!Object.hasOwn(other, key)) return false;
      pairs.push([(one as JsonObject)[key], (other as JsonObject)[key]]);
    }
  }
  return true;
}
