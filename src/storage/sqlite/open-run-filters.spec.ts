import { beforeEach, describe, expect, it } from '@jest/globals';
import { mayContain } from './key-filter.js';
import { OpenRunFilters } from './open-run-filters.js';

describe('filters over the open run of the key index', () => {
  let read: number;
  let inIndex: number[];
  let filters: OpenRunFilters;

  beforeEach(() => {
    read = 0;
    inIndex = [11, 12];
    filters = new OpenRunFilters(() => {
      read += 1;
      return inIndex;
    });
  });

  function prepared(indexed: number, run = 0): Uint8Array {
    for (let lookUp = 0; lookUp < 4; lookUp += 1) {
      const filter = filters.prepare(1n, run, indexed);
      if (filter !== undefined) return filter;
    }
    throw new Error('no filter was made');
  }

  it('are made for a stream that is asked again, and then kept', () => {
    expect(filters.prepare(1n, 0, 9)).toBeUndefined();
    const filter = prepared(9);
    expect([mayContain(filter, 11), mayContain(filter, 99)]).toEqual([true, false]);
    expect(prepared(9)).toBe(filter);
    expect(read).toBe(1);
  });

  it('take up what is indexed behind them, and are made anew after anything else', () => {
    prepared(9);
    filters.noteIndexed(1n, { run: 0, from: 9, to: 12 }, [77]);
    expect([mayContain(prepared(12), 77), read]).toEqual([true, 1]);
    // Somebody else has moved the index on.
    inIndex.push(88);
    expect([mayContain(prepared(15), 88), read]).toEqual([true, 2]);
    // A stretch that does not begin where this one ends.
    filters.noteIndexed(1n, { run: 0, from: 12, to: 20 }, [55]);
    inIndex.push(66);
    expect([mayContain(prepared(20), 66), read]).toEqual([true, 3]);
    expect(prepared(4_100, 1)).not.toBe(prepared(20));
  });

  it('are forgotten when what was noted was rolled back', () => {
    prepared(9);
    filters.noteIndexed(1n, { run: 0, from: 9, to: 12 }, [77]);
    filters.forget();
    inIndex.push(78);
    expect(mayContain(prepared(12), 78)).toBe(true);
  });
});
