import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { childSessionId } from '../../src/identity/derived-ids.js';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { expectProblem } from '../support/expect-problem.js';
import { anthropicAnswer } from '../support/provider-answers.js';
import { SessionWorker } from '../support/session-worker.js';

let app: AppInProcess;
beforeAll(async () => {
  app = await startApp();
});
afterAll(async () => {
  await app.close();
  app.folder.remove();
});

/** A session whose run has started another one by a tool call. */
async function family(more: object = {}) {
  const parent = new SessionWorker(app.http);
  await parent.start({ tools: [{ name: 'delegate', effect: 'opaqueWrite' }] });
  await parent.input('Delegate it.');
  await parent.claim();
  const asked = [{ id: 'toolu_1', name: 'delegate', input: {} }];
  const [call] = await parent.turn(anthropicAnswer('', asked));
  await parent.permit(call!.callId);
  const spawningCallId = call!.callId;
  const child = new SessionWorker(app.http, childSessionId(parent.sessionId, spawningCallId));
  const edge = { sessionId: parent.sessionId, edge: 'subagent', spawningCallId };
  await child.start({ parent: { ...edge, ...more } });
  await child.input('Do it.');
  return { parent, child };
}

const stop = (worker: SessionWorker) =>
  worker.ok('POST', worker.path(`/runs/${worker.runId}/stop`), {});

async function untilStopped(worker: SessionWorker): Promise<string> {
  const giveUpMs = Date.now() + 30_000;
  for (;;) {
    const { status } = await worker.read();
    if (status === 'stopped' || Date.now() > giveUpMs) return status;
    const beat = worker.path(`/runs/${worker.runId}/heartbeat`);
    const { body } = await app.http.post<{ stopRequested?: boolean }>(beat, worker.owner);
    if (body.stopRequested) await worker.post(`/runs/${worker.runId}/stopped`, {});
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

describe('a session that a run has started', () => {
  it('stops with that run, and is started again only by somebody who says so', async () => {
    const { parent, child } = await family();
    await child.claim();
    await stop(parent);
    expect(await untilStopped(child)).toBe('stopped');
    await child.input('Go on all the same.');
    child.owner = { ...child.owner, claimToken: 'b'.repeat(32) };
    await child.claim();
    await new Promise((resolve) => setTimeout(resolve, 6_000));
    expect((await child.read()).status).toBe('owned');
  }, 60_000);

  it('is stopped instead of run when it is claimed afterwards', async () => {
    const { parent, child } = await family();
    await stop(parent);
    const claim = { workerId: 'worker-2', claimToken: child.owner.claimToken };
    expectProblem(await app.http.post(child.path('/runs'), claim), 409, 'run_stopped');
    expect((await child.read()).status).toBe('stopped');
    const types = (await child.events()).map(({ type }) => type);
    expect(types.slice(-2)).toEqual(['StopRequested', 'RunStopped']);
  }, 60_000);

  it('goes on when it is detached', async () => {
    const { parent, child } = await family({ detached: true });
    await stop(parent);
    await child.claim();
    expect((await child.read()).status).toBe('owned');
  }, 60_000);
});
