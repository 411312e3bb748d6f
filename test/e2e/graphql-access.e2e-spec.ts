import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OFFERS } from '../../src/api/graphql/operation-names.js';
import { type Role, roleScopes, roles } from '../../src/domain/access/access-scopes.js';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { type GraphqlAnswer, graphql } from '../support/graphql-client.js';
import { type GraphqlOperation, graphqlOperations } from '../support/graphql-operations.js';
import type { OpenApi } from '../support/openapi-bodies.js';

let app: AppInProcess;
let openApi: OpenApi;
let operations: readonly GraphqlOperation[];
beforeAll(async () => {
  app = await startApp();
  openApi = (await app.http.get<OpenApi>('/openapi.json')).body;
  operations = graphqlOperations(openApi);
});
afterAll(async () => {
  await app.close();
  app.folder.remove();
});

/** The code that an operation was refused with, as an answer or as an error. */
function codeIn({ data, errors }: GraphqlAnswer, field: string): string | undefined {
  const answered = data?.[field] as { readonly code?: string } | null | undefined;
  return errors?.[0]?.extensions.code ?? answered?.code;
}

describe('GraphQL', () => {
  it('has every operation of REST, but for those that are no data', () => {
    const ids = Object.values(openApi.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    );
    const withoutOffer = ids.filter((id) => OFFERS[id] === undefined);
    expect(withoutOffer).toEqual([]);
    const restOnly = ids.filter((id) => OFFERS[id]!.kind === 'restOnly');
    expect(restOnly.toSorted()).toEqual(['artifacts.keep', 'artifacts.read', 'audit.export']);
    expect(operations.length).toBe(ids.length - restOnly.length);
    expect(Object.keys(OFFERS).filter((id) => !ids.includes(id))).toEqual([]);
  });

  it.each(roles.map((role) => [role]))(
    'lets the role %s do what it bundles, and nothing else',
    async (role: Role) => {
      const made = await app.http.post<{ key: string }>('/v1/keys', { name: role, roles: [role] });
      const { key } = made.body;
      const granted: readonly string[] = roleScopes[role];
      for (const { field, scopes, document, wrongInput } of operations) {
        const sending = { key, variables: { input: wrongInput } };
        const answer = await graphql(
          app,
          document(() => 'no-such-id'),
          sending,
        );
        const isGranted = scopes.some((scope) => granted.includes(scope));
        const code = codeIn(answer, field);
        expect([field, code === 'forbidden', answer.text]).toEqual([
          field,
          !isGranted,
          answer.text,
        ]);
        expect([field, answer.status, code?.startsWith('internal')]).toEqual([
          field,
          200,
          code === undefined ? undefined : false,
        ]);
      }
    },
  );

  it('is closed to everybody without a key', async () => {
    for (const { field, document, wrongInput } of operations) {
      const sending = { key: null, variables: { input: wrongInput } };
      const { status } = await graphql(
        app,
        document(() => 'no-such-id'),
        sending,
      );
      expect([field, [401, 429].includes(status)]).toEqual([field, true]);
    }
  });
});
