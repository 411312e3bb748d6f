import type { Json } from './content.js';

/** The value that a JSON pointer (RFC 6901) names; undefined when there is none. */
export function valueAt(value: Json | undefined, pointer: string): Json | undefined {
  if (pointer === '') return value;
  let found = value;
  for (const step of pointer.slice(1).split('/')) {
    if (typeof found !== 'object' || found === null) return undefined;
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (!Object.hasOwn(found, key) || (Array.isArray(found) && !/^\d+$/.test(key))) {
      return undefined;
    }
    found = (found as Readonly<Record<string, Json>>)[key];
  }
  return found;
}
