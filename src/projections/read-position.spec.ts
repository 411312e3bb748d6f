import { describe, expect, it } from '@jest/globals';
import {
  InvalidReadPositionError,
  formatReadPosition,
  parseReadPosition,
} from './read-position.js';

describe('a read position', () => {
  it('comes back as it was given out, beyond what a JSON number holds', () => {
    const position = 9_007_199_254_740_993n;
    expect(parseReadPosition(formatReadPosition(position))).toBe(position);
    expect(parseReadPosition('0')).toBe(0n);
  });

  it.each(['', '-1', '01', '1.5', '0x10', ' 1', '1e3', 'now', '9'.repeat(20)])(
    'is not %j',
    (text) => {
      expect(() => parseReadPosition(text)).toThrow(InvalidReadPositionError);
    },
  );
});
