import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { commandLineWith } from '../support/command-line.js';
import { anthropicAnswer } from '../support/provider-answers.js';
import { SessionWorker } from '../support/session-worker.js';
import { copyOfKeys } from '../support/stored-data.js';
import { storesEnvironment } from '../support/stores-under-test.js';
import { temporaryFolder } from '../support/temporary-folder.js';

jest.setTimeout(120_000);

let app: AppInProcess;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.folder.remove());

it('a store that is exported and imported elsewhere goes on where it was', async () => {
  const worker = new SessionWorker(app.http, 'moved');
  await worker.start({ title: 'Order 4711' });
  const input = { inputId: 'input-1', content: 'x'.repeat(300_000) };
  await worker.ok('POST', worker.path('/inputs'), input);
  await worker.claim();
  await worker.turn(anthropicAnswer('Done.'));
  const shown = await worker.context({ format: 'anthropic' });
  await app.close();

  const commandLine = commandLineWith(() => app.environment);
  const folder = join(app.folder.path, 'export');
  const exported = await commandLine('export', folder, '--json');
  const counts = JSON.parse(exported.stdout) as { events: number; artifacts: number };
  expect(counts.artifacts).toBeGreaterThan(0);
  expect((await commandLine('export', folder)).exitCode).toBe(1);
  const trail = await commandLine('audit', 'list', '--trail');
  expect(trail.stdout).toMatch(/StoreExported → StoreExported .*"events":\d+/);

  const elsewhere = temporaryFolder();
  await (await copyOfKeys(app.folder)).restore(elsewhere);
  const stores = await storesEnvironment(elsewhere.path);
  const there = commandLineWith(() => ({
    HOLDFAST_DATA_DIR: join(elsewhere.path, 'data'),
    ...stores,
  }));
  const imported = await there('import', 'holdfast', folder, '--json');
  expect(imported.stderr).toBe('');
  expect(JSON.parse(imported.stdout)).toEqual({ ...counts, written: counts.events });
  const again = await there('import', 'holdfast', folder);
  expect(again.stderr).toContain('; 0 events written now.');

  const moved = await startApp({ folder: elsewhere });
  const next = new SessionWorker(moved.http, 'moved');
  expect((await next.context({ format: 'anthropic' })).messages).toEqual(shown.messages);
  const repeated = await moved.http.post<{ replayed: boolean }>(next.path('/inputs'), input);
  expect(repeated.body.replayed).toBe(true);
  await moved.close();
  elsewhere.remove();
});
