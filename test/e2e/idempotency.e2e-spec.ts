import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { ReceiptBody } from '../support/api-views.js';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { anthropicAnswer } from '../support/provider-answers.js';
import { SessionWorker, UnexpectedAnswerError } from '../support/session-worker.js';

jest.setTimeout(120_000);

let app: AppInProcess;
beforeAll(async () => {
  app = await startApp();
});
afterAll(async () => {
  await app.close();
  app.folder.remove();
});

interface Sent {
  readonly path: string;
  readonly body: object;
  readonly headers?: Record<string, string>;
}

/** Every kind of write that can be repeated, once each, with what it answered. */
async function everyWrite(worker: SessionWorker): Promise<[Sent, ReceiptBody][]> {
  const done: [Sent, ReceiptBody][] = [];
  const send = async (sent: Sent): Promise<ReceiptBody & Record<string, unknown>> => {
    const { path, body, headers } = sent;
    const answer = await app.http.post<ReceiptBody & Record<string, unknown>>(path, body, headers);
    if (answer.status >= 300) throw new UnexpectedAnswerError(path, answer);
    done.push([sent, answer.body]);
    return answer.body;
  };
  const own = (rest: string, body: object) => ({
    path: worker.path(rest),
    body: { ...worker.owner, ...body },
  });
  const { sessionId } = worker;
  await send({
    path: '/v1/sessions',
    body: { sessionId, tools: [{ name: 'look_up', effect: 'readOnly' }] },
  });
  await send({ path: worker.path('/inputs'), body: { inputId: 'input-1', content: 'Begin.' } });
  await send({
    path: worker.path('/facts'),
    body: { facts: [{ factId: 'goal', kind: 'goal', text: 'Find it.' }] },
    headers: { 'Idempotency-Key': 'facts-1' },
  });
  await send({
    path: worker.path('/labels'),
    body: { set: { project: 'apollo' } },
    headers: { 'Idempotency-Key': 'labels-1' },
  });
  const { claimToken } = worker.owner;
  const claim = { workerId: 'worker-1', claimToken, runId: 'run-1' };
  const claimed = await send({ path: worker.path('/runs'), body: claim });
  worker.owner = { claimToken, epoch: claimed.epoch as number };
  worker.runId = 'run-1';
  await send(own('/model-calls', { modelCallId: 'call-1', messageId: 'message-1' }));
  const look = { id: 'toolu_1', name: 'look_up', input: {} };
  const settle = { response: anthropicAnswer('I look.', [look]) };
  const settled = await send(own('/model-calls/call-1/settle', settle));
  const [{ callId }] = settled.calls as [{ callId: string }];
  await send(own(`/tool-calls/${callId}/start`, { attempt: 1 }));
  await send(own(`/tool-calls/${callId}/progress`, { externalRef: 'order-1' }));
  await send(own(`/tool-calls/${callId}/result`, { content: 'Found.' }));
  await send({ path: worker.path('/forks'), body: { forkId: `fork-of-${sessionId}` } });
  await send(own('/runs/run-1/complete', {}));
  return done;
}

/** A permit to act is not given out twice: not to an old owner, and not after the end of the run. */
function isPermit({ path }: Sent): boolean {
  return path.endsWith('/model-calls') || path.endsWith('/start');
}

describe('a repeated request', () => {
  it('gets the first answer and appends nothing, also after a restart', async () => {
    const worker = new SessionWorker(app.http);
    const done = await everyWrite(worker);
    const before = await worker.events();
    for (let restarts = 0; restarts < 2; restarts += 1) {
      for (const [{ path, body, headers }, first] of done) {
        const again = await app.http.post<ReceiptBody>(path, body, headers);
        if (isPermit({ path, body })) {
          expect(again).toMatchObject({ status: 409, body: { code: 'run_ended' } });
          continue;
        }
        const { revision, position } = first;
        expect([path, again.body]).toMatchObject([
          path,
          { revision, position, replayed: true, payloadDiffers: false },
        ]);
      }
      if (restarts === 0) app = await app.restarted();
    }
    const after = new SessionWorker(app.http, worker.sessionId);
    expect(await after.events()).toEqual(before);
  });

  it('of a settlement names the calls again that the model asked for', async () => {
    const worker = new SessionWorker(app.http);
    await worker.start();
    await worker.input('Begin.');
    await worker.claim();
    await worker.post('/model-calls', { modelCallId: 'call-1' });
    const response = anthropicAnswer('', [{ id: 't', name: 'x', input: {} }]);
    const { calls } = await worker.settle('call-1', { response });
    expect(calls).toHaveLength(1);
    expect(await worker.settle('call-1', { response })).toMatchObject({ calls, replayed: true });
  });

  it('gets a permit again while the run goes on', async () => {
    const worker = new SessionWorker(app.http);
    await worker.start();
    await worker.input('Begin.');
    await worker.claim();
    const [call] = await worker.turn(anthropicAnswer('', [{ id: 't', name: 'x', input: {} }]));
    const permit = await worker.permit(call!.callId);
    expect(await worker.permit(call!.callId)).toEqual({ ...permit, replayed: true });
    const claim = { workerId: worker.workerId, claimToken: worker.owner.claimToken };
    const again = await app.http.post(worker.path('/runs'), claim);
    expect(again).toMatchObject({
      status: 201,
      body: { epoch: worker.owner.epoch, runId: worker.runId, replayed: true },
    });
  });

  it('keeps the first content and says that the new one differs', async () => {
    const worker = new SessionWorker(app.http);
    await worker.start({ title: 'First' });
    expect(await worker.start({ title: 'Second' })).toMatchObject({
      replayed: true,
      payloadDiffers: true,
    });
    await worker.input('First.', { inputId: 'input-1' });
    const second = await worker.input('Second.', { inputId: 'input-1' });
    expect(second).toMatchObject({ revision: 1, replayed: true, payloadDiffers: true });
    expect((await worker.read()).title).toBe('First');
    expect(JSON.stringify((await worker.context()).messages)).not.toContain('Second.');
  });

  it('is the same whatever the order of its keys', async () => {
    const worker = new SessionWorker(app.http);
    await worker.start({ labels: { a: '1', b: '2' }, title: 'T' });
    expect(await worker.start({ title: 'T', labels: { b: '2', a: '1' } })).toMatchObject({
      replayed: true,
      payloadDiffers: false,
    });
  });
});

describe('an Idempotency-Key', () => {
  it('belongs to one request of its kind and session', async () => {
    const [one, other] = [new SessionWorker(app.http), new SessionWorker(app.http)];
    await one.start();
    await other.start();
    const headers = { 'Idempotency-Key': 'key-1' };
    const send = (worker: SessionWorker, content: string) =>
      app.http.post<ReceiptBody>(
        worker.path('/inputs'),
        { inputId: `input-${content}`, content },
        headers,
      );
    const first = await send(one, 'a');
    expect(first).toMatchObject({ status: 201, body: { replayed: false } });
    expect((await send(one, 'a')).body).toMatchObject({ replayed: true, revision: 1 });
    const reused = await send(one, 'b');
    expect(reused).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
    expect((await send(other, 'b')).body).toMatchObject({ replayed: false });
    expect((await one.read()).counters.inputs).toBe(1);

    app = await app.restarted();
    const later = new SessionWorker(app.http, one.sessionId);
    expect(await send(later, 'b')).toMatchObject({ status: 422 });
    expect((await send(later, 'a')).body).toEqual({ ...first.body, replayed: true });
  });

  it('stands for the ids that the sender left to the server', async () => {
    const key = (name: string) => ({ 'Idempotency-Key': name });
    const twice = async (path: string, body: object, name: string) => {
      const first = await app.http.post<ReceiptBody & Record<string, unknown>>(
        path,
        body,
        key(name),
      );
      if (first.status >= 300) throw new UnexpectedAnswerError(path, first);
      const again = await app.http.post(path, body, key(name));
      expect([path, again.body]).toEqual([path, { ...first.body, replayed: true }]);
      return first.body;
    };
    const { sessionId } = await twice('/v1/sessions', { title: 'Made here' }, 'start');
    const worker = new SessionWorker(app.http, sessionId);
    await twice(worker.path('/inputs'), { content: 'Hello.' }, 'input');
    const { workerId, owner } = worker;
    const claim = { workerId, claimToken: owner.claimToken };
    const { epoch } = await twice(worker.path('/runs'), claim, 'claim');
    worker.owner = { claimToken: owner.claimToken, epoch: Number(epoch) };
    await twice(worker.path('/model-calls'), worker.owner, 'call');
    await twice(worker.path('/forks'), {}, 'fork');
    expect((await worker.read()).counters).toMatchObject({ inputs: 1, modelCalls: 1 });
  });

  it('means the same with and without quotes', async () => {
    const worker = new SessionWorker(app.http);
    await worker.start();
    const facts = [{ factId: 'goal', kind: 'goal', text: 'Find it.' }];
    await app.http.post(worker.path('/facts'), { facts }, { 'Idempotency-Key': '"k"' });
    const again = await app.http.post(worker.path('/facts'), { facts }, { 'Idempotency-Key': 'k' });
    expect(again.body).toMatchObject({ replayed: true });
  });

  it.each([
    ['/resume', {}],
    ['/facts', { facts: [] }],
    ['/labels', { set: { project: 'apollo' } }],
    [`/tool-calls/${randomUUID()}/decision`, { decision: 'applied' }],
  ])('is needed where the request has no id of its own: %s', async (route, body) => {
    const worker = new SessionWorker(app.http);
    await worker.start();
    const answer = await app.http.post(worker.path(route), body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'idempotency_key_required' } });
  });

  it.each([
    ['too long', 'k'.repeat(256)],
    ['empty', '""'],
  ])('is refused when it is %s', async (_, key) => {
    const worker = new SessionWorker(app.http);
    const body = { sessionId: worker.sessionId };
    const answer = await app.http.post('/v1/sessions', body, { 'Idempotency-Key': key });
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  });
});

describe('an id', () => {
  it('names one object of its session, of one kind', async () => {
    const worker = new SessionWorker(app.http);
    await worker.start();
    await worker.input('Begin.', { inputId: 'id-1' });
    const claim = { workerId: 'w', claimToken: worker.owner.claimToken, runId: 'id-1' };
    expect(await app.http.post(worker.path('/runs'), claim)).toMatchObject({
      status: 409,
      body: { code: 'id_in_use', kind: 'input' },
    });
    await worker.claim({ runId: 'id-2' });
    const inputs = worker.path('/inputs');
    expect(await app.http.post(inputs, { inputId: 'id-2', content: 'x' })).toMatchObject({
      status: 409,
      body: { code: 'id_in_use', kind: 'run' },
    });
    const calls = worker.path('/model-calls');
    for (const ids of [{ modelCallId: 'id-1' }, { modelCallId: 'id-2' }, { messageId: 'id-2' }]) {
      expect(await app.http.post(calls, { ...worker.owner, ...ids })).toMatchObject({
        status: 409,
        body: { code: 'id_in_use' },
      });
    }
    expect((await worker.read()).revision).toBe(3);
  });

  it('of a session cannot become a fork', async () => {
    const [one, other] = [new SessionWorker(app.http), new SessionWorker(app.http)];
    await one.start();
    await other.start();
    const fork = await app.http.post(one.path('/forks'), { forkId: other.sessionId });
    expect(fork).toMatchObject({ status: 409, body: { code: 'id_in_use' } });
    expect((await other.read()).revision).toBe(0);
  });
});

describe('If-Match', () => {
  it('lets a write pass only at the revision that the sender has seen', async () => {
    const worker = new SessionWorker(app.http);
    await worker.start();
    const { headers } = await app.http.get(worker.path());
    expect(headers.etag).toBe('"0"');
    const send = (tag: string, content: string) =>
      app.http.post<ReceiptBody>(worker.path('/inputs'), { content }, { 'If-Match': tag });
    const first = await send(String(headers.etag), 'a');
    expect(first).toMatchObject({ status: 201, headers: { etag: '"1"' } });
    expect(await send('"0"', 'b')).toMatchObject({
      status: 412,
      body: { code: 'precondition_failed', revision: 1 },
    });
    expect((await send('*', 'c')).status).toBe(201);
    expect(await send('1', 'd')).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect((await worker.read()).counters.inputs).toBe(2);
  });
});
