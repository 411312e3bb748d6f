import { expect } from '@jest/globals';

/**
 * Equal by value. Not assert.deepStrictEqual, which tells arrays that a native module made from
 * those of Jest's own context.
 */
export function same(actual: unknown, expected: unknown): void {
  expect(actual).toEqual(expected);
}
