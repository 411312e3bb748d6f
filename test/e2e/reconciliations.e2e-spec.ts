import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { anthropicAnswer } from '../support/provider-answers.js';
import { SessionWorker } from '../support/session-worker.js';

interface Listed {
  readonly sessions: readonly {
    readonly sessionId: string;
    readonly class: string;
    readonly by?: string;
    readonly for?: string;
    readonly dueAt?: string;
    readonly calls: readonly { readonly state: string; readonly dueAt?: string }[];
  }[];
}

let app: AppInProcess;

beforeAll(async () => {
  app = await startApp();
});

afterAll(async () => {
  await app.close();
  app.folder.remove();
});

async function withCall() {
  const worker = new SessionWorker(app.http);
  await worker.start({ tools: [{ name: 'mail', effect: 'opaqueWrite', onUnknown: 'hold' }] });
  await worker.input('Mail it.');
  await worker.claim();
  const [call] = await worker.turn(
    anthropicAnswer('I mail.', [{ id: 'toolu_1', name: 'mail', input: {} }]),
  );
  await worker.permit(call!.callId);
  return { worker, callId: call!.callId };
}

/** The read model follows the log a moment later. */
async function listed(sessionIds: readonly string[]): Promise<Listed['sessions']> {
  const giveUpMs = Date.now() + 20_000;
  for (;;) {
    const { body } = await app.http.get<Listed>('/v1/reconciliations?first=200');
    const mine = body.sessions.filter(({ sessionId }) => sessionIds.includes(sessionId));
    if (mine.length === sessionIds.length || Date.now() > giveUpMs) return mine;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

it('every session that is not at rest is owned, scheduled or waiting for somebody named', async () => {
  const running = await withCall();
  const waiting = await withCall();
  await waiting.worker.post(`/tool-calls/${waiting.callId}/unknown`, {});
  await waiting.worker.post(`/runs/${waiting.worker.runId}/release`, { reason: 'waiting' });
  const handedOver = new SessionWorker(app.http);
  await handedOver.start();
  await handedOver.input('Later.');
  const ids = [running.worker, waiting.worker, handedOver].map(({ sessionId }) => sessionId);
  const sessions = await listed(ids);
  const of = (id: string) => sessions.find(({ sessionId }) => sessionId === id);
  expect(of(ids[0]!)).toMatchObject({
    class: 'owned',
    by: 'worker-1',
    calls: [{ state: 'running', dueAt: expect.any(String) }],
  });
  expect(of(ids[1]!)).toMatchObject({
    class: 'waiting',
    for: 'operator',
    dueAt: expect.any(String),
    calls: [{ state: 'awaitingHuman', dueAt: expect.any(String) }],
  });
  expect(of(ids[2]!)).toMatchObject({ class: 'scheduled', calls: [] });
}, 60_000);
