import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { CallBody, ReceiptBody, SessionBody } from '../support/api-views.js';
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
const TOOLS = [
  { name: 'mail', effect: 'opaqueWrite' },
  { name: 'look', effect: 'readOnly' },
];

interface RevertBody extends ReceiptBody {
  readonly to: { readonly sessionId: string; readonly revision: number };
  readonly effects: readonly CallBody[];
  readonly moreEffects: number;
  readonly note: string;
}

interface MessagesBody {
  readonly items: readonly {
    readonly kind: string;
    readonly messageId?: string;
    readonly preview: string;
  }[];
}

/** A whole run: an input and its answer. */
/** Answers the position of its last event. */
async function asked(worker: SessionWorker, question: string, answer: string): Promise<string> {
  await worker.input(question);
  await worker.claim();
  await worker.turn(anthropicAnswer(answer), MODEL);
  const { position } = await worker.complete();
  worker.owner = { ...worker.owner, claimToken: randomUUID() };
  return position;
}

async function conversation(): Promise<SessionWorker> {
  const worker = new SessionWorker(app.http);
  await worker.start({ tools: TOOLS });
  await asked(worker, 'First question.', 'First answer.');
  return worker;
}

function revert(worker: SessionWorker, body: object) {
  return app.http.post<RevertBody>(worker.path('/revert'), body, {
    'Idempotency-Key': randomUUID(),
  });
}

function messages(worker: SessionWorker, position: string): Promise<MessagesBody> {
  return worker.ok('GET', worker.path(`/messages?atLeast=${position}`));
}

const textOf = async (worker: SessionWorker) => JSON.stringify((await worker.context()).messages);

describe('a revert', () => {
  it('hides the end of the conversation in every view, and keeps the log and the cost', async () => {
    const worker = await conversation();
    const { revision } = await worker.read();
    const before = await worker.context({ format: 'anthropic' });
    const position = await asked(worker, 'Second question.', 'Second answer.');
    const cost = await worker.ok('GET', worker.path(`/cost?atLeast=${position}`));
    const { status, body } = await revert(worker, { at: revision });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      to: { sessionId: worker.sessionId, revision },
      effects: [],
      moreEffects: 0,
    });
    expect((await worker.context({ format: 'anthropic' })).messages).toEqual(before.messages);
    const shown = await messages(worker, body.position);
    expect(shown.items.map(({ preview }) => preview)).toEqual([
      'First question.',
      'First answer.',
      '',
    ]);
    expect((await worker.read()).revert).toEqual({ revision: body.revision, to: body.to });
    expect((await worker.events()).map(({ type }) => type)).toContain('Reverted');
    const spent = await worker.ok('GET', worker.path(`/cost?atLeast=${body.position}`));
    expect(spent).toMatchObject({ own: (cost as { own: object }).own });
  });

  it('can be cleared until the next input, also after a restart', async () => {
    const worker = await conversation();
    await asked(worker, 'Second question.', 'Second answer.');
    const before = await textOf(worker);
    await revert(worker, { at: 0 });
    expect(await textOf(worker)).not.toContain('question');
    app = await app.restarted();
    const again = new SessionWorker(app.http, worker.sessionId);
    await again.ok('DELETE', again.path('/revert'));
    expect(await textOf(again)).toBe(before);
    expect((await again.read()).revert).toBeUndefined();
    await revert(again, { at: 0 });
    await again.input('Something else.');
    expect(await app.http.send('DELETE', again.path('/revert'))).toMatchObject({
      status: 409,
      body: { code: 'invalid_state' },
    });
  });

  it('goes back to before a message, and a fork of it shows the same', async () => {
    const worker = await conversation();
    await asked(worker, 'Second question.', 'Second answer.');
    const { position } = (await worker.events()).at(-1)!;
    const { items } = await messages(worker, position);
    const second = items.find(({ preview }) => preview === 'Second question.');
    const reverted = await revert(worker, { messageId: second!.messageId });
    expect(reverted.status).toBe(200);
    expect(await textOf(worker)).not.toContain('Second');
    const { sessionId } = await worker.ok<ReceiptBody>('POST', worker.path('/forks'), {});
    const fork = new SessionWorker(app.http, sessionId);
    expect(await textOf(fork)).toBe(await textOf(worker));
    expect(await revert(worker, { messageId: 'nobody' })).toMatchObject({ status: 404 });
    expect(await revert(worker, {})).toMatchObject({ status: 400 });
  });

  it('is refused while a run is open, and drops no unread input without a word', async () => {
    const worker = await conversation();
    const { revision } = await worker.read();
    await worker.input('Wait for me.', { resume: false, inputId: 'waiting' });
    expect(await revert(worker, { at: revision })).toMatchObject({
      status: 409,
      body: { code: 'unseen_inputs', inputs: [{ inputId: 'waiting', state: 'pending' }] },
    });
    await worker.input('Go on.');
    await worker.claim();
    expect(await revert(worker, { at: revision })).toMatchObject({
      status: 409,
      body: { code: 'run_open', runId: worker.runId, runStatus: 'active' },
    });
    await worker.ok('POST', worker.path(`/runs/${worker.runId}/stop`), {});
    await worker.ok('POST', worker.path(`/runs/${worker.runId}/stopped`), { ...worker.owner });
    expect((await revert(worker, { at: revision, unseenInputs: 'keep' })).status).toBe(409);
    expect((await revert(worker, { at: revision, unseenInputs: 'drop' })).status).toBe(200);
    expect((await worker.read()).pendingInputs).toEqual([]);
  });

  it('undoes nothing in the world, says so, and tells the model', async () => {
    const worker = await conversation();
    const { revision } = await worker.read();
    await worker.input('Mail them.');
    await worker.claim();
    const calls = ['sent', 'lost'].map((to) => ({
      id: `toolu_${to}`,
      name: 'mail',
      input: { to },
    }));
    const look = { id: 'toolu_look', name: 'look', input: {} };
    const [sent, lost, looked] = await worker.turn(anthropicAnswer('', [...calls, look]), MODEL);
    for (const { callId } of [sent!, lost!, looked!]) await worker.permit(callId);
    await worker.result(sent!.callId, 'sent');
    await worker.result(looked!.callId, 'nothing new');
    await worker.post(`/tool-calls/${lost!.callId}/unknown`, {});
    await worker.post(`/runs/${worker.runId}/fail`, { errorClass: 'x', message: 'x' });
    const { body } = await revert(worker, { at: revision });
    expect(body.effects).toMatchObject([
      { callId: sent!.callId, state: 'completed' },
      { callId: lost!.callId, state: 'awaitingHuman' },
    ]);
    expect(body.note).toContain('2 tool calls');
    expect((await worker.read()).unresolved).toMatchObject([{ callId: lost!.callId }]);
    const text = await textOf(worker);
    expect(text).toContain('It was carried out and has not been undone.');
    expect(text).toContain('may or may not have run');
    expect(text).not.toContain('Mail them.');
    expect(text).not.toContain(looked!.callId);
    const decided = worker.path(`/tool-calls/${lost!.callId}/decision`);
    const key = { 'Idempotency-Key': randomUUID() };
    const { status } = await app.http.post(decided, { decision: 'applied' }, key);
    expect(status).toBe(200);
    expect(await textOf(worker)).not.toContain('may or may not have run');
  });

  it('gives facts the words of that time', async () => {
    const worker = await conversation();
    const fact = (text: string) => ({ facts: [{ factId: 'goal', kind: 'goal', text }] });
    const record = (body: object) =>
      app.http.post(worker.path('/facts'), body, { 'Idempotency-Key': randomUUID() });
    await record(fact('Ship it.'));
    const { revision } = await worker.read();
    await record(fact('Burn it.'));
    await revert(worker, { at: revision });
    expect(await textOf(worker)).toContain('Ship it.');
    expect(await textOf(worker)).not.toContain('Burn it.');
    await worker.ok<SessionBody>('DELETE', worker.path('/revert'));
    expect(await textOf(worker)).toContain('Burn it.');
  });
});
