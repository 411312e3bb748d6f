import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { NumberTooLargeError, exactNumber, parseExact } from './exact-json.js';

describe('a whole number that no double holds', () => {
  it.each([
    ['12345678901234567890', '12345678901234567890'],
    ['-12345678901234567890', '-12345678901234567890'],
    ['9007199254740992', '9007199254740992'],
    ['9007199254740993', '9007199254740993'],
    ['1'.repeat(400), '1'.repeat(400)],
  ])('%s becomes its text, wherever it stands', (token, text) => {
    expect(parseExact(token)).toBe(text);
    expect(parseExact(` { "a" : [ ${token},${token} ,1],"b":${token}}`)).toEqual({
      a: [text, text, 1],
      b: text,
    });
  });

  it('means the same as its text', () => {
    expect(parseExact('{"id":12345678901234567890}')).toEqual(
      parseExact('{"id":"12345678901234567890"}'),
    );
  });

  it('is no concern inside a text or a key', () => {
    const text = '{"12345678901234567890":"a \\" 12345678901234567890, 1e999","b":" 1e999"}';
    expect(parseExact(text)).toEqual(JSON.parse(text));
  });
});

describe('a number that nothing holds', () => {
  it.each(['1e999', '-1E+999', '1.5e400', '1e0309', `${'1'.repeat(250)}e99`, '0.1e1000'])(
    '%s is refused, and named',
    (token) => {
      for (const text of [token, `{"a":[1,${token}]}`, `{"a": ${token} }`]) {
        expect(() => parseExact(text)).toThrow(NumberTooLargeError);
        expect(() => parseExact(text)).toThrow(token.slice(0, 32));
      }
    },
  );
});

describe('every other number', () => {
  it.each([
    ['9007199254740991', 9007199254740991],
    ['-9007199254740991', -9007199254740991],
    ['0.1234567890123456789', 0.12345678901234568],
    ['1234567890123456.5', 1234567890123456.5],
    ['1e300', 1e300],
    ['1e-999', 0],
    ['12345678901234567890.5', 12345678901234567000],
  ])('%s is the nearest double', (token, value) => {
    expect(parseExact(`[${token}]`)).toEqual([value]);
    expect(exactNumber(token)).toBe(value);
  });

  it('parses as JSON.parse does, in any JSON', () => {
    const isHeld = (value: unknown): boolean =>
      typeof value === 'number'
        ? !Number.isInteger(value) || Number.isSafeInteger(value) || /e/.test(String(value))
        : typeof value !== 'object' || value === null || Object.values(value).every(isHeld);
    const space = fc.constantFrom(undefined, 1, '\t');
    fc.assert(
      fc.property(fc.jsonValue().filter(isHeld), space, (value, indent) => {
        const text = JSON.stringify(value, undefined, indent);
        expect(parseExact(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it('keeps all digits of any whole number, beside texts of any kind', () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.string(), (number, said) => {
        const parsed = parseExact(`{${JSON.stringify(said)}:[${JSON.stringify(said)},${number}]}`);
        const [text, kept] = Object.values(parsed as Record<string, [string, unknown]>)[0]!;
        expect([text, String(kept)]).toEqual([said, String(number)]);
      }),
    );
  });

  it.each(['', '{', '{"a":01234567890123456789}', '[12345678901234567890', '- 1'])(
    'is a SyntaxError where JSON.parse has one: %s',
    (text) => expect(() => parseExact(text)).toThrow(SyntaxError),
  );
});
