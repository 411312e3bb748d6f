import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { ReceiptBody } from '../support/api-views.js';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { expectProblem } from '../support/expect-problem.js';
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

const LONG = 'This sentence makes the conversation long enough to be worth a summary. '.repeat(6);

async function begun(): Promise<SessionWorker> {
  const worker = new SessionWorker(app.http);
  await worker.start();
  await worker.input('Begin.');
  await worker.claim();
  return worker;
}

it('fc-10.1: a call has its key before it is sent, and keeps it in each attempt and in a fork', async () => {
  const worker = new SessionWorker(app.http);
  await worker.start({
    tools: [
      {
        name: 'pay',
        effect: 'keyedWrite',
        keyWindowMs: 86_400_000,
        keyField: { header: 'Idempotency-Key' },
      },
    ],
  });
  await worker.input('Pay.');
  await worker.claim();
  const asked = [{ id: 'toolu_1', name: 'pay', input: {} }];
  const [call] = await worker.turn(anthropicAnswer('', asked));
  const requested = (await worker.events()).find(({ type }) => type === 'ToolCallRequested');
  const { opKey } = await worker.permit(call!.callId);
  expect(requested?.data.opKey).toBe(opKey);
  await worker.post(`/tool-calls/${call!.callId}/unknown`, { attempt: 1 });
  expect((await worker.permitAgain(call!.callId, 2)).opKey).toBe(opKey);
  const fork = await worker.ok<ReceiptBody>('POST', worker.path('/forks'), {});
  const other = new SessionWorker(app.http, fork.sessionId);
  expect((await other.read()).unresolved).toMatchObject([{ callId: call!.callId, opKey }]);
});

describe('compactions of a growing session', () => {
  /** So many questions with answers, the first of them under a new claim. */
  async function talk(worker: SessionWorker, from: number, count: number): Promise<void> {
    for (let turn = from; turn < from + count; turn += 1) {
      const steps = [
        { type: 'acceptInput', inputId: `question-${turn}`, content: `Question. ${LONG}` },
        { type: 'startModelCall', modelCallId: `call-${turn}`, delivers: [`question-${turn}`] },
        {
          type: 'settleModelCall',
          modelCallId: `call-${turn}`,
          response: anthropicAnswer(`Answer. ${LONG}`),
        },
      ];
      await worker.post('/record', { steps });
    }
  }

  it('fc-18.1, fc-18.2: each adds the same few events, and no id occurs twice', async () => {
    const worker = await begun();
    await talk(worker, 0, 50);
    const added: string[][] = [];
    for (let number = 0; number < 5; number += 1) {
      const before = await worker.events();
      const compactionId = `compaction-${number}`;
      await worker.post('/compactions', { compactionId, keepGroups: 1 });
      await worker.post(`/compactions/${compactionId}/commit`, { summary: `Summary ${number}.` });
      const after = await worker.events();
      added.push(after.slice(before.length).map(({ type }) => type));
      await talk(worker, 100 * (number + 1), 10);
    }
    expect(added).toEqual(added.map(() => ['CompactionStarted', 'Compacted']));
    const events = await worker.events();
    const ids = events.map(({ eventId }) => eventId);
    expect(new Set(ids).size).toBe(ids.length);
    const messages = events
      .filter(({ type }) => type === 'AssistantMessageRecorded' || type === 'InputDelivered')
      .map(({ data }) => data.messageId);
    expect(new Set(messages).size).toBe(messages.length);
  });
});

describe('ids that clients make', () => {
  it('fc-20.1: answer the first receipt again, also after the delivery was changed', async () => {
    const worker = new SessionWorker(app.http);
    await worker.start();
    const first = await worker.input('deploy', { inputId: 'i7', delivery: 'queue' });
    const path = worker.path('/inputs/i7/delivery');
    await worker.ok('POST', path, { delivery: 'steer' });
    const { revision } = await worker.read();
    const again = await worker.input('deploy', { inputId: 'i7', delivery: 'queue' });
    expect(again).toMatchObject({ revision: first.revision, replayed: true });
    await worker.ok('POST', path, { delivery: 'steer' });
    expect((await worker.read()).revision).toBe(revision);
    await worker.claim();
    const late = await app.http.post(path, { delivery: 'queue' });
    expect(late).toMatchObject({ status: 409, body: { code: 'invalid_state' } });
    const types = (await worker.events()).map(({ type }) => type);
    expect(types.filter((type) => type === 'InputDeliveryChanged')).toHaveLength(1);
  });

  it('fc-20.2: name an input of their session only', async () => {
    const [one, other] = [new SessionWorker(app.http), new SessionWorker(app.http)];
    for (const worker of [one, other]) await worker.start();
    const first = await one.input('deploy', { inputId: 'i7' });
    const second = await other.input('deploy', { inputId: 'i7' });
    expect([first, second]).toMatchObject([
      { sessionId: one.sessionId, replayed: false },
      { sessionId: other.sessionId, replayed: false },
    ]);
    expect((await one.events()).map(({ type }) => type)).toEqual([
      'SessionStarted',
      'InputAccepted',
    ]);
    expect(JSON.stringify(await other.events())).not.toContain(one.sessionId);
  });

  it('fc-20.3: make a repeated start of a session safe', async () => {
    const worker = new SessionWorker(app.http);
    const [first, second] = [await worker.start(), await worker.start()];
    expect(second).toMatchObject({ replayed: true, position: first.position });
    expect(await worker.events()).toHaveLength(1);
  });
});

function revert(worker: SessionWorker, body: object) {
  return app.http.post(worker.path('/revert'), body, { 'Idempotency-Key': randomUUID() });
}

async function answered(): Promise<SessionWorker> {
  const worker = await begun();
  await worker.turn(anthropicAnswer('An answer.'));
  await worker.complete();
  return worker;
}

describe('a revert', () => {
  it('fc-25.1, fc-25.3: to a place that is not there is refused and changes nothing', async () => {
    const worker = await answered();
    const before = await worker.events();
    const refused = await revert(worker, { messageId: 'no-such-id' });
    expectProblem(refused, 404, 'not_found');
    expect(await worker.events()).toEqual(before);
    const text = JSON.stringify((await worker.context()).messages);
    expect(text).toContain('Begin.');
    expect(text).toContain('An answer.');
  });

  it('fc-27.1: does nothing by itself later on, whatever else is done', async () => {
    const worker = await answered();
    await revert(worker, { at: 0 });
    const before = await worker.events();
    const other = await begun();
    worker.owner = { ...worker.owner, claimToken: randomUUID() };
    await worker.claim({ kind: 'compaction' });
    const start = { compactionId: 'k1', keepGroups: 1 };
    await app.http.post(worker.path('/compactions'), { ...worker.owner, ...start });
    await worker.complete();
    const types = (await worker.events()).slice(before.length).map(({ type }) => type);
    expect(types.filter((type) => /Revert|Fork|Tool/.test(type))).toEqual([]);
    expect((await other.events()).map(({ type }) => type)).toEqual([
      'SessionStarted',
      'InputAccepted',
      'RunClaimed',
      'InputDelivered',
    ]);
  });

  it('fc-27.2: is shown by its session, and can be cleared', async () => {
    const worker = await answered();
    await revert(worker, { at: 0 });
    expect((await worker.read()).revert).toMatchObject({ to: { revision: 0 } });
    await worker.ok('DELETE', worker.path('/revert'));
    expect((await worker.read()).revert).toBeUndefined();
  });
});
