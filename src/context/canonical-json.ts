/**
 * Canonical JSON text (RFC 8785): keys sorted by UTF-16 units, no spaces, so that the same content
 * has the same bytes in every process. What JSON cannot hold (undefined, functions) is left out of
 * objects and is `null` in lists, as `JSON.stringify` has it; a bigint becomes its decimal text.
 */
export function canonicalJson(value: unknown): string {
  const copy = sortedCopy(value);
  if (copy !== UNSORTABLE) return JSON.stringify(copy) ?? 'null';
  const pieces: string[] = [];
  write(value, pieces);
  return pieces.join('');
}

const UNSORTABLE = Symbol('an object cannot hold its keys in that order');

/**
 * A copy whose keys stand in order, which `JSON.stringify` writes several times as fast as it can be
 * done by hand. Keys that are numbers always stand first in an object, whatever the order wanted.
 */
function sortedCopy(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map(sortedCopy);
    return items.includes(UNSORTABLE) ? UNSORTABLE : items;
  }
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value).sort()) {
    if (NUMBER_FIRST.test(key) || key === '__proto__') return UNSORTABLE;
    const field = sortedCopy((value as Readonly<Record<string, unknown>>)[key]);
    if (field === UNSORTABLE) return UNSORTABLE;
    if (typeof field !== 'function') copy[key] = field;
  }
  return copy;
}

const NUMBER_FIRST = /^[0-9]/;

/** One list of pieces, joined once: nested texts would be copied at every level. */
function write(value: unknown, pieces: string[]): void {
  if (typeof value === 'bigint') {
    pieces.push(JSON.stringify(value.toString()));
  } else if (typeof value !== 'object' || value === null) {
    pieces.push(JSON.stringify(value) ?? 'null');
  } else if (Array.isArray(value)) {
    let separator = '[';
    for (const item of value) {
      pieces.push(separator);
      write(item, pieces);
      separator = ',';
    }
    pieces.push(value.length === 0 ? '[]' : ']');
  } else {
    writeFields(value as Readonly<Record<string, unknown>>, pieces);
  }
}

function writeFields(fields: Readonly<Record<string, unknown>>, pieces: string[]): void {
  let separator = '{';
  for (const key of Object.keys(fields).sort()) {
    const field = fields[key];
    if (field === undefined || typeof field === 'function') continue;
    pieces.push(separator, JSON.stringify(key), ':');
    write(field, pieces);
    separator = ',';
  }
  pieces.push(separator === '{' ? '{}' : '}');
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
