import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { graphql, graphqlData } from '../support/graphql-client.js';

let app: AppInProcess;
beforeAll(async () => {
  app = await startApp();
});
afterAll(async () => {
  await app.close();
  app.folder.remove();
});

const START = `mutation ($input: StartSessionInput!, $key: String) {
  startSession(input: $input, idempotencyKey: $key) {
    __typename
    ... on Receipt { sessionId revision position replayed }
    ... on Problem { code httpStatus detail retryable facts }
  }
}`;

interface Started {
  readonly startSession: Readonly<Record<string, unknown>>;
}

describe('GraphQL', () => {
  it('writes and reads the same sessions as REST', async () => {
    const input = { sessionId: 'by-graphql', title: 'A refund', labels: { team: 'x' } };
    const { startSession } = await graphqlData<Started>(app, START, { variables: { input } });
    expect(startSession).toMatchObject({ __typename: 'Receipt', sessionId: 'by-graphql' });
    const rest = await app.http.get<{ title: string; revision: number }>('/v1/sessions/by-graphql');
    expect(rest.body).toMatchObject({ title: 'A refund', revision: startSession.revision });
    const query = '{ session(sessionId: "by-graphql") { title revision labels status } }';
    expect(await graphqlData(app, query)).toEqual({
      session: {
        title: 'A refund',
        revision: rest.body.revision,
        labels: { team: 'x' },
        status: 'idle',
      },
    });
  });

  it('answers a repeated mutation once, by its idempotency key', async () => {
    const variables = { input: { title: 'once' }, key: 'key-1' };
    const first = await graphqlData<Started>(app, START, { variables });
    const again = await graphqlData<Started>(app, START, { variables });
    expect(again.startSession).toEqual({ ...first.startSession, replayed: true });
  });

  it('tells a refusal as an answer with the code of REST', async () => {
    const variables = { input: { sessionId: 'with-parent', parent: null } };
    await graphqlData(app, START, { variables });
    const other = { input: { sessionId: 'x', parent: { sessionId: 'nobody', edge: 'subagent' } } };
    const { startSession } = await graphqlData<Started>(app, START, { variables: other });
    const rest = await app.http.post<object>('/v1/sessions', other.input);
    expect(startSession).toMatchObject({ __typename: 'Problem', facts: expect.anything() });
    expect(rest.body).toMatchObject({
      code: startSession.code,
      status: startSession.httpStatus,
      detail: startSession.detail,
    });
  });

  it('validates input as REST does, field by field', async () => {
    const variables = { input: { sessionId: 'no spaces' } };
    const { startSession } = await graphqlData<Started>(app, START, { variables });
    const rest = await app.http.post<{ errors: unknown; detail: string }>(
      '/v1/sessions',
      variables.input,
    );
    expect(startSession).toMatchObject({
      code: 'invalid_request',
      detail: rest.body.detail,
      facts: { errors: rest.body.errors },
    });
  });

  it('tells what is not there as an error whose extensions are the problem of REST', async () => {
    const answer = await graphql(app, '{ session(sessionId: "nobody") { title } }');
    const rest = await app.http.get<Record<string, unknown>>('/v1/sessions/nobody');
    expect(answer.data).toBeNull();
    expect(answer.errors?.[0]).toMatchObject({
      message: rest.body.detail,
      path: ['session'],
      extensions: { code: 'not_found', status: 404 },
    });
  });

  it('is closed to everybody without a key, before anything is read', async () => {
    const answer = await graphql(app, '{ this is no query', { key: null });
    expect(answer).toMatchObject({ status: 401, code: 'unauthenticated' });
  });
});
