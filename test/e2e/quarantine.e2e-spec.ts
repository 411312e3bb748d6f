import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { expectProblem } from '../support/expect-problem.js';
import { anthropicAnswer } from '../support/provider-answers.js';
import { SessionWorker } from '../support/session-worker.js';

jest.setTimeout(120_000);

const CALLS_MAX = 200;
const CALLS_AT_ONCE = 20;

let app: AppInProcess;
beforeAll(async () => {
  app = await startApp({ environment: { HOLDFAST_NO_PROGRESS_MS: '1000' } });
});
afterAll(async () => {
  await app.close();
  app.folder.remove();
});

async function claimed(): Promise<SessionWorker> {
  const worker = new SessionWorker(app.http);
  await worker.start();
  await worker.input('Begin.');
  await worker.claim();
  return worker;
}

function resume(worker: SessionWorker) {
  return app.http.post(worker.path('/resume'), {}, { 'Idempotency-Key': randomUUID() });
}

/** What operators see: the list of sessions and the metrics. */
async function expectListed(worker: SessionWorker, quarantine: string): Promise<void> {
  const { position } = await worker.input('For later.', { resume: false });
  const { sessions } = await worker.ok<{ sessions: { sessionId: string }[] }>(
    'GET',
    `/v1/sessions?status=waiting&atLeast=${position}`,
  );
  expect(sessions.find(({ sessionId }) => sessionId === worker.sessionId)).toMatchObject({
    quarantine,
  });
  const { text } = await app.http.get('/metrics');
  expect(text).toContain(`holdfast_quarantined_sessions{budget="${quarantine}"} 1`);
}

describe('a worker that holds a session and does nothing', () => {
  it('loses it: the run is quarantined, seen by operators, and goes on when it is resumed', async () => {
    const worker = await claimed();
    const deadline = Date.now() + 60_000;
    while ((await worker.read()).run?.status !== 'quarantined') {
      if (Date.now() > deadline) throw new Error('it was not quarantined');
      await app.http.post(worker.path(`/runs/${worker.runId}/heartbeat`), worker.owner);
      await pause(200);
    }
    expect(await worker.read()).toMatchObject({
      status: 'waiting',
      standing: { stoppedBy: 'budget', mayContinue: false },
      run: { quarantine: 'noProgress' },
    });
    await expectListed(worker, 'noProgress');
    const late = await app.http.post(worker.path('/model-calls'), worker.owner);
    expect(expectProblem(late, 409, 'session_quarantined')).toMatchObject({ budget: 'noProgress' });
    expect((await resume(worker)).status).toBe(200);
    const next = new SessionWorker(app.http, worker.sessionId, 'worker-2');
    await next.claim();
    expect((await next.read()).run).toMatchObject({ runId: worker.runId, status: 'active' });
  });
});

describe('a run that has made all of its model calls', () => {
  it('is quarantined by the next one, also within several steps, and repeats its refusal', async () => {
    const worker = await claimed();
    const call = (index: number) => [
      { type: 'startModelCall', modelCallId: `call-${index}` },
      { type: 'settleModelCall', modelCallId: `call-${index}`, response: anthropicAnswer('Yes.') },
    ];
    for (let first = 0; first < CALLS_MAX; first += CALLS_AT_ONCE) {
      const indexes = Array.from({ length: CALLS_AT_ONCE }, (_, index) => first + index);
      await worker.post('/record', { steps: indexes.flatMap(call) });
    }
    for (let times = 0; times < 2; times += 1) {
      const steps = call(CALLS_MAX);
      const refused = await app.http.post(worker.path('/record'), { ...worker.owner, steps });
      const facts = { budget: 'modelCalls', runId: worker.runId };
      expect(expectProblem(refused, 409, 'session_quarantined')).toMatchObject(facts);
    }
    await expectListed(worker, 'modelCalls');
    const types = (await worker.events()).map(({ type }) => type);
    expect(types.filter((type) => type === 'SessionQuarantined')).toHaveLength(1);
    expect(types.filter((type) => type === 'ModelCallStarted')).toHaveLength(CALLS_MAX);
    expect((await resume(worker)).status).toBe(200);
  });
});
