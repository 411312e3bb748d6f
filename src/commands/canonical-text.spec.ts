import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { canonicalText } from './session-command.js';

describe('canonicalText', () => {
  it('is JSON of the same value', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const value: unknown = JSON.parse(text);
        expect(JSON.parse(canonicalText(value))).toEqual(value);
      }),
    );
  });

  it('does not depend on the order of keys, at any depth', () => {
    const one = { a: 1, b: [{ d: 'x', c: { f: null, e: true } }], 10: 'ten', 9: 'nine' };
    const other = { 9: 'nine', 10: 'ten', b: [{ c: { e: true, f: null }, d: 'x' }], a: 1 };
    expect(canonicalText(other)).toBe(canonicalText(one));
  });

  it('depends on the order of a list and on every value', () => {
    expect(canonicalText([1, 2])).not.toBe(canonicalText([2, 1]));
    expect(canonicalText({ a: '1' })).not.toBe(canonicalText({ a: 1 }));
  });

  it('keeps a key named __proto__, and leaves out what is undefined', () => {
    const value: unknown = JSON.parse('{"__proto__":{"b":1,"a":2},"c":3}');
    expect(canonicalText(value)).toBe('{"__proto__":{"a":2,"b":1},"c":3}');
    expect(canonicalText({ b: undefined, a: 1 })).toBe('{"a":1}');
  });
});
