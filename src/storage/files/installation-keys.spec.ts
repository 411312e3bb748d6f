import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type TemporaryFolder, temporaryFolder } from '../../../test/support/temporary-folder.js';
import type { CommonSecrets } from '../common-secrets.js';
import { InstallationKeys } from './installation-keys.js';

describe('the keys of an installation', () => {
  let folder: TemporaryFolder;
  let keysDir: string;
  let dataDir: string;

  beforeEach(() => {
    folder = temporaryFolder();
    keysDir = join(folder.path, 'data-keys');
    dataDir = join(folder.path, 'data');
  });
  afterEach(() => folder.remove());

  const open = () => InstallationKeys.open(keysDir, dataDir);
  const keyIn = (name: string) => readFileSync(join(keysDir, name), 'utf8').trim();

  it('are made at the first start, for this user only, and stay', async () => {
    const keys = await open();
    expect(keyIn('api-key')).toMatch(/^hf_[0-9a-f]{16}_[0-9a-f]{64}$/);
    expect(keys.apiKeyFile).toBe(join(keysDir, 'api-key'));
    expect(statSync(keysDir).mode & 0o777).toBe(0o700);
    for (const name of ['api-key', 'hash-secret']) {
      expect(statSync(join(keysDir, name)).mode & 0o777).toBe(0o600);
    }
    const before = [keyIn('api-key'), keyIn('hash-secret')];
    await open();
    expect([keyIn('api-key'), keyIn('hash-secret')]).toEqual(before);
    expect(readdirSync(keysDir).sort()).toEqual(['api-key', 'hash-secret']);
  });

  it('are the same for all who start at once', async () => {
    const opened = await Promise.all(Array.from({ length: 8 }, open));
    const apiKey = keyIn('api-key');
    expect(opened.every((keys) => keys.isApiKey(apiKey))).toBe(true);
    const marks = new Set(opened.map((keys) => keys.sessionHmac('t', 's', 'x')));
    expect(marks.size).toBe(1);
    expect(readdirSync(keysDir).sort()).toEqual(['api-key', 'hash-secret']);
  });

  describe('of several machines', () => {
    const common = new Map<string, string>();
    const shared: CommonSecrets = {
      async settle(name, proposed) {
        if (!common.has(name)) common.set(name, proposed);
        return common.get(name) ?? proposed;
      },
    };
    const openOn = (machine: string) =>
      InstallationKeys.open(join(folder.path, `${machine}-keys`), join(folder.path, machine), {
        shared,
      });
    beforeEach(() => common.clear());

    it('are those of the first, and stand in the folder of each', async () => {
      const [one, other] = [await openOn('one'), await openOn('other')];
      const apiKey = readFileSync(one.apiKeyFile, 'utf8');
      expect(readFileSync(other.apiKeyFile, 'utf8')).toBe(apiKey);
      expect(other.isApiKey(apiKey.trim())).toBe(true);
      expect(other.sessionHmac('t', 's', 'x')).toBe(one.sessionHmac('t', 's', 'x'));
    });

    it('are taken over from a folder that has them already', async () => {
      const alone = await open();
      const shares = await InstallationKeys.open(keysDir, dataDir, { shared });
      expect(shares.sessionHmac('t', 's', 'x')).toBe(alone.sessionHmac('t', 's', 'x'));
      expect((await openOn('other')).apiKeyId).toBe(alone.apiKeyId);
    });

    it('are refused when they are of another installation', async () => {
      await open();
      await openOn('other');
      await expect(InstallationKeys.open(keysDir, dataDir, { shared })).rejects.toMatchObject({
        problem: 'otherKeys',
        message: expect.stringContaining(join(keysDir, 'api-key')),
      });
    });
  });

  it('tell the API key from any other text', async () => {
    const keys = await open();
    const apiKey = keyIn('api-key');
    expect(keys.isApiKey(apiKey)).toBe(true);
    const otherEnd = apiKey.endsWith('0') ? '1' : '0';
    const otherId = `hf_${'0'.repeat(16)}_${apiKey.slice(20)}`;
    for (const wrong of ['', 'hf_', `${apiKey} `, apiKey.slice(0, -1) + otherEnd, otherId]) {
      expect(keys.isApiKey(wrong)).toBe(false);
    }
    expect(apiKey).toContain(keys.apiKeyId);
  });

  it('hash content per session, and otherwise after another secret', async () => {
    const keys = await open();
    const mark = keys.sessionHmac('t', 's', Buffer.from('content'));
    expect(mark).toMatch(/^[0-9a-f]{64}$/);
    expect((await open()).sessionHmac('t', 's', 'content')).toBe(mark);
    expect(keys.sessionHmac('t', 's2', 'content')).not.toBe(mark);
    expect(keys.sessionHmac('t2', 's', 'content')).not.toBe(mark);
    expect(keys.sessionHmac('ts', '', 'content')).not.toBe(keys.sessionHmac('t', 's', 'content'));
    expect(keys.sessionHmac('t'.repeat(2_000), 's', 'content')).not.toBe(mark);
    writeFileSync(join(keysDir, 'hash-secret'), '0'.repeat(64));
    expect((await open()).sessionHmac('t', 's', 'content')).not.toBe(mark);
  });

  it('follow HKDF-SHA-256, so that another program can compute a hash', async () => {
    await open();
    writeFileSync(join(keysDir, 'hash-secret'), '000102030405060708090a0b0c0d0e0f'.repeat(2));
    const keys = await open();
    // Computed with Python: hkdf over sha256(label) as info and no salt, then hmac.
    expect(keys.sessionHmac('tenant', 'session', 'content')).toBe(
      '420f7e532ea5c31aea5d477c8126af529b383a58c00b4535cdea8edb997cd22b',
    );
  });

  it('are refused when others may read or replace them', async () => {
    await open();
    chmodSync(join(keysDir, 'api-key'), 0o640);
    await expect(open()).rejects.toThrow(/api-key has mode 640.*chmod 600/);
    chmodSync(join(keysDir, 'api-key'), 0o600);
    chmodSync(keysDir, 0o770);
    await expect(open()).rejects.toThrow(/data-keys has mode 770.*chmod 700/);
  });

  it('are not made anew where something was recorded with them', async () => {
    const mustBeThere = () => InstallationKeys.open(keysDir, dataDir, { mustBeThere: true });
    await expect(mustBeThere()).rejects.toMatchObject({
      problem: 'lostKeys',
      message: expect.stringContaining(join(keysDir, 'hash-secret')),
    });
    expect(existsSync(keysDir)).toBe(false);
    const mark = (await open()).sessionHmac('t', 's', 'x');
    expect((await mustBeThere()).sessionHmac('t', 's', 'x')).toBe(mark);
  });

  it('are refused when they are no keys, or stand in the data folder', async () => {
    await open();
    writeFileSync(join(keysDir, 'hash-secret'), 'short');
    await expect(open()).rejects.toThrow(/hash-secret cannot be used.*backup/);
    keysDir = join(dataDir, 'keys');
    await expect(open()).rejects.toThrow(/lies in the data folder/);
    keysDir = dataDir;
    await expect(open()).rejects.toThrow(/lies in the data folder/);
  });

  it('need a folder that can be made', async () => {
    mkdirSync(dataDir);
    writeFileSync(join(folder.path, 'file'), '');
    keysDir = join(folder.path, 'file', 'keys');
    await expect(open()).rejects.toThrow(/keys folder .* cannot be created or written/);
  });
});
