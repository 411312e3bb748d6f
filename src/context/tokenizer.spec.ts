import { describe, expect, it } from '@jest/globals';
import { tools } from '../../test/context/built.js';
import { StreamBuilder } from '../../test/context/stream-builder.js';
import { type ReadyContext, buildContext } from './build-context.js';
import { sourceFromRecords } from './source-from-records.js';
import type { Tokenizer } from './tokenizer.js';

const WORDS: Tokenizer = {
  name: 'words',
  charactersMax: 1_000,
  countTokens: (text) => text.split(' ').length,
};

function counted(tokenizer: Tokenizer | undefined, text: string): ReadyContext {
  const { records } = new StreamBuilder().started().input('u1', text);
  const source = sourceFromRecords(records, 's1');
  const request = { format: 'anthropic', instructions: 'Be brief.', model: 'model-1' } as const;
  return buildContext(source, request, { ...tools, tokenizer }) as ReadyContext;
}

describe('tokens of a context', () => {
  it('are estimated without a tokenizer, and the report says so', () => {
    const { counting } = counted(undefined, 'one two three');
    expect(counting).toEqual({ by: 'estimate', estimatedTexts: 0, onReportedUsage: false });
  });

  it('are counted by the tokenizer that there is', () => {
    const few = counted(WORDS, 'x'.repeat(900));
    const many = counted(WORDS, `${'x '.repeat(449)}x`);
    expect(many.estimatedTokens - few.estimatedTokens).toBe(449);
    expect(many.counting).toEqual({ by: 'words', estimatedTexts: 0, onReportedUsage: false });
    expect(many.contentHash).not.toBe(few.contentHash);
  });

  it('of texts over its limit are estimated: it never sees them', () => {
    let longest = 0;
    const watched: Tokenizer = {
      ...WORDS,
      countTokens: (text): number => (longest = Math.max(longest, text.length)),
    };
    const context = counted(watched, 'x'.repeat(40_000));
    expect(longest).toBeLessThan(100);
    expect(context.estimatedTokens).toBeGreaterThan(10_000);
    expect(context.counting).toMatchObject({ by: 'words', estimatedTexts: 1 });
  });

  it.each([
    [
      'throws',
      (): number => {
        throw new Error('no');
      },
    ],
    ['answers nonsense', (): number => NaN],
    ['answers less than nothing', (): number => -1],
  ] as const)('are estimated where it %s', (_, countTokens) => {
    const context = counted({ name: 'broken', countTokens }, 'x'.repeat(4_000));
    expect(context.estimatedTokens).toBe(counted(undefined, 'x'.repeat(4_000)).estimatedTokens);
    expect(context.counting).toMatchObject({ by: 'broken', estimatedTexts: 2 });
  });

  it('may depend on the model', () => {
    const models = new Set<string | undefined>();
    counted({ name: 'm', countTokens: (_, model): number => models.add(model).size }, 'hi');
    expect([...models]).toEqual(['model-1']);
  });
});
