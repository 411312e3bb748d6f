import { describe, expect, it } from '@jest/globals';
import { rangeOf } from './byte-range.js';

describe('a Range header', () => {
  it.each([
    ['bytes=0-0', { from: 0, to: 0 }],
    ['bytes=2-5', { from: 2, to: 5 }],
    ['bytes=2-', { from: 2, to: 9 }],
    ['bytes=2-99', { from: 2, to: 9 }],
    ['bytes=-3', { from: 7, to: 9 }],
    ['bytes=-99', { from: 0, to: 9 }],
    ['bytes=10-', 'not_satisfiable'],
    ['bytes=-0', 'not_satisfiable'],
    ['bytes=5-2', undefined],
    ['bytes=0-1,4-5', undefined],
    ['lines=0-1', undefined],
    ['bytes=a-b', undefined],
    [undefined, undefined],
  ])('%s of ten bytes', (header, expected) => {
    expect(rangeOf(header, 10)).toEqual(expected);
  });

  it('finds nothing in an empty artifact', () => {
    expect(rangeOf('bytes=0-', 0)).toBe('not_satisfiable');
    expect(rangeOf('bytes=-1', 0)).toBe('not_satisfiable');
  });
});
