/** A header of the request, or a place in its JSON body (RFC 6901). */
export type KeyField = { readonly header: string } | { readonly body: string };

const HEADER = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/;
const POINTER = /^(\/([^~/]|~[01])*)+$/;
const CHARACTERS_MAX = 256;

/** A key that nobody says where to put is sent nowhere: the retry would rest on nothing. */
export function keyFieldFaults(effect: string, keyField: unknown): readonly string[] {
  if (keyField === undefined) {
    return effect === 'keyedWrite'
      ? ['a keyedWrite needs a keyField: {"header": "Idempotency-Key"} or {"body": "/pointer"}']
      : [];
  }
  if (effect === 'readOnly') return ['keyField is for writes'];
  return isKeyField(keyField)
    ? []
    : ['keyField must be {"header": "the name of a header"} or {"body": "/a JSON pointer"}'];
}

function isKeyField(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const [entry, ...others] = Object.entries(value as Readonly<Record<string, unknown>>);
  if (entry === undefined || others.length > 0) return false;
  const [place, text] = entry;
  if (typeof text !== 'string' || text.length > CHARACTERS_MAX) return false;
  if (place === 'header') return HEADER.test(text);
  return place === 'body' && POINTER.test(text);
}
