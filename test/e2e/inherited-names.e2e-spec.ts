import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { type OpenApi, OpenApiBodies } from '../support/openapi-bodies.js';
import { SessionWorker } from '../support/session-worker.js';

jest.setTimeout(120_000);

let app: AppInProcess;
let worker: SessionWorker;
let bodies: OpenApiBodies;

beforeAll(async () => {
  app = await startApp();
  bodies = new OpenApiBodies((await app.http.get<OpenApi>('/openapi.json')).body);
  worker = new SessionWorker(app.http);
  await worker.start();
  await worker.input('Look.');
  await worker.claim();
});
afterAll(async () => {
  await app.close();
  app.folder.remove();
});

function asOwner(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'epoch' in body
    ? { ...body, ...worker.owner }
    : body;
}

describe('a name that every object inherits', () => {
  it.each(['toString', '__proto__', 'constructor'])(
    'is as unknown as any other, to every operation on something in a session: %s',
    async (name) => {
      const withIds = bodies
        .operations()
        .filter(([, path]) => path.includes('{sessionId}/') && /\{(?!sessionId)/.test(path));
      expect(withIds.length).toBeGreaterThan(25);
      for (const [method, path, schema] of withIds) {
        const ask = async (id: string): Promise<number> => {
          const at = path
            .replace('{sessionId}', worker.sessionId)
            .replaceAll(/\{\w+\}/g, encodeURIComponent(id));
          const { status } = await app.http.send(method, at, {
            headers: { 'Idempotency-Key': randomUUID() },
            ...(schema && { body: asOwner(bodies.rightBody(schema)) }),
          });
          return status;
        };
        const missing = await ask(`missing-${randomUUID()}`);
        const named = await ask(name);
        // What cannot be an id at all is not found, before anything else is looked at.
        expect([method, path, named === 404 ? missing : named]).toEqual([method, path, missing]);
        expect([method, path, missing < 500]).toEqual([method, path, true]);
      }
    },
  );
});
