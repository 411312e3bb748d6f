/** Every token that is told by its form has a run of at least so many characters of `RUN`. */
const RUN_CHARACTERS_MIN = 20;
const RUN = charactersOf(/[\w+/=~-]/);
/** What a token can hold besides. */
const AROUND = charactersOf(/[\w+=~.:/%-]/);

export type Stretch = readonly [start: number, end: number];

/**
 * The stretches of a text in which tokens can stand, in order. Looks at one character of twenty where
 * there is none, which makes it cheap for what people write.
 */
export function stretchesIn(text: string): readonly Stretch[] {
  const stretches: Stretch[] = [];
  for (let last = RUN_CHARACTERS_MIN - 1; last < text.length;) {
    let first = last;
    while (first > last - RUN_CHARACTERS_MIN && isIn(RUN, text, first)) first -= 1;
    if (first > last - RUN_CHARACTERS_MIN) {
      last = first + RUN_CHARACTERS_MIN;
      continue;
    }
    const floor = stretches.at(-1)?.[1] ?? 0;
    let [start, end] = [last, last + 1];
    while (start > floor && isIn(AROUND, text, start - 1)) start -= 1;
    // The rules look at whether an escaped line end goes before.
    if (start > floor && text[start - 1] === '\\') start -= 1;
    while (end < text.length && isIn(AROUND, text, end)) end += 1;
    stretches.push([start, end]);
    last = end + RUN_CHARACTERS_MIN;
  }
  return stretches;
}

function isIn(characters: Uint8Array, text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code < characters.length && characters[code] === 1;
}

function charactersOf(pattern: RegExp): Uint8Array {
  return Uint8Array.from({ length: 128 }, (_, code) =>
    pattern.test(String.fromCharCode(code)) ? 1 : 0,
  );
}
