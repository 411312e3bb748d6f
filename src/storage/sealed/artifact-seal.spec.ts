import { describe, expect, it } from '@jest/globals';
import { createHmac } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { artifactStoreScenarios } from '../../../test/contracts/artifact-store.contract.js';
import { describeScenarios } from '../../../test/support/scenarios.js';
import { SealedStores } from '../../../test/support/sealed-stores.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { ArtifactDamagedError, ErasedArtifactsError, readArtifact } from '../artifact-store.js';
import { FileArtifactStore } from '../files/file-artifact-store.js';
import { artifactSealing } from './artifact-seal.js';

const OWNER = { tenantId: 't', sessionId: 's' };
const common = { runningHmac: (...ids: string[]) => createHmac('sha256', ids.join()) };

async function openStore() {
  const folder = temporaryFolder();
  const stores = new SealedStores();
  const { sessionKeys } = stores.open();
  const sealing = artifactSealing(sessionKeys, common);
  const subject = await FileArtifactStore.open(folder.path, sealing);
  const fileOf = (hash: string) => join(folder.path, 'i-t', 'i-s', hash);
  return {
    folder: folder.path,
    stores,
    sessionKeys,
    subject,
    fileOf,
    close: async () => folder.remove(),
  };
}

// No session of such a tenant can begin, so it has no key.
const scenarios = artifactStoreScenarios.filter(({ name }) => !name.includes('look like paths'));
describeScenarios('the artifact store on files, sealed', scenarios, openStore);

describe('a sealed artifact', () => {
  it('holds nothing of its content, and nothing of it opens after an erasure', async () => {
    const { folder, stores, sessionKeys, subject, close } = await openStore();
    const content = Buffer.from('the canary sings '.repeat(5_000));
    const { hash } = await subject.put(OWNER, content, 'text/plain');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true });
    const bytes = files
      .filter((file) => file.isFile())
      .map((file) => readFileSync(join(file.parentPath, file.name), 'latin1'));
    expect(bytes).toHaveLength(1);
    expect(bytes[0]).not.toContain('canary');
    await stores.keys.erase(OWNER, 1);
    sessionKeys.drop(OWNER);
    expect(await subject.find(OWNER, hash)).toBeUndefined();
    await expect(subject.put(OWNER, content, 'text/plain')).rejects.toThrow(ErasedArtifactsError);
    await close();
  });

  it('that lost or changed a byte is damaged, wherever that was', async () => {
    const { subject, fileOf, close } = await openStore();
    const content = Buffer.from('0123456789'.repeat(10));
    const { hash } = await subject.put(OWNER, content, 'text/plain');
    const whole = readFileSync(fileOf(hash));
    for (const at of [0, 11, 12, 60, whole.length - 17, whole.length - 16, whole.length - 1]) {
      const changed = Buffer.from(whole);
      changed[at]! ^= 1;
      writeFileSync(fileOf(hash), changed);
      await expect(readArtifact(subject, OWNER, hash)).rejects.toThrow(ArtifactDamagedError);
    }
    for (const length of [0, 5, 12, 28, whole.length - 1]) {
      writeFileSync(fileOf(hash), whole.subarray(0, length));
      await expect(readArtifact(subject, OWNER, hash)).rejects.toThrow(ArtifactDamagedError);
    }
    await close();
  });
});
