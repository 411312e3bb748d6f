import { readFileSync, readdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { unfinished, writeAsItComes } from './growing-file.js';

async function* piecesOf(...pieces: readonly string[]): AsyncGenerator<string> {
  for (const piece of pieces) {
    await pause(1);
    if (piece === 'fail') throw new Error('there is no more');
    yield piece;
  }
}

it('has its name when it is whole', async () => {
  const folder = temporaryFolder();
  const file = join(folder.path, 'lines');
  const seen: string[][] = [];
  async function* watched(): AsyncGenerator<string> {
    for await (const piece of piecesOf('one\n', 'two\n')) {
      seen.push(readdirSync(folder.path));
      yield piece;
    }
  }
  await writeAsItComes(file, watched());
  expect(seen).toEqual([['lines.unfinished'], ['lines.unfinished']]);
  expect(readdirSync(folder.path)).toEqual(['lines']);
  expect(readFileSync(file, 'utf8')).toBe('one\ntwo\n');
  folder.remove();
});

it.each([
  ['before its first piece', ['fail']],
  ['in the middle', ['one\n', 'fail']],
])('leaves nothing when what it is made of fails %s', async (_, pieces) => {
  const folder = temporaryFolder();
  for (let round = 0; round < 20; round += 1) {
    const file = join(folder.path, `lines-${round}`);
    await expect(writeAsItComes(file, piecesOf(...pieces))).rejects.toThrow('there is no more');
  }
  // Refused by the system when anything came after a failure.
  rmdirSync(folder.path);
});

it('begins anew over what a killed process has left', async () => {
  const folder = temporaryFolder();
  const file = join(folder.path, 'lines');
  await writeAsItComes(unfinished(file), piecesOf('left by a killed process, and longer\n'));
  await writeAsItComes(file, piecesOf('one\n'));
  expect(readFileSync(file, 'utf8')).toBe('one\n');
  folder.remove();
});
