import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { type Environment, commandLineWith } from '../support/command-line.js';
import { ANTHROPIC_MODEL, anthropicAnswer } from '../support/provider-answers.js';
import { SessionWorker } from '../support/session-worker.js';
import { temporaryFolder } from '../support/temporary-folder.js';

jest.setTimeout(120_000);

const MODEL = { provider: 'anthropic', model: ANTHROPIC_MODEL };
const FORMATS = ['anthropic', 'openai-chat', 'neutral'] as const;

/** On the embedded store, whose keys are files. */
let app: AppInProcess;
let moved: AppInProcess;
let childId: string;
const shown = new Map<string, string>();

async function contextOf(worker: SessionWorker, format: string): Promise<string> {
  return JSON.stringify((await worker.context({ format })).messages);
}

async function succeeds(environment: Environment, ...command: readonly string[]): Promise<void> {
  const { exitCode, stderr } = await commandLineWith(() => environment)(...command);
  if (exitCode !== 0) throw new Error(stderr);
}

beforeAll(async () => {
  app = await startApp();
  const s1 = new SessionWorker(app.http, 's1');
  await s1.start();
  await s1.input('a', { inputId: 'u1' });
  await s1.claim();
  const calls = await s1.turn(
    anthropicAnswer('', [
      { id: 'c1', name: 'shell', input: { command: 'false' } },
      { id: 'c2', name: 'shell', input: { command: 'true' } },
    ]),
    MODEL,
  );
  for (const { callId } of calls) await s1.permit(callId);
  const [c1, c2] = calls.map(({ callId }) => callId) as [string, string];
  await s1.result(c1, '', { isError: true });
  const parent = { sessionId: 's1', edge: 'subagent', spawningCallId: c2, ...s1.owner };
  childId = (await s1.ok<{ sessionId: string }>('POST', '/v1/sessions', { parent })).sessionId;
  const child = new SessionWorker(app.http, childId);
  await child.input('sub task', { inputId: 'v1' });
  await child.claim();
  await child.turn(anthropicAnswer('done'), MODEL);
  await child.complete();
  await s1.result(c2, 'ok');
  for (const format of FORMATS) shown.set(format, await contextOf(s1, format));
  await app.close();

  const folder = join(app.folder.path, 'export');
  await succeeds(app.environment, 'export', folder);
  const elsewhere = temporaryFolder();
  const keysIn = (path: string) => join(path, 'data-keys');
  cpSync(keysIn(app.folder.path), keysIn(elsewhere.path), { recursive: true });
  const environment = { HOLDFAST_DATA_DIR: join(elsewhere.path, 'data') };
  await succeeds(environment, 'import', 'holdfast', folder);
  moved = await startApp({ folder: elsewhere });
});
afterAll(async () => {
  await moved.close();
  moved.folder.remove();
  app.folder.remove();
});

it('fc-24.1: an exported session that is imported has the context that it had', async () => {
  const s1 = new SessionWorker(moved.http, 's1');
  for (const format of FORMATS) {
    expect([format, await contextOf(s1, format)]).toEqual([format, shown.get(format)]);
  }
});

it('fc-24.2: its child is imported with it, and hangs under it', async () => {
  const child = new SessionWorker(moved.http, childId);
  expect(await child.read()).toMatchObject({
    parent: { sessionId: 's1', edge: 'subagent' },
    ancestors: ['s1'],
    counters: { inputs: 1, modelCalls: 1 },
  });
  const { body } = await moved.http.get<{ sessions: readonly { sessionId: string }[] }>(
    '/v1/sessions?parentId=s1',
  );
  expect(body.sessions.map(({ sessionId }) => sessionId)).toEqual([childId]);
});
