/** Looks into JSON text without parsing it, so that digits and spelling stay as written. */

const whitespace = /[ \t\n\r]*/y;
const scalar = /-?\d[\d.eE+-]*|true|false|null/y;
const depthMax = 200;

class JsonScanner {
  at = 0;

  constructor(readonly text: string) {}

  space(): void {
    this.take(whitespace);
  }

  take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text);
    if (!match) return undefined;
    this.at += match[0].length;
    return match[0];
  }

  /** A string token with its quotes. A loop: a pattern could exhaust the stack on long strings. */
  takeString(): string | undefined {
    const start = this.at;
    if (this.text[start] !== '"') return undefined;
    for (let at = start + 1; at < this.text.length; at += 1) {
      if (this.text[at] === '\\') at += 1;
      else if (this.text[at] === '"') {
        this.at = at + 1;
        return this.text.slice(start, this.at);
      }
    }
    return undefined;
  }

  literal(character: string): boolean {
    this.space();
    if (this.text[this.at] !== character) return false;
    this.at += 1;
    return true;
  }

  /** Moves behind the next value. False: no value here. */
  skip(depth: number): boolean {
    if (depth > depthMax) return false;
    this.space();
    const first = this.text[this.at];
    if (first === '"') return this.takeString() !== undefined;
    if (first === '{') return this.skipMembers(depth, '}', true);
    if (first === '[') return this.skipMembers(depth, ']', false);
    return this.take(scalar) !== undefined;
  }

  private skipMembers(depth: number, close: string, keyed: boolean): boolean {
    this.at += 1;
    if (this.literal(close)) return true;
    do {
      if (keyed && this.key() === undefined) return false;
      if (!this.skip(depth + 1)) return false;
    } while (this.literal(','));
    return this.literal(close);
  }

  key(): string | undefined {
    this.space();
    const token = this.takeString();
    if (token === undefined || !this.literal(':')) return undefined;
    try {
      return JSON.parse(token) as string;
    } catch {
      return undefined;
    }
  }

  /** Moves to the value of a member; of members with one name the last one, as JSON.parse. */
  enter(name: string): boolean {
    if (!this.literal('{')) return false;
    let found = -1;
    do {
      const key = this.key();
      if (key === undefined) break;
      this.space();
      if (key === name) found = this.at;
      if (!this.skip(0)) return false;
    } while (this.literal(','));
    if (found < 0) return false;
    this.at = found;
    return true;
  }
}

/** The text of the value at a path of object keys, exactly as written; undefined if none. */
export function jsonTextAt(json: string, path: readonly string[]): string | undefined {
  const scanner = new JsonScanner(json);
  for (const key of path) if (!scanner.enter(key)) return undefined;
  scanner.space();
  const start = scanner.at;
  return scanner.skip(0) ? json.slice(start, scanner.at) : undefined;
}
