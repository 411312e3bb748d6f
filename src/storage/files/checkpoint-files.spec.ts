import { describe, expect, it } from '@jest/globals';
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { CheckpointFiles } from './checkpoint-files.js';

describe('the files of checkpoints', () => {
  it('keep what was signed, copy it, and know the keys of before', async () => {
    const { path, remove } = temporaryFolder();
    const copy = join(path, 'elsewhere.ndjson');
    const one = await CheckpointFiles.open(path, copy);
    const signature = one.sign('text');
    await one.add('{"seq":1}');
    expect(statSync(join(path, 'checkpoint-key')).mode & 0o777).toBe(0o600);
    renameSync(join(path, 'checkpoint-key'), join(path, 'old'));
    const other = await CheckpointFiles.open(path, copy);
    expect(other.keyId).not.toBe(one.keyId);
    await other.add('{"seq":2}');
    expect(await other.all()).toEqual(['{"seq":1}', '{"seq":2}']);
    expect(readFileSync(copy, 'utf8')).toBe('{"seq":1}\n{"seq":2}\n');
    expect(other.isSigned('text', one.keyId, signature)).toBe(true);
    expect(other.isSigned('text', other.keyId, signature)).toBe(false);
    expect(other.isSigned('Text', one.keyId, signature)).toBe(false);
    expect(other.isSigned('text', 'nobody', signature)).toBe(false);
    expect((await CheckpointFiles.open(path)).keyId).toBe(other.keyId);
    writeFileSync(join(path, 'checkpoint-key'), 'no key');
    await expect(CheckpointFiles.open(path)).rejects.toThrow(/checkpoint-key cannot be used/);
    remove();
  });
});
