import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { ClaimBody } from '../support/api-views.js';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { moveInTime } from '../support/changed-log.js';
import { commandLineWith } from '../support/command-line.js';
import { expectProblem } from '../support/expect-problem.js';
import { SessionWorker } from '../support/session-worker.js';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.js';

jest.setTimeout(180_000);

interface Listed {
  readonly sessionId: string;
  readonly quarantine?: string;
}

let folder: TemporaryFolder;
let app: AppInProcess;
const holdfast = commandLineWith(() => app.environment);

beforeAll(async () => {
  folder = temporaryFolder();
  app = await startApp({ folder });
  for (const name of ['damaged', 'sound']) {
    const worker = new SessionWorker(app.http, name);
    await worker.start({ profile: { name: 'agent', version: '1' } });
    await worker.input('Go on.');
  }
  await app.http.get('/v1/sessions?status=scheduled');
  await app.close();
});
afterAll(async () => {
  await app.close();
  folder.remove();
});

async function listed(): Promise<readonly Listed[]> {
  const { body } = await app.http.get<{ sessions: Listed[] }>('/v1/sessions');
  return body.sessions;
}

/** Waits until the list says so of the damaged session. */
async function listedAs(quarantine: string | undefined): Promise<void> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const found = (await listed()).find(({ sessionId }) => sessionId === 'damaged');
    if (found !== undefined && found.quarantine === quarantine) return;
    if (Date.now() > deadline) throw new Error(`it is listed as ${JSON.stringify(found)}`);
    await pause(200);
  }
}

async function gauge(): Promise<string | undefined> {
  const { text } = await app.http.get('/metrics');
  return /holdfast_quarantined_sessions\{budget="invalidStream"\} (\d+)/.exec(text)?.[1];
}

function poll(workerId: string) {
  const claimToken = randomBytes(16).toString('hex');
  const wish = { workerId, claimToken, profiles: ['agent'], waitMs: 2_000 };
  return app.http.post<ClaimBody>('/v1/work/claim', wish);
}

it('a session with a damaged event is set aside, named to operators, and holds up no other', async () => {
  await moveInTime(folder.path, 'damaged', 1);
  app = await startApp({ folder });
  await listedAs('invalidStream');
  const sound = (await listed()).find(({ sessionId }) => sessionId === 'sound');
  expect([sound?.sessionId, sound?.quarantine]).toEqual(['sound', undefined]);
  expect(await gauge()).toBe('1');
  const { body } = await app.http.get<{ sessions: object[] }>('/v1/reconciliations');
  expect(body.sessions).toContainEqual(
    expect.objectContaining({
      sessionId: 'damaged',
      class: 'waiting',
      for: 'operator',
      damage: expect.stringContaining('event 1 of session-'),
    }),
  );
  const claim = { workerId: 'worker-1', claimToken: randomBytes(16).toString('hex') };
  expectProblem(await app.http.post('/v1/sessions/damaged/runs', claim), 500, 'event_damaged');
  const claimed = await poll('worker-1');
  expect([claimed.status, claimed.body.sessionId]).toEqual([200, 'sound']);
  expect((await poll('worker-2')).status).toBe(204);
  const text = await holdfast('sessions');
  expect(text.stdout).toContain('quarantined: invalidStream');
  const found = await holdfast('doctor', '--json');
  expect(found.exitCode).toBe(1);
  expect(found.stdout).toMatch(
    /1 quarantined with damaged events \(event 1 of session-[^)]*damaged/,
  );
});

it('and is taken up again by itself once its events are as they were written', async () => {
  await app.close();
  await moveInTime(folder.path, 'damaged', -1);
  app = await startApp({ folder });
  await listedAs(undefined);
  expect(await gauge()).toBe('0');
  const claimed = await poll('worker-3');
  expect([claimed.status, claimed.body.sessionId]).toEqual([200, 'damaged']);
});
