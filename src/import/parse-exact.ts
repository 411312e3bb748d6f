const longDigits = /\d{16}/;
const numberEnd = /[^0-9.eE+-]/g;
const wholeNumber = /^-?\d+$/;

/**
 * Parses JSON; a whole number that a double cannot hold becomes the text of its digits, so that an
 * id in a tool's arguments stays the id it was.
 * @throws SyntaxError
 */
export function parseExact(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return longDigits.test(text) ? JSON.parse(withQuotedIntegers(text)) : value;
}

/** A loop: a pattern over strings of megabytes could exhaust the stack. */
function withQuotedIntegers(text: string): string {
  const parts: string[] = [];
  let copied = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]!;
    if (character === '"') {
      at = endOfString(text, at);
    } else if (character === '-' || (character >= '0' && character <= '9')) {
      numberEnd.lastIndex = at;
      const end = numberEnd.exec(text)?.index ?? text.length;
      const token = text.slice(at, end);
      if (wholeNumber.test(token) && !Number.isSafeInteger(Number(token))) {
        parts.push(text.slice(copied, at), `"${token}"`);
        copied = end;
      }
      at = end - 1;
    }
  }
  return copied === 0 ? text : parts.join('') + text.slice(copied);
}

/** Index of the closing quote; the text is known to be valid JSON. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at;
  }
  return text.length;
}

/** Deeper values are refused: code that walks them would exhaust the stack. */
export const JSON_DEPTH_MAX = 200;

export function isTooDeep(value: unknown, depthMax = JSON_DEPTH_MAX): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > depthMax) return true;
    const next: unknown[] = [];
    for (const item of level) {
      if (typeof item !== 'object' || item === null) continue;
      for (const member of Object.values(item)) {
        if (typeof member === 'object' && member !== null) next.push(member);
      }
    }
    level = next;
  }
  return false;
}
