import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  addAmounts,
  displayPico,
  divideHalfEven,
  formatPico,
  parsePico,
  sortableMicro,
  statedCost,
} from './money.js';

describe('money', () => {
  it.each([
    ['12.1783895', 12_178_389_500_000n, false],
    ['0.0029500000000000004', 2_950_000_000n, true],
    ['1e-12', 1n, false],
    ['5e-13', 0n, true],
    ['1.5e-12', 2n, true],
    ['2.5e-12', 2n, true],
    ['-0.5', -500_000_000_000n, false],
    ['4.1400000000000003e-05', 41_400_000n, true],
    ['7', 7_000_000_000_000n, false],
    ['.5', 500_000_000_000n, false],
  ])('reads %s as %s pico', (text, pico, rounded) => {
    expect(parsePico(text)).toEqual({ pico, rounded });
  });

  it.each(['', '.', 'abc', '1e999', '1,5', 'NaN', '0x10', '1'.repeat(500)])(
    'refuses %s, which is no amount',
    (text) => {
      expect(parsePico(text)).toBeUndefined();
    },
  );

  it('formats without exponent and without trailing zeros', () => {
    expect(formatPico(12_178_389_500_000n)).toBe('12.1783895');
    expect(formatPico(1n)).toBe('0.000000000001');
    expect(formatPico(0n)).toBe('0');
    expect(formatPico(-2_000_000_000_000n)).toBe('-2');
  });

  it('format and parse are inverse for any amount', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), (pico) => {
        expect(parsePico(formatPico(pico))).toEqual({ pico, rounded: false });
      }),
    );
  });

  it('rounds half to even, on both sides of 0', () => {
    const rounded = [5n, 15n, 25n, -5n, -15n, 14n, 16n].map((value) => divideHalfEven(value, 10n));
    expect(rounded).toEqual([0n, 2n, 2n, 0n, -2n, 1n, 2n]);
  });

  it.each([
    ['12.785085', '12.79'],
    ['0.662', '0.6620'],
    ['0.99996', '1.00'],
    ['0.00003', '< 0.0001'],
    ['0', '0.00'],
    ['1.005', '1.00'],
    ['1.015', '1.02'],
  ])('shows %s as %s', (text, shown) => {
    expect(displayPico(parsePico(text)?.pico ?? -1n)).toBe(shown);
  });

  it('U30 adds exactly and in any order, beyond what a double or an int64 holds', () => {
    const amounts = [
      { currency: 'USD', amountPico: '9007199254740993' },
      { currency: 'EUR', amountPico: '1' },
      { currency: 'USD', amountPico: '9223372036854775807' },
    ];
    const sum = [
      { currency: 'EUR', amountPico: '1' },
      { currency: 'USD', amountPico: '9232379236109516800' },
    ];
    expect(addAmounts(amounts)).toEqual(sum);
    expect(addAmounts([...amounts].reverse())).toEqual(sum);
  });

  it('gives whole micro-units for sorting, inside int64', () => {
    expect(sortableMicro(12_178_389_500_000n)).toBe(12_178_389n);
    expect(sortableMicro(10n ** 40n)).toBe(2n ** 63n - 1n);
  });

  it('keeps a stated cost exactly and says when digits were lost', () => {
    expect(statedCost('0.0160614', 'provider')).toEqual({
      amountPico: '16061400000',
      currency: 'USD',
      source: 'provider',
    });
    expect(statedCost('0.0029500000000000004', 'reported').flags).toEqual(['rounded']);
    expect(statedCost('-1', 'reported').amountPico).toBeNull();
    expect(statedCost('free', 'reported').reason).toBe('amount_unreadable');
  });
});
