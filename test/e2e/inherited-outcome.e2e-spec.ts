import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { CallBody, ReceiptBody, RestoreBody } from '../support/api-views.js';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { ANTHROPIC_MODEL, anthropicAnswer } from '../support/provider-answers.js';
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

const MODEL = { provider: 'anthropic', model: ANTHROPIC_MODEL };
const asked = (...ids: string[]) => ids.map((id) => ({ id, name: 'mail', input: { id } }));

/** A session with one call that is under way and one that was never started. */
async function origin(): Promise<{
  worker: SessionWorker;
  running: CallBody;
  requested: CallBody;
}> {
  const worker = new SessionWorker(app.http);
  await worker.start({ tools: [{ name: 'mail', effect: 'opaqueWrite' }] });
  await worker.input('Mail them.');
  await worker.claim();
  const [running, requested] = await worker.turn(anthropicAnswer('', asked('a', 'b')), MODEL);
  await worker.permit(running!.callId);
  return { worker, running: running!, requested: requested! };
}

async function forkOf(worker: SessionWorker, body: object = {}): Promise<SessionWorker> {
  const { sessionId } = await worker.ok<ReceiptBody>('POST', worker.path('/forks'), body);
  return new SessionWorker(app.http, sessionId, 'worker-of-the-fork');
}

const restored = (worker: SessionWorker) =>
  worker.ok<RestoreBody>('POST', worker.path('/restore'), {});
const typesOf = async (worker: SessionWorker) => (await worker.events()).map(({ type }) => type);
const textOf = (body: unknown) => JSON.stringify(body);

async function abandon(worker: SessionWorker, { callId }: CallBody): Promise<void> {
  await worker.post(`/tool-calls/${callId}/unknown`, {});
  const decided = worker.path(`/tool-calls/${callId}/decision`);
  const key = { 'Idempotency-Key': randomUUID() };
  expect((await app.http.post(decided, { decision: 'abandon' }, key)).status).toBe(200);
}

const reportLate = (worker: SessionWorker, { callId }: CallBody) =>
  app.http.post<ReceiptBody>(worker.path(`/tool-calls/${callId}/late-result`), {
    attempt: 1,
    claimedEpoch: 1,
    content: 'it had worked',
  });

async function haveLearnt(forks: readonly SessionWorker[], outcomes: readonly string[]) {
  const giveUpAtMs = performance.now() + 80_000;
  for (const fork of forks) {
    for (;;) {
      const learnt = (await fork.events())
        .filter(({ type }) => type === 'InheritedOutcomeRecorded')
        .map(({ data }) => (data as { state: string }).state);
      if (learnt.length >= outcomes.length || performance.now() > giveUpAtMs) {
        expect(learnt).toEqual(outcomes);
        break;
      }
      await pause(100);
    }
  }
}

describe('a call that was open when its session was forked', () => {
  it('is settled by its origin only; the fork learns the outcome, once', async () => {
    const { worker, running, requested } = await origin();
    const fork = await forkOf(worker);
    expect((await fork.read()).unresolved).toMatchObject([
      { callId: running.callId, state: 'inherited' },
    ]);
    const before = await fork.context();
    expect(textOf(before.messages)).toContain('belongs to the parent session');
    expect(textOf(before.messages)).toContain('was not started. It had no effect.');
    await worker.result(running.callId, 'sent to all');
    await worker.permit(requested.callId);
    await worker.result(requested.callId, 'sent by the origin');
    const { context, status, unresolved } = await restored(fork);
    expect({ status, unresolved }).toEqual({ status: 'idle', unresolved: [] });
    expect(textOf(context.messages)).toContain('sent to all');
    expect(textOf(context.messages)).not.toContain('sent by the origin');
    await restored(fork);
    expect(await typesOf(fork)).toEqual(['Forked', 'InheritedOutcomeRecorded']);
  });

  it('can be looked at in the fork, with everything that its origin did until the cut', async () => {
    const { worker, running, requested } = await origin();
    const fork = await forkOf(worker);
    const look = ({ callId }: CallBody) =>
      fork.ok<{ call: CallBody; events: { sessionId: string; type: string }[] }>(
        'GET',
        fork.path(`/tool-calls/${callId}`),
      );
    const { call, events } = await look(running);
    expect(call).toMatchObject({ state: 'inherited', originSessionId: worker.sessionId });
    expect(events.map(({ sessionId, type }) => [sessionId, type])).toEqual([
      [worker.sessionId, 'ToolCallRequested'],
      [worker.sessionId, 'ToolCallStarted'],
    ]);
    expect((await look(requested)).call.state).toBe('skipped');
    await worker.result(running.callId, 'sent to all');
    await restored(fork);
    const after = await look(running);
    expect(after.call.state).toBe('completed');
    expect(after.events.at(-1)).toMatchObject({
      sessionId: fork.sessionId,
      type: 'InheritedOutcomeRecorded',
    });
  });

  it('that a model of the fork has read about is told of at the tail', async () => {
    const { worker, running } = await origin();
    const fork = await forkOf(await forkOf(worker));
    await fork.input('Go on.');
    await fork.claim();
    await fork.turn(anthropicAnswer('I wait for it.'), MODEL);
    await fork.complete();
    await worker.result(running.callId, 'sent to all');
    const { context } = await restored(fork);
    expect(textOf(context.messages)).toContain('belongs to the parent session');
    expect(textOf(context.messages.at(-1))).toContain(
      `Later outcome of tool call ${running.callId}: sent to all`,
    );
  });

  it('has its outcome from the start where the origin knew it when the fork was made', async () => {
    const { worker, running } = await origin();
    const { revision } = await worker.read();
    await worker.result(running.callId, 'sent to all');
    const fork = await forkOf(worker, { at: revision });
    expect(await typesOf(fork)).toEqual(['Forked', 'InheritedOutcomeRecorded']);
    expect(textOf((await fork.context()).messages)).toContain('sent to all');
  });

  it('follows every later change of it', async () => {
    const { worker, running } = await origin();
    const fork = await forkOf(worker);
    await abandon(worker, running);
    expect(textOf((await restored(fork)).context.messages)).toContain('could not be established');
    const { status, body } = await reportLate(fork, running);
    expect([status, body.sessionId]).toEqual([202, worker.sessionId]);
    expect(textOf((await restored(fork)).context.messages)).toContain('it had worked');
    expect(await typesOf(fork)).toEqual([
      'Forked',
      'InheritedOutcomeRecorded',
      'InheritedOutcomeRecorded',
    ]);
  });

  it('tells each change to forks and their forks that are at rest, without anybody asking them', async () => {
    const { worker, running } = await origin();
    const fork = await forkOf(worker);
    const forks = [fork, await forkOf(fork)];
    await abandon(worker, running);
    await haveLearnt(forks, ['abandoned']);
    for (const one of forks) expect((await one.read()).status).toBe('idle');
    await reportLate(worker, running);
    await haveLearnt(forks, ['abandoned', 'completed']);
  });
});
