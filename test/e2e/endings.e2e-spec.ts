import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { CallBody, ReceiptBody, RestoreBody } from '../support/api-views.js';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { anthropicAnswer } from '../support/provider-answers.js';
import { SessionWorker } from '../support/session-worker.js';

jest.setTimeout(120_000);

let app: AppInProcess;
beforeAll(async () => {
  app = await startApp();
});
afterAll(async () => {
  await app.close();
  app.folder.remove();
});

interface StopBody extends ReceiptBody {
  readonly state: string;
  readonly unresolved: readonly CallBody[];
}

async function working(tool = 'mail'): Promise<[SessionWorker, string]> {
  const worker = new SessionWorker(app.http);
  await worker.start();
  await worker.input('Begin.');
  await worker.claim();
  const asked = [{ id: 'toolu_1', name: tool, input: {} }];
  const [call] = await worker.turn(anthropicAnswer('', asked));
  await worker.permit(call!.callId);
  return [worker, call!.callId];
}

function stop(worker: SessionWorker, body: object = {}): Promise<StopBody> {
  return worker.ok('POST', worker.path(`/runs/${worker.runId}/stop`), body);
}

function restore({ http }: SessionWorker, sessionId: string): Promise<RestoreBody> {
  return new SessionWorker(http, sessionId).ok('POST', `/v1/sessions/${sessionId}/restore`, {});
}

describe('a user’s stop', () => {
  it('is told to the owner, who carries it out; calls in flight stay unknown', async () => {
    const [worker, callId] = await working();
    expect(await stop(worker)).toMatchObject({
      state: 'stopping',
      unresolved: [{ callId, state: 'running' }],
    });
    for (const route of ['/model-calls', `/runs/${worker.runId}/complete`]) {
      expect(await app.http.post(worker.path(route), worker.owner)).toMatchObject({
        status: 409,
        body: { code: 'run_stopped' },
      });
    }
    const stopped = await worker.post<StopBody>(`/runs/${worker.runId}/stopped`, {});
    expect(stopped).toMatchObject({
      state: 'stopped',
      unresolved: [{ callId, unknownReason: 'stoppedInFlight' }],
    });
    expect(await worker.read()).toMatchObject({
      status: 'stopped',
      standing: { stoppedBy: 'user', mayContinue: false },
    });
  });

  it('survives a restart: nothing starts the session but a resume or a new input', async () => {
    const sessions: string[] = [];
    for (let index = 0; index < 2; index += 1) {
      const [worker] = await working();
      await stop(worker);
      await worker.post(`/runs/${worker.runId}/stopped`, {});
      sessions.push(worker.sessionId);
    }
    app = await app.restarted();
    const [one, other] = sessions.map((id) => new SessionWorker(app.http, id, 'worker-2'));
    for (const worker of [one!, other!]) {
      const restored = await restore(worker, worker.sessionId);
      expect(restored.standing).toMatchObject({ stoppedBy: 'user', mayContinue: false });
      const claim = { workerId: 'worker-2', claimToken: worker.owner.claimToken, force: true };
      expect(await app.http.post(worker.path('/runs'), claim)).toMatchObject({
        status: 409,
        body: { code: 'session_stopped' },
      });
      await worker.input('Not urgent.', { resume: false });
      expect((await worker.read()).status).toBe('stopped');
    }
    const resume = await app.http.post(one!.path('/resume'), {}, { 'Idempotency-Key': 'r' });
    expect(resume.status).toBe(200);
    await one!.input('Go on.');
    await other!.input('Something else.');
    for (const worker of [one!, other!]) {
      expect(await worker.claim()).toMatchObject({ reason: 'start', epoch: 2 });
    }
  });

  it('names its run, so that it cannot hit a later one', async () => {
    const worker = new SessionWorker(app.http);
    await worker.start();
    await worker.input('Begin.');
    await worker.claim();
    await worker.turn(anthropicAnswer('Done.'));
    await worker.complete();
    const late = await app.http.post(worker.path(`/runs/${worker.runId}/stop`), {});
    expect(late).toMatchObject({ status: 409, body: { code: 'run_ended', outcome: 'completed' } });
    expect(await app.http.post(worker.path('/runs/none/stop'), {})).toMatchObject({ status: 404 });
    const heartbeat = await app.http.post(
      worker.path(`/runs/${worker.runId}/heartbeat`),
      worker.owner,
    );
    expect(heartbeat).toMatchObject({ status: 410, body: { code: 'run_ended', status: 410 } });
  });

  it('can drop the inputs that wait, and says that twice is the same', async () => {
    const [worker] = await working();
    await worker.input('Never mind.', { inputId: 'waiting' });
    await stop(worker, { dropPendingInputs: true });
    expect(await stop(worker, { dropPendingInputs: true })).toMatchObject({ replayed: true });
    expect((await worker.read()).pendingInputs).toEqual([]);
  });
});

describe('the end of a worker', () => {
  it('is told apart: shutdown, release, crash and stop', async () => {
    const [shutDown] = await working();
    await shutDown.post(`/runs/${shutDown.runId}/interrupt`, {});
    const [released] = await working();
    await released.post(`/runs/${released.runId}/release`, { reason: 'handover' });
    const [stoppedByUser] = await working();
    await stop(stoppedByUser);
    await stoppedByUser.post(`/runs/${stoppedByUser.runId}/stopped`, {});
    const [failed] = await working();
    await failed.post(`/runs/${failed.runId}/fail`, { errorClass: 'bug', message: 'Oh.' });
    const [held] = await working();

    const standings = await Promise.all(
      [shutDown, released, stoppedByUser, failed, held].map(
        async (worker) => (await restore(worker, worker.sessionId)).standing,
      ),
    );
    expect(standings).toMatchObject([
      { stoppedBy: 'shutdown', mayContinue: true },
      { stoppedBy: 'release', mayContinue: true },
      { stoppedBy: 'user', mayContinue: false },
      { stoppedBy: 'failed', mayContinue: false },
      { stoppedBy: 'nothing', mayContinue: false, heldBy: 'worker-1' },
    ]);
  });

  it('by shutdown costs no recovery attempt, by loss it does until there is progress', async () => {
    const [first] = await working();
    await first.post(`/runs/${first.runId}/interrupt`, {});
    const second = new SessionWorker(app.http, first.sessionId, 'worker-2');
    expect(await second.claim()).toMatchObject({ reason: 'resume', epoch: 2 });
    expect((await restore(second, second.sessionId)).attemptsLeft).toBe(10);
    const third = new SessionWorker(app.http, first.sessionId, 'worker-3');
    expect(await third.claim({ force: true })).toMatchObject({ reason: 'takeover', epoch: 3 });
    expect((await restore(third, third.sessionId)).attemptsLeft).toBe(9);
    await third.turn(anthropicAnswer('I go on.'));
    expect((await restore(third, third.sessionId)).attemptsLeft).toBe(10);
  });

  it('over and over ends in a quarantine that asks for a person, and loses nothing', async () => {
    const [first, callId] = await working();
    const claimLost = (attempt: number) => {
      const next = new SessionWorker(app.http, first.sessionId, `worker-${attempt}`);
      return app.http.post(next.path('/runs'), {
        workerId: next.workerId,
        claimToken: next.owner.claimToken,
        force: true,
      });
    };
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      expect((await claimLost(attempt)).status).toBe(201);
    }
    const refused = await claimLost(11);
    expect(refused).toMatchObject({ status: 409, body: { code: 'session_quarantined' } });
    const before = await first.events();
    expect(before.filter(({ type }) => type === 'SessionQuarantined')).toHaveLength(1);
    expect((await claimLost(12)).status).toBe(409);
    expect((await restore(first, first.sessionId)).standing).toMatchObject({
      stoppedBy: 'budget',
      mayContinue: false,
    });
    expect(await first.events()).toEqual(before);
    const late = { claimedEpoch: 1, content: 'It was sent.' };
    const route = first.path(`/tool-calls/${callId}/late-result`);
    expect((await app.http.post(route, late)).status).toBe(202);

    await first.input('Try something else.');
    const next = new SessionWorker(app.http, first.sessionId, 'worker-13');
    expect(await next.claim()).toMatchObject({ reason: 'start' });
    expect(JSON.stringify(await next.context())).toContain('It was sent.');
  });

  it('in good order, or without, 50 times each never quarantines a session that goes on', async () => {
    const worker = new SessionWorker(app.http);
    await worker.start();
    await worker.input('A long task.');
    await worker.claim();
    for (let round = 0; round < 50; round += 1) {
      await worker.turn(anthropicAnswer(`Step ${round}.`));
      await worker.post(`/runs/${worker.runId}/interrupt`, {});
      await nextOwner(worker, `calm-${round}`, false);
      await worker.turn(anthropicAnswer(`Step ${round}, continued.`));
      await nextOwner(worker, `hard-${round}`, true);
    }
    expect((await worker.read()).run).toMatchObject({ status: 'active', epoch: 101 });
  }, 300_000);
});

async function nextOwner(worker: SessionWorker, name: string, force: boolean): Promise<void> {
  worker.owner = { epoch: 0, claimToken: `claim-token-of-${name}` };
  await worker.claim({ force });
}
