import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { commandLineWith } from '../support/command-line.js';
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
  const giveUpMs = Date.now() + 50_000;
  for (;;) {
    const { body } = await app.http.get<Listed>('/v1/reconciliations?first=200');
    const mine = body.sessions.filter(({ sessionId }) => sessionIds.includes(sessionId));
    // One that changes its status meanwhile may stand there twice.
    const distinct = new Set(mine.map(({ sessionId }) => sessionId));
    if (distinct.size === sessionIds.length || Date.now() > giveUpMs) return mine;
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
}, 120_000);

it('every call without an outcome is in the read model, until it has one', async () => {
  const { worker, callId } = await withCall();
  const mine = async (filter: string) => {
    const path = `/v1/reconciliations/calls?first=200${filter}`;
    const { body } = await app.http.get<{ calls: { callId: string }[] }>(path);
    return body.calls.find((call) => call.callId === callId);
  };
  const seen = async (filter: string, isThere: boolean) => {
    const giveUpMs = Date.now() + 50_000;
    for (;;) {
      const call = await mine(filter);
      if ((call !== undefined) === isThere || Date.now() > giveUpMs) return call;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  expect(await seen('&state=running', true)).toMatchObject({ tool: 'mail', attempts: 1 });
  await worker.post(`/tool-calls/${callId}/unknown`, {});
  expect(await seen('&question=outcome&asked=operator', true)).toMatchObject({
    sessionId: worker.sessionId,
    state: 'awaitingHuman',
    unknownReason: 'transport',
    escalationId: expect.any(String),
    decisionDueAt: expect.any(String),
  });
  expect(await mine('&asked=somebody')).toBeUndefined();
  const late = { attempt: 1, claimedEpoch: 1, content: 'sent' };
  await worker.ok('POST', worker.path(`/tool-calls/${callId}/late-result`), late);
  expect(await seen('', false)).toBeUndefined();
}, 120_000);

it('lists no imported session that is at rest, nor is there work in it', async () => {
  const holdfast = commandLineWith(() => app.environment);
  await holdfast('import', 'claude-code', 'test/samples/claude-code/real-ask-user-dangling.jsonl');
  const position = await app.ports.events.headPosition();
  const { body } = await app.http.get<{ sessions: { sessionId: string; imported: boolean }[] }>(
    `/v1/sessions?imported=true&atLeast=${position}`,
  );
  const [imported] = body.sessions;
  expect(imported).toBeDefined();
  for (const path of ['/v1/reconciliations?first=200', '/v1/work?first=200']) {
    const { body: list } = await app.http.get<Listed>(path);
    expect(list.sessions.map(({ sessionId }) => sessionId)).not.toContain(imported!.sessionId);
  }
}, 120_000);

it('what people are asked is listed and answered on the command line', async () => {
  const holdfast = commandLineWith(() => app.environment);
  const { worker, callId } = await withCall();
  await worker.post(`/tool-calls/${callId}/unknown`, {});
  const asked = async () => {
    const { stdout } = await holdfast('escalations', '--json');
    const { escalations } = JSON.parse(stdout) as { escalations: Record<string, string>[] };
    return escalations.find((one) => one['callId'] === callId);
  };
  const question = await asked();
  expect(question).toMatchObject({ tool: 'mail', question: 'outcome', asked: 'operator' });
  const { stdout } = await holdfast('escalations');
  expect(stdout).toContain(callId);
  const { sessionId } = worker;
  const wrong = await holdfast('decide', sessionId, callId, 'perhaps');
  expect([wrong.exitCode, wrong.stderr]).toEqual([2, expect.stringContaining('must be one of')]);
  const named = ['--escalation', question!['escalationId']!, '--note', 'seen in the outbox'];
  const done = await holdfast('decide', sessionId, callId, 'applied', ...named);
  expect([done.exitCode, done.stderr]).toEqual([0, expect.stringContaining('applied')]);
  const again = await holdfast('decide', sessionId, callId, 'abandon');
  expect([again.exitCode, again.stderr]).toEqual([4, expect.stringContaining('applied')]);
  expect(await asked()).toBeUndefined();
}, 120_000);

it('the doctor says why no session is forgotten', async () => {
  const holdfast = commandLineWith(() => app.environment);
  const { stdout, exitCode } = await holdfast('doctor', '--json');
  const findings = JSON.parse(stdout) as { what: string; ok: boolean; seen: string }[];
  const sessions = findings.find(({ what }) => what === 'sessions');
  expect(sessions).toMatchObject({ ok: true, seen: expect.stringMatching(/^\d+ owned, \d+/) });
  expect(exitCode).toBe(0);
}, 120_000);
