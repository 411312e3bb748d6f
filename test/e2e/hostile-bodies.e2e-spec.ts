import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { expectProblem } from '../support/expect-problem.js';
import { graphql } from '../support/graphql-client.js';
import { type OpenApi, OpenApiBodies } from '../support/openapi-bodies.js';
import { anthropicAnswer, openAiChatAnswer } from '../support/provider-answers.js';
import { SessionWorker } from '../support/session-worker.js';

jest.setTimeout(180_000);

const MEBIBYTE = 1024 * 1024;

let app: AppInProcess;
let operations: ReturnType<OpenApiBodies['operations']>;
beforeAll(async () => {
  app = await startApp();
  const document = (await app.http.get<OpenApi>('/openapi.json')).body;
  operations = new OpenApiBodies(document).operations();
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

describe('a body that is too large', () => {
  const large = (bytes: number) => JSON.stringify({ content: 'a'.repeat(bytes) });

  it('is a 413 with and without a content length, and the server serves on', async () => {
    const worker = await started();
    for (const [method, path, schema] of operations) {
      if (schema === undefined) continue;
      const url = path.replace('{sessionId}', worker.sessionId).replace(/\{\w+\}/g, 'x');
      const raw = large(10 * MEBIBYTE);
      expectProblem(await app.http.send(method, url, { raw }), 413, 'too_large');
    }
    const chunk = Buffer.alloc(64 * 1024, 'a');
    const raw = [Buffer.from('{"content":"'), ...new Array<Buffer>(160).fill(chunk)];
    const streamed = await app.http.send('POST', worker.path('/inputs'), { raw });
    expectProblem(streamed, 413, 'too_large');
    expect((await worker.read()).revision).toBe(0);
  });

  it('ends at 8 MiB on the route of tool results, and at 1 MiB everywhere else', async () => {
    const worker = await started();
    await worker.input('Begin.');
    await worker.claim();
    const [call] = await worker.turn(anthropicAnswer('', [{ id: 't', name: 'x', input: {} }]));
    await worker.permit(call!.callId);
    const over = { ...worker.owner, content: 'a'.repeat(8 * MEBIBYTE) };
    const route = worker.path(`/tool-calls/${call!.callId}/result`);
    expect(expectProblem(await app.http.post(route, over), 413, 'too_large')).toMatchObject({
      detail: expect.stringContaining('HOLDFAST_TOOL_RESULT_LIMIT_BYTES'),
      limits: { bodyBytesMax: 8 * MEBIBYTE },
    });
    const content = 'a'.repeat(8 * MEBIBYTE - 1_000);
    const kept = await worker.result(call!.callId, content);
    expect(kept.call).toMatchObject({ state: 'completed' });
    const input = await app.http.post(worker.path('/inputs'), { content: 'a'.repeat(MEBIBYTE) });
    expectProblem(input, 413, 'too_large');
  });

  it('is refused by the name of its limit where only a part of it is too large', async () => {
    const worker = await started();
    const text = await app.http.post(worker.path('/inputs'), { content: 'a'.repeat(600 * 1024) });
    expect(expectProblem(text, 400, 'invalid_request').detail).toContain(String(512 * 1024));
    const facts = Array.from({ length: 40 }, (_, index) => ({
      factId: `fact-${index}`,
      kind: 'note',
      text: 'a'.repeat(8_000),
    }));
    const key = { 'Idempotency-Key': 'facts' };
    const answer = await app.http.post(worker.path('/facts'), { facts }, key);
    expectProblem(answer, 413, 'too_large');
    await app.http.post(worker.path('/facts'), { facts: facts.slice(0, 20) }, key);
  });

  it('takes a text input that fits into one event, as a whole', async () => {
    const worker = await started();
    const content = 'ä'.repeat(100 * 1024);
    await worker.input(content);
    await worker.claim();
    expect(JSON.stringify((await worker.context()).messages)).toContain(content);
  });
});

describe('odd text', () => {
  it.each([
    ['a lone surrogate', '"before \\ud800 after"', 'before'],
    ['NUL', '"before \\u0000 after"', 'before \u0000 after'],
    ['a byte order mark', '"\\ufeffbefore"', '\ufeffbefore'],
    ['line separators', '"before\\u2028after"', 'before\u2028after'],
  ])('with %s is kept, and every context stays valid', async (_, json, part) => {
    const worker = await started();
    const raw = `{"content":${json}}`;
    expect((await app.http.send('POST', worker.path('/inputs'), { raw })).status).toBe(201);
    await worker.claim();
    const stored = (await worker.events()).find(({ type }) => type === 'InputAccepted')!;
    expect(stored.data.content).toEqual([{ type: 'text', text: JSON.parse(json) }]);
    for (const format of ['neutral', 'anthropic', 'openai-chat']) {
      const { messages } = await worker.context({ format });
      const text = JSON.stringify(messages);
      expect(text).toContain(JSON.stringify(part).slice(1, -1));
      if (format !== 'neutral') expect(text).not.toMatch(/\\ud[89a-f]/i);
    }
  });

  it('that is no UTF-8 is refused', async () => {
    const worker = await started();
    const raw = Buffer.concat([
      Buffer.from('{"content":"'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('"}'),
    ]);
    const answer = await app.http.send('POST', worker.path('/inputs'), { raw });
    expectProblem(answer, 400, 'invalid_request');
  });

  it('in the arguments of a model is kept as the model wrote it', async () => {
    const deep = `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`;
    for (const text of [deep, '{"__proto__":{"admin":true}}', '{"a":', '[1]', '"x"', '']) {
      const worker = await started();
      await worker.input('Begin.');
      await worker.claim();
      await worker.post('/model-calls', { modelCallId: 'call-1', provider: 'openai' });
      const response = openAiChatAnswer('', [{ id: 'call_1', name: 'x', input: {} }]);
      response.choices[0]!.message.tool_calls![0]!.function.arguments = text;
      await worker.settle('call-1', { response });
      const requested = (await worker.events()).find(({ type }) => type === 'ToolCallRequested')!;
      expect(requested.data.argsText).toBe(text);
      expect((await app.http.get(worker.path('/context?format=openai-chat'))).status).toBe(200);
    }
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  it.each(['anthropic', 'openai-chat'])(
    'with a key that every object inherits is kept as data (%s)',
    async (format) => {
      const input = {
        constructor: { prototype: 'x' },
        prototype: [1],
        toString: { constructor: 2 },
      };
      const asked = [{ id: 't1', name: 'x', input }];
      const response =
        format === 'anthropic' ? anthropicAnswer('', asked) : openAiChatAnswer('', asked);
      const worker = await started();
      await worker.input('Begin.');
      await worker.claim();
      await worker.post('/model-calls', { modelCallId: 'call-1' });
      const { calls } = await worker.settle('call-1', { response });
      await worker.permit(calls[0]!.callId);
      await worker.result(calls[0]!.callId, 'done', { details: input });
      const events = await worker.events();
      const requested = events.find(({ type }) => type === 'ToolCallRequested')!;
      expect(requested.data.args).toEqual(input);
      const { messages } = await worker.context({ format });
      const inContext = JSON.stringify(messages).replaceAll('\\"', '"');
      expect(inContext).toContain('"constructor":{"prototype":"x"}');
      expect(inContext).toContain('"toString":{"constructor":2}');
      expect(Object.hasOwn(Object.prototype, 'prototype')).toBe(false);
    },
  );

  it('as a field of a body is unknown, at any depth of what is declared', async () => {
    const refused = await app.http.post('/v1/sessions', {
      constructor: 1,
      tools: [{ name: 'x', effect: 'readOnly', constructor: { name: 'y' } }],
    });
    const { errors } = expectProblem(refused, 400, 'invalid_request');
    expect(errors).toEqual([
      expect.objectContaining({ at: 'constructor' }),
      expect.objectContaining({ at: 'tools.0.constructor' }),
    ]);
  });
});

describe('a number', () => {
  const ID = '12345678901234567890';

  async function settledWith(argument: string) {
    const worker = await started();
    await worker.input('Begin.');
    await worker.claim();
    await worker.post('/model-calls', { modelCallId: 'call-1' });
    const response = anthropicAnswer('', [{ id: 't1', name: 'x', input: { id: '@' } }]);
    const raw = JSON.stringify({ ...worker.owner, response }).replace('"@"', argument);
    const settle = () => app.http.send('POST', worker.path('/model-calls/call-1/settle'), { raw });
    return { worker, settle, answer: await settle() };
  }

  it('beyond a double is kept digit by digit, as text, and sent again it is the same', async () => {
    const { worker, settle, answer } = await settledWith(ID);
    expect(answer).toMatchObject({ status: 200, body: { replayed: false } });
    expect(await settle()).toMatchObject({
      status: 200,
      body: { replayed: true, payloadDiffers: false },
    });
    const [call] = (answer.body as { readonly calls: { readonly callId: string }[] }).calls;
    await worker.permit(call!.callId);
    const raw = `{"epoch":1,"claimToken":"${worker.owner.claimToken}","content":"","details":{"id":-${ID}}}`;
    const path = worker.path(`/tool-calls/${call!.callId}/result`);
    expect((await app.http.send('POST', path, { raw })).status).toBe(200);
    const events = await worker.events();
    const dataOf = (wanted: string) => events.find(({ type }) => type === wanted)!.data;
    expect(dataOf('ToolCallRequested').args).toEqual({ id: ID });
    expect(dataOf('ToolResultRecorded').result).toMatchObject({ details: { id: `-${ID}` } });
    for (const format of ['neutral', 'anthropic', 'openai-chat']) {
      expect(JSON.stringify((await worker.context({ format })).messages)).toContain(ID);
    }
  });

  it('that nothing holds is refused by its name, and nothing is recorded', async () => {
    const { worker, answer } = await settledWith('1e999');
    const { detail } = expectProblem(answer, 400, 'invalid_request');
    expect(detail).toBe('the number 1e999 is too large to be kept: write it as text');
    expect((await worker.events()).at(-1)!.type).toBe('ModelCallStarted');
  });

  it('with more digits of a fraction than a double has is the nearest one', async () => {
    const { worker } = await settledWith('0.1234567890123456789');
    const requested = (await worker.events()).find(({ type }) => type === 'ToolCallRequested')!;
    expect(requested.data.args).toEqual({ id: 0.12345678901234568 });
  });

  it.each([
    [ID, 'epoch must not be greater than 9007199254740991'],
    [`-${ID}`, 'epoch must not be less than 1'],
    ['"1"', 'epoch must be an integer number'],
    ['1.5', 'epoch must be an integer number'],
  ])('%s in a field that is a number is refused for what is wrong with it', async (epoch, says) => {
    const worker = await started();
    const raw = `{"epoch":${epoch},"claimToken":"${worker.owner.claimToken}"}`;
    const answer = await app.http.send('POST', worker.path('/runs/any/complete'), { raw });
    const { errors } = expectProblem(answer, 400, 'invalid_request');
    expect(errors).toEqual([{ at: 'epoch', message: says }]);
  });

  it('is the same over GraphQL, in variables and in the operation itself', async () => {
    const settings = (value: string) => `{name: "a", version: "1", settings: ${value}}`;
    const start = (profile: string) =>
      `startSession(input: {profile: ${profile}}) { ... on Receipt { sessionId } }`;
    const raws = [
      JSON.stringify({ query: `mutation { ${start(settings(`{id: [${ID}]}`))} }` }),
      `{"query":${JSON.stringify(`mutation ($value: JSON) { ${start(settings('$value'))} }`)},"variables":{"value":{"id":[${ID}]}}}`,
    ];
    for (const raw of raws) {
      const { text } = await app.http.send('POST', '/graphql', { raw });
      const { data } = JSON.parse(text) as { data: { startSession: { sessionId: string } } };
      const read = await app.http.get(`/v1/sessions/${data.startSession.sessionId}`);
      expect(read.body).toMatchObject({ profile: { settings: { id: [ID] } } });
    }
    const { errors } = await graphql(app, `mutation { ${start(settings('{id: [1e999]}'))} }`);
    expect(errors?.[0]?.message).toContain('the number 1e999 is too large to be kept');
  });
});
