const BEGINS = '-----BEGIN ';
const ENDS = '-----END ';
const HEADER = /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/y;
const FOOTER = /-----END (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/y;
const BODY_CHARACTERS_MAX = 65_536;
/** What stands in a key: base64, line ends (also as JSON writes them), headers of old forms. */
const BODY = /^[A-Za-z0-9+/=\s\\:,.()-]*$/;
/** Of a key that was cut off. */
const REST = /[A-Za-z0-9+/=\s\\]*/y;

/** Places of private-key blocks, also of those without an end. Every character is looked at once. */
export function privateKeysIn(text: string): readonly (readonly [start: number, end: number])[] {
  const found: [number, number][] = [];
  for (let start = text.indexOf(BEGINS); start >= 0;) {
    const body = endOf(HEADER, text, start);
    const next = text.indexOf(BEGINS, start + BEGINS.length);
    if (body !== undefined) {
      const limit = Math.min(next < 0 ? text.length : next, body + BODY_CHARACTERS_MAX);
      found.push([start, keyEnd(text, body, limit)]);
    }
    start = next;
  }
  return found;
}

function keyEnd(text: string, body: number, limit: number): number {
  const within = text.slice(body, limit);
  const footer = within.indexOf(ENDS);
  const end = footer < 0 ? undefined : endOf(FOOTER, text, body + footer);
  if (end !== undefined && BODY.test(within.slice(0, footer))) return end;
  return body + endOf(REST, within, 0)!;
}

function endOf(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
