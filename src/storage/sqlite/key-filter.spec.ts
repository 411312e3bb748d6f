import { describe, expect, it } from '@jest/globals';
import { filterOf, mayContain } from './key-filter.js';
import { digestOf, hashOf } from './key-digest.js';

const hash = (key: string): number => Number(hashOf(digestOf(key)));

describe('a filter of keys', () => {
  const present = Array.from({ length: 6_000 }, (_, index) => hash(`id:${index}`));
  const filter = filterOf(present);

  it('never misses a key that it was made of', () => {
    expect(present.every((one) => mayContain(filter, one))).toBe(true);
  });

  it('tells nearly every other key apart', () => {
    const absent = Array.from({ length: 20_000 }, (_, index) => hash(`cmd:${index}`));
    const passed = absent.filter((one) => mayContain(filter, one)).length;
    expect(passed / absent.length).toBeLessThan(0.02);
  });

  it('of no keys lets none pass', () => {
    expect(mayContain(filterOf([]), hash('id:1'))).toBe(false);
  });
});
