import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { compilePattern } from './tenant-patterns.js';

const LONG = 200_000;

describe('the matches of a pattern', () => {
  it('are the same in a long text as by the language’s own search, wherever they stand', () => {
    const pieces = fc.array(fc.tuple(fc.nat(40_000), fc.nat(400)), { minLength: 1, maxLength: 8 });
    const { matches } = compilePattern({ name: 'p', pattern: 'key-[0-9]+' });
    fc.assert(
      fc.property(pieces, (lengths) => {
        const text = lengths
          .map(([space, digits]) => `${'.'.repeat(space)}key-${'7'.repeat(digits)}`)
          .join('');
        const expected = [...text.matchAll(/key-[0-9]+/g)].map(({ index, 0: hit }) => [
          index,
          index + hit.length,
        ]);
        expect(matches(text)).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });

  it('of an anchored pattern are those of the whole text', () => {
    const text = `${'a '.repeat(LONG / 2)}end`;
    expect(compilePattern({ name: 'p', pattern: '^a' }).matches(text)).toEqual([[0, 1]]);
    expect(compilePattern({ name: 'p', pattern: 'end$' }).matches(text)).toEqual([
      [text.length - 3, text.length],
    ]);
  });

  it('are given up within a text that holds none, when time is over', () => {
    const { matches } = compilePattern({ name: 'p', pattern: '[a-z]{2,5}-[0-9]{8,}' });
    let asked = 0;
    expect(matches('lorem ipsum-12 '.repeat(LONG / 10), () => (asked += 1) > 2)).toBeUndefined();
    expect(asked).toBe(3);
  });
});
