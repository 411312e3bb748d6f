import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TemporaryFolder, temporaryFolder } from '../../test/support/temporary-folder.js';
import { loadTokenizer } from './load-tokenizer.js';

describe('the tokenizer of the configuration', () => {
  let folder: TemporaryFolder;
  beforeAll(() => {
    folder = temporaryFolder();
  });
  afterAll(() => folder.remove());

  function module(name: string, text: string): string {
    const file = join(folder.path, name);
    writeFileSync(file, text);
    return file;
  }

  it('is none by default', async () => {
    expect(await loadTokenizer(undefined)).toBeUndefined();
  });

  it('is what the module exports', async () => {
    const file = module(
      'letters.mjs',
      `export const tokenizer = { name: 'letters', countTokens: (text) => text.length };`,
    );
    const tokenizer = await loadTokenizer(file);
    expect([tokenizer!.name, tokenizer!.countTokens('abc')]).toEqual(['letters', 3]);
  });

  it.each([
    ['no tokenizer', 'export const other = 1;'],
    ['one without a name', 'export const tokenizer = { countTokens: () => 1 };'],
    ['one that cannot count', `export const tokenizer = { name: 'x' };`],
    [
      'a wrong limit',
      `export const tokenizer = { name: 'x', countTokens: () => 1, charactersMax: '9' };`,
    ],
  ])('is refused when the module exports %s', async (what, text) => {
    const file = module(`${what.replaceAll(' ', '-')}.mjs`, text);
    await expect(loadTokenizer(file)).rejects.toThrow(/HOLDFAST_TOKENIZER is .*must be a module/);
  });

  it('is refused when there is no such module', async () => {
    const missing = loadTokenizer(join(folder.path, 'none.mjs'));
    await expect(missing).rejects.toThrow(/HOLDFAST_TOKENIZER is .*none\.mjs/);
  });
});
