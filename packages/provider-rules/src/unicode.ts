import type { JsonObject } from './json.js';

const LONE_SURROGATES = /\p{Surrogate}/gu;

const { isArray } = Array;
const { keys } = Object;

/** Every Node that this package runs on has it; the language version of the build has not. */
interface CheckedText {
  isWellFormed(): boolean;
}

function isWellFormedText(text: string): boolean {
  return (text as unknown as CheckedText).isWellFormed();
}

/** True if no string inside the value, keys included, has a lone surrogate. */
export function isWellFormed(value: unknown): boolean {
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next === 'string') {
      if (!isWellFormedText(next)) return false;
    } else if (isArray(next)) {
      for (const element of next) pending.push(element);
    } else if (typeof next === 'object' && next !== null) {
      for (const key of keys(next)) {
        if (!isWellFormedText(key)) return false;
        const field = (next as JsonObject)[key];
        if (typeof field === 'string') {
          if (!isWellFormedText(field)) return false;
        } else if (typeof field === 'object') {
          pending.push(field);
        }
      }
    }
  }
  return true;
}

function wellFormedText(text: string): string {
  return text.replace(LONE_SURROGATES, '\uFFFD');
}

/**
 * A copy in which every lone surrogate is U+FFFD. Works with its own stack instead of recursion:
 * tool arguments may be nested deeper than the engine's call stack.
 */
export function wellFormedCopy(value: unknown): unknown {
  const root: unknown[] = [undefined];
  const pending: { source: unknown; place: (copy: unknown) => void }[] = [
    { source: value, place: (copy) => (root[0] = copy) },
  ];
  for (let task = pending.pop(); task !== undefined; task = pending.pop()) {
    const { source, place } = task;
    if (typeof source === 'string') {
      place(wellFormedText(source));
    } else if (Array.isArray(source)) {
      const copy: unknown[] = new Array(source.length).fill(null);
      place(copy);
      source.forEach((element: unknown, index) => {
        pending.push({ source: element, place: (made) => (copy[index] = made) });
      });
    } else if (typeof source === 'object' && source !== null) {
      copyFields(source as JsonObject, place, pending);
    } else {
      place(source);
    }
  }
  return root[0];
}

function copyFields(
  source: JsonObject,
  place: (copy: unknown) => void,
  pending: { source: unknown; place: (copy: unknown) => void }[],
): void {
  const copy: Record<string, unknown> = {};
  place(copy);
  for (const [key, field] of Object.entries(source)) {
    const define = (made: unknown): void => {
      // A plain assignment to `__proto__` would change the prototype instead of adding a field.
      Object.defineProperty(copy, wellFormedText(key), {
        value: made,
        writable: true,
        enumerable: true,
        configurable: true,
      });
    };
    define(undefined);
    pending.push({ source: field, place: define });
  }
}
