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
  await child.start({ parent: { ...edge, ...parent.owner, ...more } });
  await child.input('Do it.');
  return { parent, child, edge };
}

const stop = (worker: SessionWorker) =>
  worker.ok('POST', worker.path(`/runs/${worker.runId}/stop`), {});

async function untilStopped(worker: SessionWorker): Promise<string> {
  const giveUpMs = Date.now() + 80_000;
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
  }, 120_000);

  it('is stopped instead of run when it is claimed afterwards', async () => {
    const { parent, child } = await family();
    await stop(parent);
    const claim = { workerId: 'worker-2', claimToken: child.owner.claimToken };
    expectProblem(await app.http.post(child.path('/runs'), claim), 409, 'run_stopped');
    expect((await child.read()).status).toBe('stopped');
    const types = (await child.events()).map(({ type }) => type);
    expect(types.slice(-2)).toEqual(['StopRequested', 'RunStopped']);
  }, 120_000);

  it('goes on when it is detached', async () => {
    const { parent, child } = await family({ detached: true });
    await stop(parent);
    await child.claim();
    expect((await child.read()).status).toBe('owned');
  }, 120_000);
});

describe('a session that a tool call starts', () => {
  const start = (body: object) => app.http.post<{ sessionId: string }>('/v1/sessions', body);

  it('has its id of the call, once for all who go on with the call', async () => {
    const { parent, child, edge } = await family();
    const again = await start({ parent: { ...edge, ...parent.owner } });
    expect([again.status, again.body]).toEqual([
      201,
      expect.objectContaining({
        sessionId: child.sessionId,
        replayed: true,
        payloadDiffers: false,
      }),
    ]);
    const other = { sessionId: 'another-one', parent: { ...edge, ...parent.owner } };
    expect(expectProblem(await start(other), 400, 'invalid_request').detail).toContain(
      child.sessionId,
    );
    expect(JSON.stringify(await child.events())).not.toContain(parent.owner.claimToken);
  });

  it('is not started by an owner that was taken over, nor without a proof of ownership', async () => {
    const { parent, edge } = await family();
    const asked = [{ id: 'toolu_2', name: 'delegate', input: { again: true } }];
    await parent.result(edge.spawningCallId, 'done');
    const [call] = await parent.turn(anthropicAnswer('', asked));
    const next = { ...edge, spawningCallId: call!.callId };
    const owner = { ...next, ...parent.owner };
    expectProblem(await start({ parent: owner }), 409, 'not_started');
    await parent.permit(call!.callId);
    expectProblem(await start({ parent: next }), 400, 'invalid_request');
    const rival = new SessionWorker(app.http, parent.sessionId, 'worker-2');
    await rival.claim({ force: true });
    expectProblem(await start({ parent: owner }), 409, 'stale_epoch');
    const withoutCall = { ...parent.owner, sessionId: parent.sessionId, edge: 'subagent' };
    expectProblem(await start({ parent: withoutCall }), 409, 'stale_epoch');
    expect((await start({ parent: { ...next, ...rival.owner } })).status).toBe(201);
  });
});
