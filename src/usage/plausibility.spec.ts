import { describe, expect, it } from '@jest/globals';
import { unknownUsage } from '../domain/usage.js';
import { estimateTokens } from './estimate-tokens.js';
import { extractUsage } from './extract-usage.js';
import { flagImplausible } from './plausibility.js';

const placeholder = extractUsage({ usage: { input_tokens: 10, output_tokens: 2 } }).calls[0].usage;

describe('plausibility', () => {
  it('U34 flags a placeholder: more than 40 characters of text per output token', () => {
    expect(flagImplausible(placeholder, 81).flags).toEqual(['implausible']);
    expect(flagImplausible(placeholder, 80).flags).toEqual([]);
    const twice = flagImplausible(flagImplausible(placeholder, 81), 81);
    expect(twice.flags).toEqual(['implausible']);
  });

  it('has nothing to say of unknown usage', () => {
    expect(flagImplausible(unknownUsage('imported'), 1_000).flags).toEqual([]);
  });

  it('estimates a quarter of the ASCII characters and one token for every other character', () => {
    expect(estimateTokens('abcdefgh')).toBe(2);
    expect(estimateTokens('漢字')).toBe(2);
    expect(estimateTokens('')).toBe(0);
    expect(estimateTokens('a🙂')).toBe(2);
  });
});
