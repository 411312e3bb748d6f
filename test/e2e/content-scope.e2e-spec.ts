import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type Role, roleScopes, roles } from '../../src/domain/access/access-scopes.js';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { type GraphqlOperation, graphqlOperations } from '../support/graphql-operations.js';
import { graphql } from '../support/graphql-client.js';
import { type OpenApi, OpenApiBodies, type Schema } from '../support/openapi-bodies.js';
import { anthropicAnswer } from '../support/provider-answers.js';
import { SessionWorker } from '../support/session-worker.js';

jest.setTimeout(180_000);

/** What was said in a session; each text is in one place of it. */
const SAID = {
  title: 'canary-title',
  input: 'canary-input '.padEnd(4_000, 'and so on '),
  waitingInput: 'canary-waiting-input',
  answer: 'canary-answer',
  args: 'canary-args',
  unknownArgs: 'canary-unknown-args',
  approvalArgs: 'canary-approval-args',
  result: 'canary-result',
  summary: 'canary-summary',
  fact: 'canary-fact',
  excerpt: 'canary-excerpt',
};
const TOOLS = [
  { name: 'look_up', effect: 'readOnly' },
  { name: 'pay', effect: 'opaqueWrite' },
  { name: 'deploy', effect: 'opaqueWrite', approval: 'release-manager' },
];
const withoutContent = roles.filter((role) => !isIn(roleScopes[role], 'content:read'));

interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly scopes: readonly string[];
  readonly body?: Schema;
}

/** A session in which everything was said, and the ids that lead to it. */
interface Recorded {
  readonly worker: SessionWorker;
  readonly ids: Readonly<Record<string, string>>;
}

let app: AppInProcess;
let bodies: OpenApiBodies;
let operations: readonly Operation[];
let overGraphql: readonly GraphqlOperation[];
const keys = new Map<Role, string>();
beforeAll(async () => {
  app = await startApp();
  const openApi = (await app.http.get<OpenApi>('/openapi.json')).body;
  bodies = new OpenApiBodies(openApi);
  overGraphql = graphqlOperations(openApi);
  operations = Object.entries(openApi.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      id: operation.operationId,
      method: method.toUpperCase(),
      path,
      scopes: (operation as { readonly 'x-scopes'?: readonly string[] })['x-scopes'] ?? [],
      body: operation.requestBody?.content['application/json']?.schema,
    })),
  );
  for (const role of withoutContent) {
    const answer = await app.http.post<{ key: string }>('/v1/keys', { name: role, roles: [role] });
    keys.set(role, answer.body.key);
  }
  await app.http.post('/v1/tools', { tools: TOOLS });
  await app.http.send('PUT', '/v1/budgets/team', {
    body: { scope: { kind: 'tenant' }, amount: '100.00', onUnpriced: 'allow' },
  });
});
afterAll(async () => {
  await app.close();
  app.folder.remove();
});

function isIn(list: readonly string[], entry: string): boolean {
  return list.includes(entry);
}

const now = (): string => new Date().toISOString();

async function recorded(): Promise<Recorded> {
  const worker = new SessionWorker(app.http);
  await worker.start({ title: SAID.title, labels: { team: 'billing' } });
  await worker.input(SAID.input);
  await worker.claim();
  const lookUp = { id: 'toolu_1', name: 'look_up', input: { of: SAID.args } };
  const [look] = await worker.turn(anthropicAnswer(SAID.answer, [lookUp]));
  await worker.permit(look!.callId);
  await worker.result(look!.callId, SAID.result);
  const facts = [{ factId: 'fact-1', kind: 'goal', text: SAID.fact }];
  const once = { 'Idempotency-Key': 'facts-1' };
  await app.http.post(worker.path('/facts'), { facts }, once);
  const range = { compactionId: 'compaction-1', keepGroups: 1, withinTurn: true };
  await worker.post('/compactions', range);
  await worker.post('/compactions/compaction-1/commit', { summary: SAID.summary });
  const asked = [
    { id: 'toolu_2', name: 'pay', input: { of: SAID.unknownArgs } },
    { id: 'toolu_3', name: 'deploy', input: { of: SAID.approvalArgs } },
  ];
  const [pay, deploy] = await worker.turn(anthropicAnswer(SAID.answer, asked));
  const { callId } = pay!;
  await worker.permit(callId);
  const externalRef = `reference-of-${worker.sessionId}`;
  await worker.post(`/tool-calls/${callId}/progress`, { attempt: 1, externalRef });
  await worker.post(`/tool-calls/${callId}/unknown`, { attempt: 1 });
  const evidence = { method: 'GET', target: 'bank', excerpt: SAID.excerpt, observedAt: now() };
  const probe = { answer: 'unclear', requestedAt: now(), evidence };
  await worker.ok('POST', worker.path(`/tool-calls/${callId}/probes`), probe);
  const { inputId } = await worker.input(SAID.waitingInput, { delivery: 'queue' });
  const made = await app.http.post<{ keyId: string }>('/v1/keys', { name: 'a', roles: ['reader'] });
  const { sessionId, runId } = worker;
  const { keyId } = made.body;
  const ids = { sessionId, runId, callId, externalRef, inputId, keyId };
  return { worker, ids: { ...ids, deployId: deploy!.callId, budgetId: 'team', name: 'pay' } };
}

/** What an operation has to be sent where the API document alone does not say what is right. */
interface Sending {
  readonly query?: string;
  readonly body?: object;
  readonly raw?: string;
  readonly callId?: string;
}

const CARD = {
  cardId: 'own/claude',
  version: 1,
  provider: 'anthropic',
  models: { id: 'own-claude' },
  rates: { inputFresh: '1000000000000' },
  currency: 'USD',
  sources: [{ name: 'contract' }],
};

const BACK = { at: 2, unseenInputs: 'drop' };

async function stopped({ worker }: Recorded): Promise<SessionWorker> {
  await worker.ok('POST', worker.path(`/runs/${worker.runId}/stop`), {});
  await worker.post(`/runs/${worker.runId}/stopped`, {});
  return worker;
}

async function sendingFor(id: string, recording: Recorded): Promise<Sending> {
  const { ids } = recording;
  switch (id) {
    case 'artifacts.keep':
      return { raw: 'bytes' };
    case 'budgets.set':
      return { body: { scope: { kind: 'tenant' }, amount: '90.00', onUnpriced: 'allow' } };
    case 'erasures.erase':
      return { body: { acknowledgeUnknown: true } };
    case 'forks.clear':
      await app.http.post((await stopped(recording)).path('/revert'), BACK, {
        'Idempotency-Key': 'back',
      });
      return {};
    case 'forks.revert':
      await stopped(recording);
      return { body: BACK };
    case 'foundcalls.find':
      return { query: `?externalRef=${ids.externalRef}` };
    case 'keys.add':
      return { body: { roles: ['reader'] } };
    case 'prices.add':
      return { body: { cards: [CARD] } };
    case 'sessions.resume':
      await stopped(recording);
      return {};
    case 'toolcalls.approve':
      return { callId: ids.deployId };
    default:
      return {};
  }
}

/** One request of the operation about a session of its own, and the body that was sent. */
async function prepared({ id, body: schema }: Pick<Operation, 'id' | 'body'>) {
  const given = await recorded();
  const { query = '', raw, body, callId } = await sendingFor(id, given);
  const ids = { ...given.ids, ...(callId && { callId }) } as Readonly<Record<string, string>>;
  return { ids, query, raw, body: schema && { ...bodies.rightBody(schema), ...body } };
}

function letIn<One extends { readonly scopes: readonly string[] }>(
  role: Role,
  all: readonly One[],
): readonly One[] {
  return all.filter(({ scopes }) => scopes.some((scope) => isIn(roleScopes[role], scope)));
}

const saidIn = (text: string): readonly string[] =>
  Object.values(SAID).filter((said) => text.includes(said.slice(0, 30).trim()));

describe('who may not read content', () => {
  it('are these roles', () => expect(withoutContent).toEqual(['operator', 'eraser', 'admin']));

  it('is asked for below where everything was said', async () => {
    const { worker } = await recorded();
    const { text } = await app.http.get(worker.path('/events?first=200'));
    expect(saidIn(text)).toEqual(Object.values(SAID));
  });
});

describe.each(withoutContent.map((role) => [role]))('the role %s', (role) => {
  it('is shown nothing of what was said, by any operation', async () => {
    const key = keys.get(role)!;
    for (const operation of letIn(role, operations)) {
      const { method, id } = operation;
      const { ids, query, raw, body } = await prepared(operation);
      const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name]!) + query;
      const type = raw === undefined ? 'application/json' : 'application/octet-stream';
      const sent = (sending: object) => {
        const headers = { 'Idempotency-Key': crypto.randomUUID(), 'Content-Type': type };
        return app.http.send(method, path, { key, headers, ...sending });
      };
      const answer = await sent({ body, raw });
      expect([id, answer.status < 300, answer.text]).toEqual([id, true, answer.text]);
      const again = await sent({ body, raw });
      const wrong = await sent({ body: { ...body, noSuchField: 1 } });
      for (const { text } of [answer, again, wrong]) expect([id, saidIn(text)]).toEqual([id, []]);
    }
  });

  it('is shown nothing of it over GraphQL', async () => {
    const key = keys.get(role)!;
    // That one needs an argument that no schema tells of: it is asked below.
    const asked = overGraphql.filter(({ field }) => field !== 'toolCalls');
    for (const { operationId: id, field, document } of letIn(role, asked)) {
      const operation = operations.find((one) => one.id === id)!;
      const { ids, body } = await prepared(operation);
      const right = document((name) => ids[name]!);
      const sending = { key, variables: { input: body } };
      const answer = await graphql(app, right, sending);
      const again = await graphql(app, right, sending);
      expect([field, answer.errors, answer.text]).toEqual([field, undefined, answer.text]);
      expect(answer.text).not.toContain('"__typename":"Problem"');
      for (const { text } of [answer, again]) expect([field, saidIn(text)]).toEqual([field, []]);
    }
  });
});

describe('an operator', () => {
  it('takes no part in a run, even with the secret of its owner', async () => {
    const { worker } = await recorded();
    const claim = { workerId: 'mine', claimToken: 'a'.repeat(16), force: true };
    for (const [path, body] of [
      ['/restore', {}],
      ['/restore', claim],
      ['/compactions', worker.owner],
      ['/compactions/compaction-1/commit', worker.owner],
      ['/compactions/compaction-1/fail', worker.owner],
    ] as const) {
      const key = keys.get('operator')!;
      const answer = await app.http.send('POST', worker.path(path), { key, body });
      expect([path, answer.status, answer.text]).toEqual([path, 403, answer.text]);
      expect(answer.body).toMatchObject({ code: 'forbidden', needed: ['run:execute'] });
    }
  });

  it('sees how a session stands wherever GraphQL leads to it, and not what it is called', async () => {
    const { ids } = await recorded();
    const key = keys.get('operator')!;
    const query = `{
      session(sessionId: "${ids.sessionId}") {
        title
        unresolved(first: 5) { nodes { tool state externalRef } }
      }
      sessions(first: 5) { nodes { title } }
      reconciliations(first: 5) { nodes { sessionId session { title } } }
      openCalls(first: 5) { nodes { tool session { title } } }
      work(first: 5) { nodes { session { title } } }
      toolCalls(first: 5, externalRef: "${ids.externalRef}") { nodes { state session { title } } }
    }`;
    const { data, errors, text } = await graphql(app, query, { key });
    expect(errors).toBeUndefined();
    const { externalRef } = ids;
    expect(data?.session).toMatchObject({
      title: null,
      unresolved: { nodes: [{ tool: 'pay', state: 'awaitingHuman', externalRef }, {}] },
    });
    expect(saidIn(text)).toEqual([]);
    for (const field of ['messages(first: 5)', 'events(first: 5)', 'facts(first: 5)']) {
      const below = `{ session(sessionId: "${ids.sessionId}") { ${field} { __typename } } }`;
      const refused = await graphql(app, below, { key });
      expect([field, refused.errors?.[0]?.extensions.code]).toEqual([field, 'forbidden']);
    }
  });
});
