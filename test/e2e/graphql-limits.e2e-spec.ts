import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { type GraphqlAnswer, graphql } from '../support/graphql-client.js';

let app: AppInProcess;
beforeAll(async () => {
  app = await startApp();
  await app.http.post('/v1/sessions', { sessionId: 'limited' });
});
afterAll(async () => {
  await app.close();
  app.folder.remove();
});

const SESSION = 'session(sessionId: "limited")';
const repeated = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join(' ');

/** Fields in fields, `depth` levels in all. */
function deep(depth: number): string {
  const inner = repeated(depth - 3, () => '{ parentSession') + ' { sessionId' + ' }'.repeat(depth);
  return `{ sessions(first: 1) { nodes ${inner}`;
}

/** Refused before it began: 400, a code of REST, and no `data`, which an execution would make. */
function expectRefused(answer: GraphqlAnswer, said: RegExp): void {
  expect(answer.text).toMatch(said);
  expect(answer.status).toBe(400);
  expect('data' in answer).toBe(false);
  for (const { extensions } of answer.errors ?? []) {
    expect(extensions).toMatchObject({ code: 'invalid_request', status: 400 });
  }
}

describe('an operation is answered at the limit and refused above it:', () => {
  const aliases = (count: number) =>
    `{ ${repeated(count, (index) => `a${index}: ${SESSION} { status }`)} }`;
  const directives = (count: number) =>
    `{ ${SESSION} { status ${repeated(count, () => '@include(if: true)')} } }`;
  // Each brace, name, colon, parenthesis and text is a token: ten of them are no `title`.
  const tokens = (count: number) => `{ ${SESSION} { ${repeated(count - 10, () => 'title')} } }`;

  it('16 aliases, and 200', async () => {
    expect((await graphql(app, aliases(15))).errors).toBeUndefined();
    expectRefused(await graphql(app, aliases(16)), /aliases of 16, and 15 is the limit/);
    expectRefused(await graphql(app, aliases(80)), /aliases of 80/);
    expectRefused(await graphql(app, aliases(200)), /Syntax Error/);
  });

  it('51 directives', async () => {
    expectRefused(await graphql(app, directives(51)), /limit|can only be used once/);
    const apart = (count: number) =>
      `{ ${SESSION} { ${repeated(count, () => 'status @skip(if: false)')} } }`;
    expect((await graphql(app, apart(50))).errors).toBeUndefined();
    expectRefused(await graphql(app, apart(51)), /directives of 51, and 50 is the limit/);
  });

  it('1,001 tokens', async () => {
    expect((await graphql(app, tokens(1_000))).text).not.toContain('1000 tokens');
    expectRefused(await graphql(app, tokens(1_001)), /1000 tokens/);
  });

  it('depth 9, and 12', async () => {
    expect((await graphql(app, deep(8))).errors).toBeUndefined();
    expectRefused(await graphql(app, deep(9)), /depth of 9, and 8 is the limit/);
    expectRefused(await graphql(app, deep(12)), /depth of 12/);
    const inline = `{ ${repeated(40, () => '... on Query {')} ${SESSION} { status } ${'}'.repeat(41)}`;
    expect((await graphql(app, inline)).errors).toBeUndefined();
    const inlined = `{ ... on Query { sessions(first: 1) { nodes { ${'parentSession { ... on SessionSummary { '.repeat(6)} sessionId ${'} '.repeat(16)}`;
    expectRefused(await graphql(app, inlined), /depth of 9/);
  });

  it('a cost of 1,001: lists are multiplied by first', async () => {
    // 1 + 199 × (nodes 1 + edges 1 + node 1) + pageInfo 1 = 599; 10 × (1 + 39 × 1) = 400.
    const budgets = repeated(10, (index) => `b${index}: budgets(first: 39) { nodes { budgetId } }`);
    const of999 =
      'sessions(first: 199) { nodes { sessionId } edges { node { sessionId } } ' +
      `pageInfo { hasNextPage } } ${budgets}`;
    const of1000 = `${of999} one: ${SESSION} { status }`;
    expect((await graphql(app, `{ ${of1000} }`)).errors).toBeUndefined();
    const of1001 = `{ ${of1000} two: ${SESSION} { status } }`;
    expectRefused(await graphql(app, of1001), /cost of 1001, and 1000 is the limit/);
    const nested = `{ sessions(first: 200) { nodes ${repeated(4, () => '{ parentSession')} { sessionId } } } } } } }`;
    expectRefused(await graphql(app, nested), /cost of 1001/);
  });

  it('lists without first, and with a first out of range, also as a variable', async () => {
    expectRefused(await graphql(app, '{ sessions { nodes { sessionId } } }'), /first/);
    for (const first of [0, -1, 201, 2_147_483_647]) {
      const literal = `{ sessions(first: ${first}) { nodes { sessionId } } }`;
      expectRefused(await graphql(app, literal), /first must be 1 to 200/);
      const query = 'query ($first: Int!) { sessions(first: $first) { nodes { sessionId } } }';
      expectRefused(await graphql(app, query, { variables: { first } }), /first must be 1 to 200/);
    }
    const inside = `{ ${SESSION} { unresolved { nodes { callId } } } }`;
    expectRefused(await graphql(app, inside), /first/);
  });

  it('fragments that contain themselves, and fragments that double', async () => {
    const cycle = `{ ${SESSION} { ...A } } fragment A on Session { ...B } fragment B on Session { ...A }`;
    expectRefused(await graphql(app, cycle), /Cannot spread fragment/);
    const doubling = repeated(
      20,
      (index) =>
        `fragment F${index} on Query { ...F${index + 1} ... on Query { ...F${index + 1} } }`,
    );
    const bomb = `{ ...F0 } ${doubling} fragment F20 on Query { ${SESSION} { run { runId } } }`;
    expectRefused(await graphql(app, bomb), /cost of 2097152/);
  });
});

describe('a request that a page of another site could make is refused:', () => {
  const mutation = 'mutation { startSession(input: {sessionId: "by-a-page"}) { __typename } }';

  it('a subscription over HTTP', async () => {
    const subscription = 'subscription { events { position } }';
    expectRefused(await graphql(app, subscription), /go over a WebSocket/);
  });

  it('by GET', async () => {
    const { status, text } = await app.http.get(`/graphql?query=${encodeURIComponent(mutation)}`);
    expect([status, JSON.parse(text)]).toMatchObject([400, { code: 'invalid_request' }]);
  });

  it('with a content type that needs no leave', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
      const raw = JSON.stringify({ query: mutation });
      const headers = { 'Content-Type': type };
      const { status } = await app.http.send('POST', '/graphql', { raw, headers });
      expect([type, status]).toEqual([type, 415]);
    }
  });

  it('with several operations in a list', async () => {
    const raw = JSON.stringify([{ query: mutation }]);
    const { status, text } = await app.http.send('POST', '/graphql', { raw });
    expect([status, JSON.parse(text)]).toMatchObject([400, { code: 'invalid_request' }]);
  });

  it('so that nothing of it was done', async () => {
    expect((await app.http.get('/v1/sessions/by-a-page')).status).toBe(404);
  });
});

describe('an error', () => {
  it('tells neither the values of the request nor where the program was', async () => {
    const secret = 'hunter2';
    const wrong: readonly (readonly [string, Readonly<Record<string, unknown>>?])[] = [
      [`{ sessions(first: "${secret}") { nodes { sessionId } } }`],
      [`{ session(sessionId: "x" "${secret}") { status } }`],
      [`{ session(sessionId: {of: "${secret}"}) { status } }`],
      ['query ($first: Int!) { sessions(first: $first) { nodes { status } } }', { first: secret }],
      [`mutation { startSession(input: {labels: "a", recoveryMode: ${secret}}) { __typename } }`],
      [
        'mutation ($input: StartSessionInput!) { startSession(input: $input) { __typename } }',
        { input: { recoveryMode: secret } },
      ],
    ];
    for (const [query, variables] of wrong) {
      const answer = await graphql(app, query, { variables });
      expect([query, answer.status, answer.text.includes(secret)]).toEqual([query, 400, false]);
      expect(answer.text).not.toMatch(/stack|node_modules|\.js:\d/);
    }
  });

  it('of a body that is no operation is one of REST', async () => {
    for (const body of [{}, { query: 1 }, { query: '' }, { query: '{ nothing }', variables: 1 }]) {
      const { status, text } = await app.http.send('POST', '/graphql', { body });
      const { errors } = JSON.parse(text) as GraphqlAnswer;
      expect([body, status, errors?.[0]?.extensions.code]).toEqual([body, 400, 'invalid_request']);
    }
  });
});

describe('the schema', () => {
  const ASKED = '{ __schema { queryType { name } } }';
  const MISSPELT = `{ ${SESSION} { statu } }`;

  it('is told on loopback', async () => {
    expect((await graphql(app, ASKED)).data).toEqual({
      __schema: { queryType: { name: 'Query' } },
    });
    expect((await graphql(app, MISSPELT)).text).toContain('Did you mean');
  });

  it('and its names are not told where that is off', async () => {
    const closed = await startApp({ environment: { HOLDFAST_GRAPHQL_INTROSPECTION: 'no' } });
    try {
      expectRefused(await graphql(closed, ASKED), /introspection/);
      expectRefused(await graphql(closed, '{ __type(name: "Session") { name } }'), /introspection/);
      const { text } = await graphql(closed, MISSPELT);
      expect(text).not.toContain('Did you mean');
    } finally {
      await closed.close();
      closed.folder.remove();
    }
  });
});
