const wholeNumber = /^-?\d+$/;
const numberEnd = /[^0-9.eE+-]/g;
/** Without one of these no number can be beyond a double: 16 digits on end, or an exponent of three. */
const suspect = /(?:^|[:,[\s])-?\d(?:\d{15}|[\d.]*[eE]\+?\d{3})/;

/** A number that is infinite as a double, and would be stored as null. */
export class NumberTooLargeError extends Error {
  constructor(token: string) {
    super(`the number ${token.slice(0, 32)} is too large to be kept: write it as text`);
    this.name = 'NumberTooLargeError';
  }
}

/**
 * Parses JSON and loses no whole number: one beyond the safe integers becomes the text of its
 * digits, so that an id in a tool's arguments stays the id it was. Fractions become the nearest
 * double, as in every JSON parser.
 * @throws SyntaxError
 * @throws NumberTooLargeError
 */
export function parseExact(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (!suspect.test(text)) return value;
  const exact = withQuotedIntegers(text);
  return exact === text ? value : JSON.parse(exact);
}

/**
 * The value of a number as JSON writes it.
 * @throws NumberTooLargeError
 */
export function exactNumber(token: string): number | string {
  const value = Number(token);
  if (wholeNumber.test(token)) return Number.isSafeInteger(value) ? value : token;
  if (Number.isFinite(value)) return value;
  throw new NumberTooLargeError(token);
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
      if (typeof exactNumber(token) === 'string') {
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
