import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { ContextBody, EventBody } from '../support/api-views.js';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { expectProblem } from '../support/expect-problem.js';
import { anthropicAnswer } from '../support/provider-answers.js';
import { SessionWorker } from '../support/session-worker.js';

jest.setTimeout(120_000);

/** Not repeated: a missing middle must be noticed. */
const lines = (count: number) =>
  Array.from({ length: count }, (_, line) => `line ${line} of a long text`).join('\n');
const TEXT = lines(18_000);
const PICTURE = randomBytes(60_000).toString('base64');
const ANTHROPIC = { format: 'anthropic' };

let app: AppInProcess;
beforeAll(async () => {
  app = await startApp();
});
afterAll(async () => {
  await app.close();
  app.folder.remove();
});

async function started(): Promise<SessionWorker> {
  const worker = new SessionWorker(app.http);
  await worker.start();
  return worker;
}

async function working(first: unknown = 'Go.'): Promise<SessionWorker> {
  const worker = await started();
  await worker.input(first);
  await worker.claim();
  return worker;
}

async function eventOf(worker: SessionWorker, type: string): Promise<EventBody> {
  const event = (await worker.events()).find((candidate) => candidate.type === type);
  expect(JSON.stringify(event).length).toBeLessThan(64 * 1024);
  return event!;
}

/** Compared as a truth value: a failure must not print half a megabyte. */
function shows(context: ContextBody, text: string): boolean {
  return JSON.stringify(context.messages).includes(JSON.stringify(text).slice(1, -1));
}

describe('what is too large for an event', () => {
  it('as an input is an artifact with a preview, and whole in every context', async () => {
    expect(TEXT.length).toBeGreaterThan(400_000);
    const worker = await working(TEXT);
    const { data } = await eventOf(worker, 'InputAccepted');
    const { artifact } = data as { artifact: { hash: string; mediaType: string } };
    expect(artifact.mediaType).toBe('application/json');
    expect(JSON.stringify(data.content)).toContain('line 1 of a long text');
    const stored = await app.http.get(worker.path(`/artifacts/${artifact.hash}`));
    expect(stored.body).toEqual([{ type: 'text', text: TEXT }]);
    expect(shows(await worker.context(ANTHROPIC), TEXT)).toBe(true);
    await worker.turn(anthropicAnswer('Read.'));
    const fork = await app.http.post<{ sessionId: string }>(worker.path('/forks'), {});
    const child = new SessionWorker(app.http, fork.body.sessionId);
    expect(shows(await child.context(ANTHROPIC), TEXT)).toBe(true);
  });

  it('as a message with its calls is whole too, and its calls keep their places', async () => {
    const worker = await working();
    const input = { path: 'a.txt', content: TEXT };
    const [call, other] = await worker.turn(
      anthropicAnswer(`I write it. ${lines(9_000)}`, [
        { id: 'toolu_1', name: 'write', input },
        { id: 'toolu_2', name: 'list', input: {} },
      ]),
    );
    await eventOf(worker, 'AssistantMessageRecorded');
    const requested = await eventOf(worker, 'ToolCallRequested');
    expect(requested.data).toMatchObject({ args: { path: 'a.txt' } });
    for (const { callId } of [call!, other!]) {
      await worker.permit(callId);
      await worker.result(callId, 'done');
    }
    const { messages } = await worker.context(ANTHROPIC);
    expect(messages[1]).toEqual({
      role: 'assistant',
      content: [
        { type: 'text', text: `I write it. ${lines(9_000)}` },
        { type: 'tool_use', id: 'toolu_1', name: 'write', input },
        { type: 'tool_use', id: 'toolu_2', name: 'list', input: {} },
      ],
    });
  });

  it('may be part of a whole step, and is answered the same when it is repeated', async () => {
    const worker = await working();
    const steps = [
      { type: 'acceptInput', inputId: 'large', content: lines(15_000) },
      { type: 'acceptInput', inputId: 'other', content: lines(14_000) },
    ];
    const first = await worker.post<{ revision: number }>('/record', { steps });
    const again = await worker.post<object>('/record', { steps });
    expect(again).toMatchObject({ revision: first.revision, replayed: true });
    const context = await worker.context();
    expect(shows(context, `${lines(14_999)}\n`)).toBe(true);
    expect(shows(context, lines(14_000))).toBe(true);
  });

  it('as a tool result is trimmed by the budget only', async () => {
    const worker = await working();
    const asked = [{ id: 'toolu_1', name: 'read', input: {} }];
    const [call] = await worker.turn(anthropicAnswer('', asked));
    await worker.permit(call!.callId);
    await worker.result(call!.callId, TEXT);
    const whole = await worker.context(ANTHROPIC);
    expect(shows(whole, TEXT)).toBe(true);
    expect(whole.estimatedTokens).toBeGreaterThan(TEXT.length / 4);
    const small = [{ id: 'toolu_2', name: 'read', input: {} }];
    const usage = { input_tokens: 120_000, output_tokens: 10 };
    const [next] = await worker.turn({ ...anthropicAnswer('', small), usage });
    await worker.permit(next!.callId);
    await worker.result(next!.callId, 'short');
    const fitted = await worker.context({ ...ANTHROPIC, budgetTokens: 20_000 });
    expect(shows(fitted, 'line 9 of a long text')).toBe(false);
    expect(fitted).toMatchObject({ trimmed: [{ callId: call!.callId }], compactionNeeded: true });
  });

  it('is summarised as a whole: what stands only in its middle is found to be missing', async () => {
    const worker = await working(`${TEXT}\nPay 4711.50 EUR.\n${lines(100)}`);
    await worker.turn(anthropicAnswer('Read.'));
    await worker.input('Next.');
    await worker.turn(anthropicAnswer('Done.'));
    const range = await worker.post<{ text: string }>('/compactions', {
      compactionId: 'c',
      keepGroups: 1,
    });
    expect(range.text.includes('Pay 4711.50 EUR.')).toBe(true);
  });
});

describe('a picture', () => {
  const image = { type: 'image', mediaType: 'image/png', base64: PICTURE };

  it('that is sent inline becomes an artifact once, and reaches the model as it was', async () => {
    const worker = await working([{ type: 'text', text: 'Look.' }, image]);
    await worker.input([image]);
    const accepted = (await worker.events()).filter(({ type }) => type === 'InputAccepted');
    expect(JSON.stringify(accepted)).not.toContain(PICTURE);
    const hashes = accepted.flatMap(({ data }) =>
      (data.content as { artifact?: { hash: string } }[]).flatMap(
        ({ artifact }) => artifact?.hash ?? [],
      ),
    );
    expect([hashes.length, new Set(hashes).size]).toEqual([2, 1]);
    const { messages } = await worker.context(ANTHROPIC);
    expect(messages[0]).toEqual({
      role: 'user',
      content: [
        { type: 'text', text: 'Look.' },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PICTURE } },
      ],
    });
    for (const format of ['openai-chat', 'openai-responses', 'gemini', 'ai-sdk', 'langchain']) {
      expect(shows(await worker.context({ format }), PICTURE)).toBe(true);
    }
  });

  it('that was uploaded is named by its artifact, and an unknown one is refused', async () => {
    const worker = await started();
    const sent = {
      raw: Buffer.from(PICTURE, 'base64'),
      headers: { 'Content-Type': 'application/octet-stream' },
    };
    const path = worker.path('/artifacts?mediaType=image/png');
    const artifact = (await app.http.send<object>('POST', path, sent)).body;
    const named = { type: 'image', mediaType: 'image/png', artifact };
    await worker.input([named]);
    await worker.claim();
    expect(shows(await worker.context(ANTHROPIC), PICTURE)).toBe(true);
    const unknown = { ...named, artifact: { ...artifact, hash: '0'.repeat(64) } };
    const answer = await app.http.post(worker.path('/inputs'), { content: [unknown] });
    expect(expectProblem(answer, 400, 'invalid_request').detail).toContain('upload it first');
    const half = await app.http.post(worker.path('/inputs'), {
      content: [{ ...named, artifact: { hash: 'x' } }],
    });
    expectProblem(half, 400, 'invalid_request');
    const other = await started();
    const foreign = await app.http.post(other.path('/inputs'), { content: [named] });
    expectProblem(foreign, 400, 'invalid_request');
  });
});
