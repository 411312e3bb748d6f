import { describe, expect, it } from '@jest/globals';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { keyStoreScenarios } from '../../../test/contracts/key-store.contract.js';
import { describeScenarios } from '../../../test/support/scenarios.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { MemoryKeyStore } from '../memory/memory-key-store.js';
import { MovedKeyStore } from '../sealed/moved-key-store.js';
import { SqliteKeyStore } from './sqlite-key-store.js';

async function openStore() {
  const folder = temporaryFolder();
  const subject = await SqliteKeyStore.open({ file: join(folder.path, 'session-keys.sqlite') });
  const close = async () => {
    await subject.close();
    folder.remove();
  };
  return { folder: folder.path, subject, close };
}

describeScenarios('the key store on SQLite', keyStoreScenarios, openStore);
describeScenarios('a key store that others move into', keyStoreScenarios, async () => {
  const { subject, close } = await openStore();
  return { subject: new MovedKeyStore(new MemoryKeyStore(), subject), close };
});

describe('an erased key', () => {
  const owner = { tenantId: 't', sessionId: 's' };
  const bytesIn = (folder: string) =>
    readdirSync(folder)
      .map((name) => readFileSync(join(folder, name), 'latin1'))
      .join('');

  it('is in no byte of the file or its log, also while another process has it open', async () => {
    const { folder, subject, close } = await openStore();
    const other = await SqliteKeyStore.open({ file: join(folder, 'session-keys.sqlite') });
    for (let count = 0; count < 50; count += 1) {
      await subject.keep({ ...owner, sessionId: `s${count}` }, 'id', `kept-secret-${count}.`);
    }
    await subject.keep(owner, 'id', 'erased-secret');
    await other.find(owner);
    expect(bytesIn(folder)).toContain('erased-secret');
    await subject.erase(owner, 1);
    expect(bytesIn(folder)).not.toContain('erased-secret');
    for (let count = 0; count < 50; count += 1) {
      expect(bytesIn(folder)).toContain(`kept-secret-${count}.`);
    }
    expect(await other.find(owner)).toEqual({ keyId: 'id', erasedAtMs: 1 });
    await other.close();
    await close();
  });

  it('is erased where it came from, too', async () => {
    const { folder, subject, close } = await openStore();
    await subject.keep(owner, 'id', 'erased-secret');
    const moved = new MovedKeyStore(new MemoryKeyStore(), subject);
    expect(await moved.find(owner)).toEqual({ keyId: 'id', wrapped: 'erased-secret' });
    await moved.erase(owner, 1);
    expect(bytesIn(folder)).not.toContain('erased-secret');
    expect(await moved.find(owner)).toEqual({ keyId: 'id', erasedAtMs: 1 });
    await close();
  });
});
