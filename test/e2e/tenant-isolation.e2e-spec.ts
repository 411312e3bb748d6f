import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { graphql } from '../support/graphql-client.js';
import { type GraphqlOperation, graphqlOperations } from '../support/graphql-operations.js';
import { type OpenApi, OpenApiBodies } from '../support/openapi-bodies.js';
import { anthropicAnswer } from '../support/provider-answers.js';
import { SessionWorker } from '../support/session-worker.js';

jest.setTimeout(180_000);

const MISSING = 'never-there-0001';
const OF_ALL_ROLES = ['reader', 'writer', 'worker', 'operator', 'auditor', 'eraser', 'admin'];

let app: AppInProcess;
let bodies: OpenApiBodies;
let overGraphql: readonly GraphqlOperation[];
let otherKey: string;
/** Real ids of the tenant `default`, by the names that paths give them. */
let real: Readonly<Record<string, string>>;

beforeAll(async () => {
  app = await startApp();
  const openApi = (await app.http.get<OpenApi>('/openapi.json')).body;
  bodies = new OpenApiBodies(openApi);
  overGraphql = graphqlOperations(openApi);
  otherKey = await keyOfOtherTenant();
  real = await madeByDefault();
});
afterAll(async () => {
  await app.close();
  app.folder.remove();
});

async function keyOfOtherTenant(): Promise<string> {
  const { commandLineWith } = await import('../support/command-line.js');
  const holdfast = commandLineWith(() => ({ ...app.environment, HOLDFAST_TENANT: 'other' }));
  const { stdout } = await holdfast('keys', 'add', '--name', 'all', '--role', ...OF_ALL_ROLES);
  return stdout.trim();
}

async function madeByDefault(): Promise<Readonly<Record<string, string>>> {
  const tool = { name: 'refund', effect: 'opaqueWrite' };
  await app.http.post('/v1/tools', { tools: [tool] });
  const budget = { scope: { kind: 'tenant' }, amount: '100.00' };
  await app.http.send('PUT', '/v1/budgets/team', { body: budget });
  const made = await app.http.post<{ keyId: string }>('/v1/keys', { name: 'a', roles: ['reader'] });
  const worker = new SessionWorker(app.http, 'session-of-default');
  await worker.start();
  const inputId = 'input-of-default';
  await app.http.post(worker.path('/inputs'), { inputId, content: 'Pay.' });
  await worker.claim();
  const facts = {
    facts: [{ factId: 'fact-of-default', kind: 'goal', text: 'It is due.' }],
  };
  await app.http.post(worker.path('/facts'), facts, { 'Idempotency-Key': 'facts-1' });
  const [call] = await worker.turn(
    anthropicAnswer('', [{ id: 'toolu_1', name: 'refund', input: {} }]),
    { provider: 'anthropic', model: 'claude-sonnet-4-5' },
  );
  const { body: kept } = await app.http.send<{ hash: string }>('POST', worker.path('/artifacts'), {
    raw: Buffer.from('bytes'),
    headers: { 'Content-Type': 'application/octet-stream' },
  });
  const context = await app.http.get<{ contextId: string }>(worker.path('/context'));
  const events = await worker.events();
  const idIn = (name: string) =>
    (events.find(({ data }) => name in data)!.data as Readonly<Record<string, string>>)[name]!;
  return {
    sessionId: worker.sessionId,
    inputId,
    runId: idIn('runId'),
    modelCallId: idIn('modelCallId'),
    callId: call!.callId,
    factId: 'fact-of-default',
    hash: kept.hash,
    contextId: context.body.contextId,
    compactionId: 'compaction-of-default',
    budgetId: 'team',
    keyId: made.body.keyId,
    name: 'refund',
  };
}

function filled(path: string, ids: (name: string) => string): string {
  const at = path.replace(/\{(\w+)\}/g, (_, name: string) => ids(name));
  return at.endsWith('/compare') ? `${at}?with=${ids('sessionId')}` : at;
}

/** What is said of an id, without the id itself and what no two answers have in common. */
function comparable(text: string, ids: readonly string[]): string {
  const bare = ids.reduce((rest, id) => rest.replaceAll(id, '<id>'), text);
  return bare.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>');
}

describe('a tenant', () => {
  it('has what is asked for below', async () => {
    const { sessionId, callId, hash, factId } = real as Record<string, string>;
    for (const path of ['', `/tool-calls/${callId}`, `/artifacts/${hash}`, `/facts/${factId}`]) {
      const { status } = await app.http.get(`/v1/sessions/${sessionId}${path}`);
      expect([path, status]).toEqual([path, 200]);
    }
  });

  it('is told the same of what another has as of what nobody has, by every operation', async () => {
    const withIds = bodies.operations().filter(([, path]) => path.includes('{'));
    expect(withIds.length).toBeGreaterThan(45);
    const position = await app.ports.events.headPosition();
    for (const [method, path, schema] of withIds) {
      const sending = {
        key: otherKey,
        ...(schema === undefined ? {} : { body: bodies.rightBody(schema) }),
        headers: { 'Idempotency-Key': 'key-1' },
      };
      const foreign = await app.http.send(
        method,
        filled(path, (name) => real[name]!),
        sending,
      );
      const missing = await app.http.send(
        method,
        filled(path, () => MISSING),
        sending,
      );
      // What a tenant may set under a name of its own choice is its own, whoever else has that name.
      if (method === 'PUT' && path === '/v1/budgets/{budgetId}') continue;
      const said = comparable(foreign.text, Object.values(real));
      expect([method, path, foreign.status, said]).toEqual([
        method,
        path,
        missing.status,
        comparable(missing.text, [MISSING]),
      ]);
      expect([method, path, foreign.status >= 400]).toEqual([method, path, true]);
    }
    const mine = await app.ports.events.readAll(position, 100, {
      streamPrefix: 'session-default.',
    });
    expect(mine.events).toEqual([]);
  });

  it('lists nothing of another', async () => {
    for (const [method, path] of bodies.operations()) {
      if (method !== 'GET' || path.includes('{')) continue;
      const { text } = await app.http.get(path, { key: otherKey });
      for (const id of Object.values(real)) {
        if (id === 'team') continue;
        expect([path, id, text.includes(id)]).toEqual([path, id, false]);
      }
    }
  });

  it('is told the same over GraphQL, by every operation', async () => {
    const withIds = overGraphql.filter((operation) => operation.namesSomething);
    expect(withIds.length).toBeGreaterThan(45);
    const position = await app.ports.events.headPosition();
    for (const { field, document, rightInput } of withIds) {
      if (field === 'setBudget') continue;
      const sending = { key: otherKey, variables: { input: rightInput } };
      const foreign = await graphql(
        app,
        document((name) => real[name]!),
        sending,
      );
      const missing = await graphql(
        app,
        document(() => MISSING),
        sending,
      );
      const said = comparable(foreign.text, Object.values(real));
      expect([field, foreign.status, said]).toEqual([
        field,
        missing.status,
        comparable(missing.text, [MISSING]),
      ]);
      expect([field, said]).toEqual([field, expect.stringMatching(/"code":"/)]);
    }
    const mine = await app.ports.events.readAll(position, 100, {
      streamPrefix: 'session-default.',
    });
    expect(mine.events).toEqual([]);
  });

  it('lists nothing of another, over GraphQL neither', async () => {
    const lists = overGraphql.filter(({ isQuery, namesSomething }) => isQuery && !namesSomething);
    expect(lists.length).toBeGreaterThan(8);
    for (const { field, document, rightInput } of lists) {
      const sending = { key: otherKey, variables: { input: rightInput } };
      const { text, status } = await graphql(app, document(String), sending);
      expect([field, status]).toEqual([field, 200]);
      for (const id of Object.values(real)) {
        if (id === 'team') continue;
        expect([field, id, text.includes(id)]).toEqual([field, id, false]);
      }
    }
  });

  it('cannot hang a session, a fork or a budget on what another has', async () => {
    const start = async (sessionId: string) => {
      const parent = { sessionId, edge: 'subagent' };
      const sending = { key: otherKey, body: { sessionId: randomUUID(), parent } };
      const { status, text } = await app.http.send('POST', '/v1/sessions', sending);
      return [status, comparable(text, [sessionId])];
    };
    expect(await start(real.sessionId!)).toEqual(await start(MISSING));
    const { body } = await app.http.get<{ inclusive: object }>(
      `/v1/sessions/${real.sessionId}/cost`,
    );
    expect(body.inclusive).toMatchObject({ calls: 1 });
  });

  it('may use the same ids, and the same idempotency key, for its own', async () => {
    const sending = {
      key: otherKey,
      body: { sessionId: real.sessionId, title: 'mine' },
      headers: { 'Idempotency-Key': 'key-2' },
    };
    expect((await app.http.send('POST', '/v1/sessions', sending)).status).toBe(201);
    const path = `/v1/sessions/${real.sessionId}`;
    expect((await app.http.get(path, { key: otherKey })).body).toMatchObject({ title: 'mine' });
    expect((await app.http.get(path)).body).not.toMatchObject({ title: 'mine' });
  });
});
