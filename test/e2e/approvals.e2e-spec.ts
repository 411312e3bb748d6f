import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
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

async function deployment() {
  const worker = new SessionWorker(app.http);
  await worker.start({ tools: [{ name: 'deploy', approval: 'release-manager' }] });
  await worker.input('Deploy it.');
  await worker.claim();
  const [call] = await worker.turn(
    anthropicAnswer('I deploy.', [{ id: 'toolu_1', name: 'deploy', input: {} }]),
  );
  const path = worker.path(`/tool-calls/${call!.callId}`);
  return { worker, callId: call!.callId, path };
}

function decide(path: string, decision: string, key: string) {
  return app.http.send('POST', `${path}/approval`, {
    body: { decision },
    headers: { 'Idempotency-Key': key },
  });
}

describe('a tool call that a person has to allow', () => {
  it('waits, names the person and the time, and starts when it is allowed', async () => {
    const { worker, callId, path } = await deployment();
    const refused = await app.http.send('POST', `${path}/start`, {
      body: { ...worker.owner, attempt: 1 },
    });
    expectProblem(refused, 409, 'approval_pending');
    await worker.post(`/runs/${worker.runId}/release`, { reason: 'waiting' });
    const session = await worker.read();
    expect(session).toMatchObject({
      status: 'waiting',
      standing: {
        mayContinue: false,
        why: 'release-manager has to decide on a call of deploy first',
      },
      unresolved: [
        { approval: 'pending', asked: 'release-manager', decisionDueAt: expect.any(String) },
      ],
    });
    const { text } = await app.http.send('POST', worker.path('/context'), { body: {} });
    expect(JSON.parse(text)).toMatchObject({
      unresolved: [{ waitsFor: 'release-manager', dueAt: expect.any(String) }],
    });
    expect((await decide(path, 'allow', `allow-${callId}`)).status).toBe(200);
    expect((await decide(path, 'allow', `allow-${callId}`)).status).toBe(200);
    expectProblem(await decide(path, 'deny', `deny-${callId}`), 409, 'already_decided');
    const next = new SessionWorker(app.http, worker.sessionId, 'worker-2');
    await next.claim();
    expect(await next.permit(callId)).toMatchObject({ attempt: 1 });
  });

  it('never starts when it is denied, and the model is told', async () => {
    const { worker, callId, path } = await deployment();
    expect((await decide(path, 'deny', `deny-${callId}`)).status).toBe(200);
    const { text } = await app.http.send('POST', worker.path('/context'), { body: {} });
    expect(text).toContain('The tool call was not approved. It did not run.');
  });
});
