import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { expectProblem } from '../support/expect-problem.js';
import { SessionWorker } from '../support/session-worker.js';

let app: AppInProcess;
let worker: SessionWorker;
beforeAll(async () => {
  app = await startApp();
  worker = new SessionWorker(app.http);
  await worker.start();
});
afterAll(async () => {
  await app.close();
  app.folder.remove();
});

describe('what is refused says why', () => {
  it.each([
    ['?at=abc', 'at must be a whole number from 0 on'],
    ['?at=1.5', 'at must be a whole number from 0 on'],
    ['?at=', 'at must be a whole number from 0 on'],
  ])('%s of a state', async (query, detail) => {
    const answer = await app.http.get(worker.path(`/context${query}`));
    expect(expectProblem(answer, 400, 'invalid_request').detail).toBe(detail);
  });

  it.each(['abc', '0', '201', '1e2', '-1'])('first=%s', async (first) => {
    const answer = await app.http.get(`/v1/sessions?first=${first}`);
    const { detail } = expectProblem(answer, 400, 'invalid_request');
    expect(detail).toBe('first must be a whole number from 1 to 200');
  });

  it('a path with a slash too many is not there, whatever the method', async () => {
    expectProblem(await app.http.get('/v1/sessions/'), 404, 'not_found');
    expectProblem(await app.http.send('DELETE', '/v1/sessions/'), 404, 'not_found');
    expectProblem(await app.http.send('DELETE', '/v1/sessions'), 405, 'method_not_allowed');
  });

  it('a version that a session does not have is the fault of the request', async () => {
    const answer = await app.http.get(worker.path('/cost?asOf=version:99'));
    expectProblem(answer, 400, 'invalid_request');
  });

  it('a list of tools in a list is no tool', async () => {
    for (const tools of [[[[[]]]], [[]], [null]]) {
      expectProblem(await app.http.post('/v1/tools', { tools }), 400, 'invalid_request');
    }
  });

  it.each([[[false, { name: 'a' }]], [[['a']]], [[null]], ['a']])(
    'a context is not made with the tools %j',
    async (tools) => {
      const answer = await app.http.post(worker.path('/context'), { tools });
      const { detail } = expectProblem(answer, 400, 'invalid_request');
      expect(detail).toContain('tools must be a list of tool definitions, each an object');
    },
  );

  it.each(['types', 'commands'])('%s of an audit that nothing can have', async (name) => {
    const answer = await app.http.get(`/v1/audit?${name}=SessionStartd`);
    expect(expectProblem(answer, 400, 'invalid_request').detail).toContain('SessionStartd');
    const body = { [name]: ['SessionStartd'] };
    expectProblem(await app.http.post('/v1/audit/exports', body), 400, 'invalid_request');
  });
});

it.each(['messages', 'cost'])('%s of a session are there as soon as it is', async (what) => {
  for (let round = 0; round < 5; round += 1) {
    const fresh = new SessionWorker(app.http);
    await fresh.start();
    expect((await app.http.get(fresh.path(`/${what}`))).status).toBe(200);
  }
  expectProblem(await app.http.get(`/v1/sessions/nobody/${what}`), 404, 'not_found');
});

describe('what a list can be asked for', () => {
  it.each(['erasing', 'erased'])('status=%s', async (status) => {
    expect((await app.http.get(`/v1/sessions?status=${status}`)).status).toBe(200);
  });
});

describe('what GraphQL refuses says why, without the value', () => {
  const ask = (query: string) =>
    app.http.post<{ readonly errors: readonly { readonly message: string }[] }>('/graphql', {
      query,
    });

  it.each([
    ['{ sessions(first: 1, status: 5) { nodes { sessionId } } }', /cannot represent/],
    ['{ sessions(first: "many") { nodes { sessionId } } }', /cannot represent non-integer value$/],
  ])('%s', async (query, message) => {
    const { status, body } = await ask(query);
    expect(status).toBe(400);
    expect(body.errors[0]!.message).toMatch(message);
  });

  it('a bad cursor is the error of its field', async () => {
    const { status, body } = await ask(
      '{ sessions(first: 1, after: "x") { nodes { sessionId } } }',
    );
    expect(status).toBe(200);
    expect(body.errors[0]).toMatchObject({ extensions: { code: 'invalid_request', status: 400 } });
  });
});
