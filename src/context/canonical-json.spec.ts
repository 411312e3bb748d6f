import { describe, expect, it } from '@jest/globals';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { canonicalJson } from './canonical-json.js';

describe('canonicalJson', () => {
  it('writes what RFC 8785 says, for any JSON value', () => {
    const key = fc.oneof(
      fc.string(),
      fc.constantFrom('10', '9', '__proto__', 'toString', 'é', '🙂'),
    );
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        fc.string({ unit: 'binary' }),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.constantFrom(null, true, false),
        fc.array(tie('tree')),
        fc.dictionary(key, tie('tree'), { noNullPrototype: true }),
      ),
    }));
    fc.assert(
      fc.property(tree, (value) => {
        expect(canonicalJson(value)).toBe(canonicalize(value));
      }),
    );
  });

  it('sorts keys that are numbers as texts', () => {
    expect(canonicalJson({ 9: [{ b: 1, a: 2 }], 10: 'x' })).toBe('{"10":"x","9":[{"a":2,"b":1}]}');
  });

  it('leaves out of objects what JSON cannot hold, and writes null for it in lists', () => {
    const value = { b: undefined, f: () => 1, list: [undefined, () => 1], big: 12n };
    expect(canonicalJson(value)).toBe('{"big":"12","list":[null,null]}');
    expect(canonicalJson(undefined)).toBe('null');
  });
});
