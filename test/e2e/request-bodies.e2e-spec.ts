import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { expectProblem } from '../support/expect-problem.js';
import { type OpenApi, OpenApiBodies, type Schema } from '../support/openapi-bodies.js';
import { anthropicAnswer } from '../support/provider-answers.js';
import { SessionWorker } from '../support/session-worker.js';

jest.setTimeout(180_000);

let app: AppInProcess;
let bodies: OpenApiBodies;
let document: OpenApi;
beforeAll(async () => {
  app = await startApp();
  document = (await app.http.get<OpenApi>('/openapi.json')).body;
  bodies = new OpenApiBodies(document);
});
afterAll(async () => {
  await app.close();
  app.folder.remove();
});

/** The path with a real session, and ids of everything else that name nothing. */
function filled(path: string, sessionId: string): string {
  return path.replace('{sessionId}', sessionId).replace(/\{\w+\}/g, 'no-such-id');
}

async function withBody(): Promise<readonly (readonly [string, string, Schema])[]> {
  return bodies
    .operations()
    .flatMap(([method, path, schema]) => (schema === undefined ? [] : [[method, path, schema]]));
}

describe('the API document', () => {
  it('has every operation, and no reference that leads nowhere', () => {
    expect(bodies.operations().length).toBeGreaterThan(35);
    const references = JSON.stringify(document).match(/"\$ref":"[^"]*"/g) ?? [];
    expect(references.length).toBeGreaterThan(30);
    const known = Object.keys(document.components.schemas).map(
      (name) => `"$ref":"#/components/schemas/${name}"`,
    );
    expect(references.filter((reference) => !known.includes(reference))).toEqual([]);
  });
});

describe('every request body', () => {
  it('that is not valid is a 400 that says where, and leaves nothing behind', async () => {
    const worker = new SessionWorker(app.http);
    await worker.start();
    await worker.input('Here already.');
    const position = await app.ports.events.headPosition();
    let sent = 0;
    for (const [method, path, schema] of await withBody()) {
      for (const { why, body, field } of bodies.wrongBodies(schema)) {
        const headers = { 'Idempotency-Key': 'key-1' };
        const url = filled(path, worker.sessionId);
        const answer = await app.http.send(method, url, { body, headers });
        expect([method, path, why, answer.status]).toEqual([method, path, why, 400]);
        const { errors } = expectProblem(answer, 400, 'invalid_request');
        if (field !== undefined) {
          const places = new Set((errors as { at: string }[]).map(({ at }) => at.split('.')[0]));
          expect([path, why, places.has(field)]).toEqual([path, why, true]);
        }
        sent += 1;
      }
    }
    expect(sent).toBeGreaterThan(500);
    expect(await app.ports.events.headPosition()).toBe(position);
    await worker.input('And the server still serves.');
  });

  it.each([
    ['no object', '[]'],
    ['null', 'null'],
    ['a text', '"text"'],
    ['a number', '1'],
    ['a flag', 'true'],
    ['empty', ''],
    ['cut off', '{"content":'],
    ['with a comma too many', '{"content":"a",}'],
    ['not JSON', 'content=a'],
    ['with a key that would change a prototype', '{"__proto__":{"admin":true},"content":"a"}'],
    ['with a constructor', '{"constructor":{"prototype":{"admin":true}},"content":"a"}'],
    ['deeper than anybody needs', `{"content":${'['.repeat(50_000)}${']'.repeat(50_000)}}`],
    ['deep in an unknown field', `{"other":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`],
  ])('that is %s is a 400 on every route', async (_, raw) => {
    const worker = new SessionWorker(app.http);
    await worker.start();
    for (const [method, path] of await withBody()) {
      const headers = { 'Idempotency-Key': 'key-1' };
      const answer = await app.http.send(method, filled(path, worker.sessionId), { raw, headers });
      expect([path, answer.status, answer.text]).toMatchObject([path, 400, expect.any(String)]);
      expectProblem(answer, 400, 'invalid_request');
    }
    expect((await worker.read()).revision).toBe(0);
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'text/xml'])(
    'of the type %s is a 415',
    async (type) => {
      const worker = new SessionWorker(app.http);
      await worker.start();
      for (const [method, path] of await withBody()) {
        const headers = { 'Content-Type': type };
        const url = filled(path, worker.sessionId);
        const answer = await app.http.send(method, url, { raw: '{"content":"a"}', headers });
        const { detail } = expectProblem(answer, 415, 'unsupported_media_type');
        expect(detail).toContain('Content-Type: application/json');
      }
      expect((await worker.read()).revision).toBe(0);
    },
  );

  it('or query with an unknown field is told the known ones', async () => {
    const body = await app.http.post('/v1/sessions', { titel: 'x', tools: [{ nam: 'x' }] });
    const { errors } = expectProblem(body, 400, 'invalid_request');
    expect(errors).toEqual(
      expect.arrayContaining([
        {
          at: 'titel',
          message: expect.stringMatching(/^unknown field titel; allowed: .*\btitle\b/),
        },
        { at: 'tools.0.nam', message: expect.stringMatching(/unknown field nam; allowed: name, /) },
      ]),
    );
    const query = await app.http.get('/v1/sessions?limit=5');
    expect(expectProblem(query, 400, 'invalid_request').detail).toMatch(/allowed: .*\bfirst\b/);
  });

  it('is not missed where a client names its type with a deletion', async () => {
    const worker = new SessionWorker(app.http);
    await worker.start();
    const { inputId } = await worker.input('Never mind.');
    const headers = { 'Content-Type': 'application/json' };
    const url = worker.path(`/inputs/${inputId}`);
    expect(await app.http.send('DELETE', url, { headers })).toMatchObject({ status: 200 });
  });

  it('with the Idempotency-Key of a request about another object is refused', async () => {
    const worker = new SessionWorker(app.http);
    await worker.start();
    await worker.input('Begin.');
    await worker.claim();
    const asked = ['a', 'b'].map((id) => ({ id, name: 'x', input: {} }));
    const calls = await worker.turn(anthropicAnswer('', asked));
    const [first, second] = calls.map(({ callId }) =>
      app.http.post(
        worker.path(`/tool-calls/${callId}/start`),
        { ...worker.owner, attempt: 1 },
        { 'Idempotency-Key': 'permit' },
      ),
    );
    expect(await first).toMatchObject({ status: 200 });
    expect(await second).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
  });
});
