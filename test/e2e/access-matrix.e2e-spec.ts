import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type Role, roleScopes, roles } from '../../src/domain/access/access-scopes.js';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import type { OpenApi } from '../support/openapi-bodies.js';

jest.setTimeout(180_000);

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly scopes: readonly string[];
}

let app: AppInProcess;
let operations: readonly Operation[];
const keys = new Map<Role, string>();
beforeAll(async () => {
  app = await startApp();
  const { paths } = (await app.http.get<OpenApi>('/openapi.json')).body;
  operations = Object.entries(paths).flatMap(([path, byMethod]) =>
    Object.entries(byMethod).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path: path.replace(/\{\w+\}/g, 'no-such-id'),
      scopes:
        (operation as unknown as Readonly<Record<string, readonly string[]>>)['x-scopes'] ?? [],
    })),
  );
  for (const role of roles) {
    const answer = await app.http.post<{ key: string }>('/v1/keys', { name: role, roles: [role] });
    keys.set(role, answer.body.key);
  }
});
afterAll(async () => {
  await app.close();
  app.folder.remove();
});

describe('the API', () => {
  it('declares for every operation what it needs', () => {
    expect(operations.length).toBeGreaterThan(50);
    expect(operations.filter(({ scopes }) => scopes.length === 0)).toEqual([]);
  });

  it.each(roles.map((role) => [role]))(
    'lets the role %s do what it bundles, and nothing else',
    async (role) => {
      const granted: readonly string[] = roleScopes[role];
      let allowed = 0;
      for (const { method, path, scopes } of operations) {
        // No operation knows this field: what is let through is refused for it, and changes nothing.
        const body = method === 'POST' || method === 'PUT' ? { noSuchField: 1 } : undefined;
        const answer = await app.http.send(method, path, { body, key: keys.get(role) });
        const isGranted = scopes.some((scope) => granted.includes(scope));
        expect([method, path, answer.status === 403]).toEqual([method, path, !isGranted]);
        expect([method, path, answer.status < 500]).toEqual([method, path, true]);
        if (isGranted) allowed += 1;
      }
      if (role !== 'eraser') expect(allowed).toBeGreaterThan(0);
      expect(allowed).toBeLessThan(operations.length);
    },
  );

  it('is closed to everybody without a key', async () => {
    for (const { method, path } of operations) {
      const answer = await app.http.send(method, path, { key: null });
      expect([method, path, [401, 429].includes(answer.status)]).toEqual([method, path, true]);
    }
  });
});
