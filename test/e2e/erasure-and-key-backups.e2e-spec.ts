import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, jest } from '@jest/globals';
import { startApp } from '../support/app-in-process.js';
import { expectProblem } from '../support/expect-problem.js';
import { SessionWorker } from '../support/session-worker.js';

jest.setTimeout(120_000);

it('an erasure that an old backup of the keys has undone is done by asking for it again', async () => {
  let app = await startApp();
  const { folder } = app;
  const keys = join(folder.path, 'data-keys', 'session-keys.sqlite');
  const worker = new SessionWorker(app.http, 'to-be-erased');
  await worker.start();
  await worker.input('The canary sings.');
  await app.close();
  copyFileSync(keys, `${keys}.old`);

  const path = '/v1/sessions/to-be-erased';
  app = await startApp({ folder });
  const erased = await app.http.post<{ status: string }>(`${path}/erase`, { reason: 'other' });
  expect(erased.body.status).toBe('done');
  await app.close();
  for (const file of [`${keys}-wal`, `${keys}-shm`]) rmSync(file, { force: true });
  copyFileSync(`${keys}.old`, keys);

  app = await startApp({ folder });
  expect((await app.http.get(`${path}/events`)).text).toContain('canary');
  const again = await app.http.post<{ status: string }>(`${path}/erase`, { reason: 'other' });
  expect(again.body.status).toBe('done');
  expect((await app.http.get(`${path}/events`)).text).not.toContain('canary');
  expectProblem(await app.http.get(`${path}/context`), 410, 'session_erased');
  await app.close();
  folder.remove();
});
