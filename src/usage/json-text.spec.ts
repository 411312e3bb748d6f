import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { jsonTextAt } from './json-text.js';

describe('jsonTextAt', () => {
  it('gives the text of a value as written', () => {
    const json = '{ "a\\"b": [1, {"x": "}"}], "usage": {"cost" : 0.10e-3 }, "z": null }';
    expect(jsonTextAt(json, ['usage', 'cost'])).toBe('0.10e-3');
    expect(jsonTextAt(json, ['usage'])).toBe('{"cost" : 0.10e-3 }');
    expect(jsonTextAt(json, ['a"b'])).toBe('[1, {"x": "}"}]');
    expect(jsonTextAt(json, ['missing'])).toBeUndefined();
    expect(jsonTextAt(json, ['z', 'deeper'])).toBeUndefined();
  });

  it('takes the last of members with one name, as JSON.parse does', () => {
    expect(jsonTextAt('{"a":1,"a":2}', ['a'])).toBe('2');
  });

  it.each(['', '{', '{"a"', '{"a":', '{"a":"x', '[', '{"a":1 "b":2}', '"a'])(
    'finds nothing in %s, and does not throw',
    (json) => {
      expect(jsonTextAt(json, ['b'])).toBeUndefined();
    },
  );

  it('finds what JSON.parse finds', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.nat({ max: 3 }),
        (value, indent) => {
          const json = JSON.stringify(value, undefined, indent);
          const parsed = JSON.parse(json) as Record<string, unknown>;
          for (const key of Object.keys(parsed)) {
            expect(JSON.parse(jsonTextAt(json, [key]) ?? '"nothing"')).toEqual(parsed[key]);
          }
        },
      ),
    );
  });
});
