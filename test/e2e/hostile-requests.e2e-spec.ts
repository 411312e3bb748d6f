import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { expectProblem } from '../support/expect-problem.js';
import { type OpenApi, OpenApiBodies } from '../support/openapi-bodies.js';
import { SessionWorker } from '../support/session-worker.js';

jest.setTimeout(180_000);

let app: AppInProcess;
let operations: ReturnType<OpenApiBodies['operations']>;
/** Wrong keys are slowed down by the minute: a test that sends many lets time pass. */
let aheadMs = 0;
beforeAll(async () => {
  app = await startApp({ clock: () => Date.now() + aheadMs });
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
      const query = path.endsWith('/compare') ? '?with=x' : '';
      const url = path.replace('{sessionId}', worker.sessionId).replace(/\{\w+\}/g, 'x') + query;
      const body = schema === undefined ? undefined : {};
      aheadMs += 10_000;
      const answer = await app.http.send(method, url, { key, body });
      expectProblem(answer, 401, 'unauthenticated');
    }
    expect(await app.ports.events.headPosition()).toBe(position);
  });

  it('only the two health routes answer, and tell nothing but their state', async () => {
    for (const path of ['/livez', '/readyz']) {
      const { status, body } = await app.http.get(path, { key: null });
      expect(status).toBe(200);
      // By the clock of this test the read models may be seconds behind.
      expect(body).toMatchObject({ status: expect.stringMatching(/^(ok|read_models_behind)$/) });
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
      const query = path.endsWith('/compare') ? '?with=x' : '';
      const url = path.replace('{sessionId}', worker.sessionId).replace(/\{\w+\}/g, 'x') + query;
      const body = schema === undefined ? undefined : { ...bodies.rightBody(schema) };
      if (body !== undefined && 'claimToken' in body)
        Object.assign(body, { claimToken: own.claimToken });
      if (body !== undefined && path.endsWith('/usage')) {
        Object.assign(body, { response: { usage: { input_tokens: 1, output_tokens: 1 } } });
      }
      const headers = { 'Idempotency-Key': 'k' };
      const bytes = {
        raw: 'x',
        headers: { ...headers, 'Content-Type': 'application/octet-stream' },
      };
      const isUpload = method === 'POST' && path.endsWith('/artifacts');
      const answer = await app.http.send(method, url, isUpload ? bytes : { body, headers });
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
    ['PATCH', '/v1/sessions', 'GET, HEAD, POST'],
    ['PUT', '/v1/sessions/any/restore', 'POST'],
    ['DELETE', '/openapi.json', 'GET, HEAD'],
  ])('with another method, %s %s, is a 405 that names those that are there', async (...of) => {
    const [method, path, allowed] = of;
    const answer = await app.http.send(method, path);
    expectProblem(answer, 405, 'method_not_allowed');
    expect(answer.headers['allow']).toBe(allowed);
  });

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
