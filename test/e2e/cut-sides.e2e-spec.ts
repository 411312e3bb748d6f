import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { EventBody, ReceiptBody } from '../support/api-views.js';
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

interface Conversation {
  readonly worker: SessionWorker;
  /** Between an answer and the results of its two calls: after the first of them. */
  readonly inside: number;
  readonly answerId: string;
}

/** One question, an answer with two calls and their results, and a last answer; nothing is open. */
async function conversation(): Promise<Conversation> {
  const worker = new SessionWorker(app.http);
  await worker.start({ tools: [{ name: 'read_log', effect: 'readOnly' }] });
  await worker.input('What do the logs say?');
  await worker.claim();
  const asked = ['toolu_1', 'toolu_2'].map((id) => ({ id, name: 'read_log', input: { id } }));
  const calls = await worker.turn(anthropicAnswer('I read both.', asked));
  for (const [index, { callId }] of calls.entries()) {
    await worker.permit(callId);
    await worker.result(callId, `log ${index + 1} is fine`);
  }
  await worker.turn(anthropicAnswer('Both are fine.'));
  await worker.complete();
  const events = await worker.events();
  const results = events.filter(({ type }) => type === 'ToolResultRecorded');
  const answer = events.find(({ type }) => type === 'AssistantMessageRecorded');
  return { worker, inside: results[0]!.revision, answerId: answerId(answer!) };
}

const answerId = ({ data }: EventBody) => data['messageId'] as string;

/** What the session shows to a model, in short. */
async function shown(worker: SessionWorker): Promise<readonly string[]> {
  const text = JSON.stringify((await worker.context()).messages);
  const told = ['I read both.', 'log 1 is fine', 'log 2 is fine', 'Both are fine.'];
  return told.filter((words) => text.includes(words));
}

async function fork({ worker }: Conversation, body: object): Promise<readonly string[]> {
  const { sessionId } = await worker.ok<ReceiptBody>('POST', worker.path('/forks'), body);
  return shown(new SessionWorker(app.http, sessionId));
}

/** Back, what is shown then, and forward again. */
async function revert({ worker }: Conversation, body: object): Promise<readonly string[]> {
  const key = { 'Idempotency-Key': JSON.stringify(body) };
  const answer = await app.http.post(worker.path('/revert'), body, key);
  expect(answer.status).toBe(200);
  const after = await shown(worker);
  expect((await app.http.send('DELETE', worker.path('/revert'))).status).toBe(200);
  return after;
}

const GROUP = ['I read both.', 'log 1 is fine', 'log 2 is fine'];

describe.each([
  ['a fork', fork, GROUP.slice(0, 2)],
  // The session's own call keeps the result that it has had since.
  ['a revert', revert, GROUP],
] as const)('%s at a place between an answer and the results of its calls', (_name, cut, there) => {
  let one: Conversation;
  beforeAll(async () => {
    one = await conversation();
  });

  it('shows the place as it is, if no side is named', async () => {
    expect(await cut(one, { at: one.inside })).toEqual(there);
  });

  it('goes to the end of the group by `through`', async () => {
    expect(await cut(one, { at: one.inside, side: 'through' })).toEqual(GROUP);
  });

  it('goes to the start of the group by `before`', async () => {
    expect(await cut(one, { at: one.inside, side: 'before' })).toEqual([]);
  });

  it('takes an answer with all its results, or nothing of it', async () => {
    const messageId = one.answerId;
    expect(await cut(one, { messageId, side: 'through' })).toEqual(GROUP);
    expect(await cut(one, { messageId, side: 'before' })).toEqual([]);
  });
});
