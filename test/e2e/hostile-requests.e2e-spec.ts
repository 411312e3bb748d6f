import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { expectProblem } from '../support/expect-problem.js';
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

describe('without the right key', () => {
  const keys = {
    'no key': null,
    'a wrong key': `hf_${'0'.repeat(16)}_${'0'.repeat(64)}`,
    'half a key': 'hf_',
    'a long key': 'k'.repeat(4_000),
  };

  it.each(Object.entries(keys))('every route answers 401 to %s', async (_, key) => {
    const worker = await started();
    const position = await app.ports.events.headPosition();
    for (const [method, path, schema] of [...operations, ['GET', '/openapi.json'] as const]) {
      const url = path.replace('{sessionId}', worker.sessionId).replace(/\{\w+\}/g, 'x');
      const body = schema === undefined ? undefined : {};
      const answer = await app.http.send(method, url, { key, body });
      expectProblem(answer, 401, 'unauthenticated');
    }
    expect(await app.ports.events.headPosition()).toBe(position);
  });

  it('only the two health routes answer, and tell nothing but their state', async () => {
    for (const path of ['/livez', '/readyz']) {
      expect(await app.http.get(path, { key: null })).toMatchObject({
        status: 200,
        body: { status: 'ok' },
      });
    }
  });
});

describe('a request that a web page of somebody else could send', () => {
  it.each([
    ['Host', 'evil.example'],
    ['Host', '127.0.0.1.evil.example'],
    ['Host', 'localhost@evil.example'],
    ['Host', '169.254.169.254'],
    ['Origin', 'http://evil.example'],
    ['Origin', 'http://localhost.evil.example'],
    ['Origin', 'null'],
    ['Origin', 'file://'],
  ])('with the %s %s is refused on every route', async (name, value) => {
    const worker = await started();
    const paths = ['/livez', '/readyz', '/openapi.json', '/v1/sessions', worker.path()];
    for (const path of paths) {
      const answer = await app.http.get(path, { headers: { [name]: value } });
      expectProblem(answer, 403, 'forbidden');
    }
    const input = await app.http.post(worker.path('/inputs'), { content: 'x' }, { [name]: value });
    expectProblem(input, 403, 'forbidden');
    expect((await worker.read()).revision).toBe(0);
  });

  it.each(['localhost', '127.0.0.1:4680', '[::1]:4680', 'LOCALHOST:1'])(
    'is served as this machine’s own by the name %s',
    async (host) => {
      expect((await app.http.get('/v1/sessions', { headers: { Host: host } })).status).toBe(200);
    },
  );

  it('gets no permission to be read by another origin, and no content to run', async () => {
    const { headers } = await app.http.get('/v1/sessions', {
      headers: { Origin: 'http://localhost:4680' },
    });
    expect(headers['access-control-allow-origin']).toBeUndefined();
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    });
  });
});

describe('an id that names nothing', () => {
  it('is a 404 on every route of a session', async () => {
    const worker = new SessionWorker(app.http, 'no-such-session');
    const own = { epoch: 1, claimToken: 'a-claim-token-of-mine' };
    const bodies = new OpenApiBodies((await app.http.get<OpenApi>('/openapi.json')).body);
    for (const [method, path, schema] of operations) {
      if (!path.includes('{sessionId}')) continue;
      const url = path.replace('{sessionId}', worker.sessionId).replace(/\{\w+\}/g, 'x');
      const body = schema === undefined ? undefined : { ...bodies.rightBody(schema) };
      if (body !== undefined && 'claimToken' in body)
        Object.assign(body, { claimToken: own.claimToken });
      const answer = await app.http.send(method, url, {
        body,
        headers: { 'Idempotency-Key': 'k' },
      });
      expect([method, path, answer.status, answer.text]).toMatchObject([method, path, 404, /./]);
      expectProblem(answer, 404, 'not_found');
    }
  });

  it('is a 404 for each kind of thing in a session that there is', async () => {
    const worker = await started();
    await worker.input('Begin.');
    await worker.claim();
    const { revision } = await worker.read();
    const key = { 'Idempotency-Key': 'k' };
    const at = new Date().toISOString();
    const evidence = { method: 'GET', target: 'x', observedAt: at };
    const requests: readonly (readonly [string, object])[] = [
      ['/runs/none/complete', {}],
      ['/runs/none/fail', { errorClass: 'x', message: 'y' }],
      ['/runs/none/interrupt', {}],
      ['/runs/none/release', { reason: 'waiting' }],
      ['/model-calls/none/message', { blocks: [] }],
      ['/model-calls/none/settle', { message: [] }],
      ['/tool-calls/none/start', {}],
      ['/tool-calls/none/progress', {}],
      ['/tool-calls/none/result', { content: 'x' }],
      ['/tool-calls/none/unknown', {}],
      ['/tool-calls/none/skip', { reason: 'denied' }],
      ['/compactions/none/commit', { summary: 'x' }],
      ['/compactions/none/fail', {}],
    ];
    for (const [route, body] of requests) {
      const answer = await app.http.post(worker.path(route), { ...worker.owner, ...body });
      expect([route, answer.status, answer.text]).toMatchObject([route, 404, expect.any(String)]);
      expectProblem(answer, 404, 'not_found');
    }
    const free: readonly (readonly [string, object])[] = [
      ['/runs/none/stop', {}],
      ['/tool-calls/none/late-result', { claimedEpoch: 1, content: 'x' }],
      ['/tool-calls/none/probes', { answer: 'found', requestedAt: at, evidence }],
      ['/tool-calls/none/decision', { decision: 'applied' }],
    ];
    for (const [route, body] of free) {
      expectProblem(await app.http.post(worker.path(route), body, key), 404, 'not_found');
    }
    for (const path of ['/tool-calls/none', `/artifacts/${'0'.repeat(64)}`, '/artifacts/none']) {
      expectProblem(await app.http.get(worker.path(path)), 404, 'not_found');
    }
    const child = { parent: { sessionId: 'none', edge: 'subagent' } };
    expectProblem(await app.http.post('/v1/sessions', child), 404, 'not_found');
    expect((await worker.read()).revision).toBe(revision);
  });
});

describe('a path', () => {
  it.each([
    ['an id that is too long', `/v1/sessions/${'a'.repeat(129)}`],
    ['an id longer than any route', `/v1/sessions/${'a'.repeat(9_000)}`],
  ])('with %s is a 404', async (_, path) => {
    expectProblem(await app.http.get(path), 404, 'not_found');
  });

  it.each([
    '/v1/sessions/../../etc/passwd',
    '/v1/sessions/..%2f..%2fetc%2fpasswd',
    '/v1/sessions/%2e%2e',
    '/v1/sessions/%00',
    '/v1/sessions/a%2fb',
    '/v1/sessions/a%20b',
    '/v1/sessions/constructor/../../x',
    '/v1/sessions/__proto__',
    '//v1/sessions',
    '/v1/sessions/x/artifacts/..%2f..%2fapi-key',
    '/v1/sessions/x/artifacts/..',
    '/v1',
    '/',
    '/console',
    '/V1/SESSIONS',
  ])('that leads nowhere is a 404: %s', async (path) => {
    expectProblem(await app.http.get(path), 404, 'not_found');
  });

  it.each(['/v1/sessions/%', '/v1/sessions/%zz', '/%c0%ae%c0%ae'])(
    'that cannot be decoded is refused: %s',
    async (path) => {
      const answer = await app.http.get(path);
      expect([400, 404]).toContain(answer.status);
      expectProblem(answer, answer.status, answer.status === 400 ? 'invalid_request' : 'not_found');
    },
  );

  it.each(['PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND'])(
    'with a method that is not offered is refused: %s',
    async (method) => {
      const answer = await app.http.send(method, '/v1/sessions');
      expect([404, 405]).toContain(answer.status);
      expect(answer.headers['content-type']).toMatch(/problem\+json/);
    },
  );

  it.each([
    '?first=0',
    '?first=201',
    '?first=many',
    '?first=1&first=2',
    '?first=1.5',
    '?after=not-a-cursor',
    '?status=sleeping',
    '?label=no-value',
    '?imported=perhaps',
    '?atLeast=x',
    '?atLeast=-1',
    '?atLeast=99999999999999999999',
    '?atLeast=007',
    '?unknown=1',
    '?first[]=1',
  ])('of the list with %s is a 400', async (query) => {
    expectProblem(await app.http.get(`/v1/sessions${query}`), 400, 'invalid_request');
  });

  it.each([
    '/events?from=-1',
    '/events?first=0',
    '/events?from=x',
    '/events?from=1e400',
    '?at=-1',
    '?at=1000000',
    '/context?at=1000000',
    '/context?format=morse',
    '/cost?atLeast=99999999999999999999',
    '/cost/children?after=not-a-cursor',
  ])('of a session with %s is a 400', async (query) => {
    const worker = await started();
    expectProblem(await app.http.get(worker.path(query)), 400, 'invalid_request');
  });
});

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
    expectProblem(await app.http.post(route, over), 413, 'too_large');
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
    await worker.input('Begin.');
    await worker.claim();
    await worker.post('/model-calls', { modelCallId: 'call-1' });
    const message = [{ type: 'text', text: 'a'.repeat(400 * 1024) }];
    const settle = { ...worker.owner, message };
    const answer = await app.http.post(worker.path('/model-calls/call-1/settle'), settle);
    expectProblem(answer, 413, 'too_large');
    await worker.settle('call-1', { response: anthropicAnswer('Shorter.') });
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
});
