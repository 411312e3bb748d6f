import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { artifactStoreScenarios } from '../../../test/contracts/artifact-store.contract.js';
import { ownerHash } from '../../../test/support/owner-hash.js';
import { describeScenarios } from '../../../test/support/scenarios.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { ArtifactDamagedError, readArtifact } from '../artifact-store.js';
import { StorageOpenError } from '../storage-open-error.js';
import { FileArtifactStore } from './file-artifact-store.js';

const owner = { tenantId: 'Acme', sessionId: '../s1' };

async function openStore() {
  const folder = temporaryFolder();
  const path = join(folder.path, 'artifacts');
  const subject = await FileArtifactStore.open(path, ownerHash);
  return { path, subject, close: async () => folder.remove() };
}

describeScenarios('the artifact store on files', artifactStoreScenarios, openStore);

describe('artifacts on files', () => {
  it('stand in a folder per tenant and session, once, for this user only', async () => {
    const { path, subject, close } = await openStore();
    const { hash } = await subject.put(owner, Buffer.from('one'), 'text/plain');
    await subject.put(owner, Buffer.from('one'), 'text/plain');
    const file = join(path, 'i-_41cme', 'i-_2e_2e_2fs1', hash);
    expect(readFileSync(file, 'utf8')).toBe('one');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(path, { recursive: true, encoding: 'utf8' }).sort()).toEqual([
      'i-_41cme',
      'i-_41cme/i-_2e_2e_2fs1',
      `i-_41cme/i-_2e_2e_2fs1/${hash}`,
      'incoming',
    ]);
    await close();
  });

  it('are checked when read, and written again when their size is wrong', async () => {
    const { path, subject, close } = await openStore();
    const { hash } = await subject.put(owner, Buffer.from('one'), 'text/plain');
    const file = join(path, 'i-_41cme', 'i-_2e_2e_2fs1', hash);
    writeFileSync(file, 'two');
    await expect(readArtifact(subject, owner, hash)).rejects.toThrow(ArtifactDamagedError);
    writeFileSync(file, 'on');
    await subject.put(owner, Buffer.from('one'), 'text/plain');
    expect(readFileSync(file, 'utf8')).toBe('one');
    await close();
  });

  it('that a crash left half written are removed at the next start, those of today are not', async () => {
    const { path, close } = await openStore();
    const [old, young] = [join(path, 'incoming', 'old'), join(path, 'incoming', 'young')];
    for (const file of [old, young]) writeFileSync(file, 'half');
    const twoHoursAgo = new Date(Date.now() - 2 * 60 * 60 * 1000);
    utimesSync(old, twoHoursAgo, twoHoursAgo);
    await FileArtifactStore.open(path, ownerHash);
    expect(readdirSync(join(path, 'incoming'))).toEqual(['young']);
    await close();
  });

  it('need a folder that can be made', async () => {
    const { path, close } = await openStore();
    writeFileSync(join(path, 'file'), '');
    const opening = FileArtifactStore.open(join(path, 'file', 'artifacts'), ownerHash);
    await expect(opening).rejects.toThrow(StorageOpenError);
    await expect(opening).rejects.toThrow(/cannot be created or written/);
    await close();
  });
});
