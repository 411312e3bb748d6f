const KEYWORDS =
  /(?:key|token|secret|passw(?:or)?d|passphrase|pwd|credentials?)[\w-]{0,20}["'`\\]{0,2}\s{0,3}(?:[:=]|=>)\s{0,3}["'`\\]{0,2}([A-Za-z0-9_+/=.~!@#$%^&*-]{20,256})/gi;
const BITS_PER_CHARACTER_MIN = 3.5;

export interface Suspect {
  readonly start: number;
  readonly end: number;
}

/** Long tokens next to a word such as key, token, secret or password that look random. */
export function suspectsIn(text: string): readonly Suspect[] {
  const found: Suspect[] = [];
  for (const match of text.matchAll(KEYWORDS)) {
    const token = match[1]!;
    if (entropyOf(token) < BITS_PER_CHARACTER_MIN || !/\d/.test(token)) continue;
    const end = match.index + match[0].length;
    found.push({ start: end - token.length, end });
  }
  return found;
}

/** Shannon, in bits per character. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) {
    const share = count / text.length;
    bits -= share * Math.log2(share);
  }
  return bits;
}
