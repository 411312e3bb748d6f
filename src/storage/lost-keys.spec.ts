import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { cpSync, existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newBatch } from '../../test/support/event-batches.js';
import { type TemporaryFolder, temporaryFolder } from '../../test/support/temporary-folder.js';
import { type Storage, openStorage } from './open-storage.js';
import { connectToFile } from './sqlite/connection.js';

jest.setTimeout(60_000);

describe('a log whose keys are lost', () => {
  let folder: TemporaryFolder;
  let dataDir: string;
  let keysDir: string;

  beforeEach(async () => {
    folder = temporaryFolder();
    dataDir = join(folder.path, 'data');
    keysDir = join(folder.path, 'data-keys');
    await openAnd(async ({ events }) => {
      await events.append('session-t.first', 'noStream', newBatch(2));
      await events.append('session-t.second', 'noStream', newBatch(2));
    });
  });
  afterEach(() => folder.remove());

  async function openAnd(work: (storage: Storage) => Promise<unknown>): Promise<void> {
    const storage = await openStorage({ dataDir, keysDir });
    try {
      await work(storage);
    } finally {
      await storage.close();
    }
  }

  const expectOpened = () =>
    openAnd(async ({ events }) => {
      const [event] = await events.read('session-t.second', { from: 0, maxCount: 1 });
      expect(JSON.parse(event!.data)).toEqual({ text: 'hello' });
    });

  const expectRefusal = () =>
    expect(expectOpened()).rejects.toMatchObject({
      problem: 'lostKeys',
      message: expect.stringMatching(/Restore the keys folder .*-keys .*backup/),
    });

  it('is not opened, and no keys are made, until they are back', async () => {
    const away = join(folder.path, 'away');
    renameSync(keysDir, away);
    await expectRefusal();
    expect(existsSync(keysDir)).toBe(false);
    renameSync(away, keysDir);
    await expectOpened();
  });

  it('is not opened with the keys of another installation', async () => {
    const own = { dataDir, keysDir };
    ({ dataDir, keysDir } = {
      dataDir: join(folder.path, 'other'),
      keysDir: join(folder.path, 'other-keys'),
    });
    await openAnd(({ events }) => events.append('session-t.other', 'noStream', newBatch(1)));
    ({ dataDir } = own);
    await expectRefusal();
    ({ keysDir } = own);
    await expectOpened();
  });

  it('is not opened without the keys of its sessions, or with another secret', async () => {
    const backup = join(folder.path, 'backup');
    cpSync(keysDir, backup, { recursive: true });
    rmSync(join(keysDir, 'session-keys.sqlite'));
    await expectRefusal();
    cpSync(backup, keysDir, { recursive: true });
    await expectOpened();
    writeFileSync(join(keysDir, 'hash-secret'), '0'.repeat(64));
    await expectRefusal();
    cpSync(backup, keysDir, { recursive: true });
    await expectOpened();
  });

  it('is told from one whose first session was erased, or is damaged', async () => {
    await openAnd(({ eraser }) => eraser.erase({ tenantId: 't', sessionId: 'first' }, 1));
    await expectOpened();
    const events = connectToFile(join(dataDir, 'events.sqlite'), 100);
    events.exec("UPDATE events SET metadata = 'no JSON' WHERE position = 1");
    events.close();
    await expectOpened();
    rmSync(join(keysDir, 'session-keys.sqlite'));
    await expectRefusal();
  });

  it('is told from an empty one, which gets new keys', async () => {
    await openAnd(() => Promise.resolve());
    ({ dataDir, keysDir } = { dataDir: join(folder.path, 'e'), keysDir: join(folder.path, 'k') });
    await openAnd(() => Promise.resolve());
    rmSync(keysDir, { recursive: true });
    await openAnd(({ events }) => events.append('session-t.second', 'noStream', newBatch(1)));
    await expectOpened();
  });
});
