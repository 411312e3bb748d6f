import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { commandLineWith } from '../support/command-line.js';
import { expectProblem } from '../support/expect-problem.js';
import { storedBytes } from '../support/stored-data.js';

jest.setTimeout(120_000);

const DAY_MS = 86_400_000;

let app: AppInProcess;
let nowMs = Date.parse('2026-03-01T10:00:00Z');
const commandLine = commandLineWith(() => ({ ...app.environment, HOLDFAST_TENANT: 'acme' }));
beforeAll(async () => {
  app = await startApp({ clock: () => nowMs });
});
afterAll(async () => {
  await app.close();
  app.folder.remove();
});

interface KeyBody {
  readonly keyId: string;
  readonly key: string;
  readonly name: string;
  readonly roles: readonly string[];
  readonly expiresAt: string;
  readonly replaces?: string;
  readonly lastUsedOn?: string;
  readonly revokedAt?: string;
}

async function given(body: object, key = app.http.key): Promise<KeyBody> {
  const answer = await app.http.send<KeyBody>('POST', '/v1/keys', { body, key });
  expect(answer.status).toBe(201);
  return answer.body;
}

const reader = { name: 'dashboard', roles: ['reader'] };
const sessions = (key: string) => app.http.get('/v1/sessions', { key });

async function listed(): Promise<readonly KeyBody[]> {
  return (await app.http.get<{ keys: readonly KeyBody[] }>('/v1/keys')).body.keys;
}

describe('a key', () => {
  it('opens its tenant, is shown once, and is listed without its secret', async () => {
    const made = await given({ ...reader, expiresInDays: 30 });
    expect(made).toMatchObject({ ...reader, expiresAt: '2026-03-31T10:00:00.000Z' });
    expect((await sessions(made.key)).status).toBe(200);
    const found = (await listed()).find(({ keyId }) => keyId === made.keyId)!;
    expect(found).toMatchObject(reader);
    expect(Object.keys(found)).not.toContain('key');
    expect(Object.keys(found)).not.toContain('secretHash');
  });

  it('may do what its roles say, and is told what it lacks', async () => {
    const { key } = await given(reader);
    const refused = await app.http.send('POST', '/v1/sessions', { body: {}, key });
    expect(expectProblem(refused, 403, 'forbidden')).toMatchObject({ needed: ['session:write'] });
  });

  it('is nowhere in what is stored', async () => {
    const { key } = await given(reader);
    const secret = key.slice(-43);
    const bytes = (await storedBytes(app.folder)).map((one) => one.bytes);
    const { events } = await app.ports.events.readAll(0n, 10_000);
    const stored = [...bytes, ...events.map(({ data, metadata }) => data + metadata)];
    expect(stored.some((content) => content.includes(key.slice(3, 20)))).toBe(true);
    expect(stored.some((content) => content.includes(secret))).toBe(false);
  });

  it('opens nothing when it has expired', async () => {
    const { key } = await given({ ...reader, expiresInDays: 1 });
    nowMs += DAY_MS;
    expectProblem(await sessions(key), 401, 'unauthenticated');
  });

  it('opens nothing once it is revoked', async () => {
    const { key, keyId } = await given(reader);
    expect((await sessions(key)).status).toBe(200);
    expect((await app.http.send('DELETE', `/v1/keys/${keyId}`)).status).toBe(204);
    expectProblem(await sessions(key), 401, 'unauthenticated');
  });

  it('is taken over by another, and both are good for a while', async () => {
    const old = await given({ name: 'agents', roles: ['worker'] });
    const answer = await app.http.post<KeyBody>(`/v1/keys/${old.keyId}/rotate`, {
      overlapHours: 1,
    });
    expect(answer.body).toMatchObject({ name: 'agents', roles: ['worker'], replaces: old.keyId });
    expect((await sessions(old.key)).status).toBe(200);
    nowMs += DAY_MS / 24;
    expect((await sessions(old.key)).status).toBe(401);
    expect((await sessions(answer.body.key)).status).toBe(200);
  });

  it('shows when it was last used, to the day', async () => {
    const made = await given(reader);
    await sessions(made.key);
    const today = new Date(nowMs).toISOString().slice(0, 10);
    let found: KeyBody | undefined;
    for (let tries = 0; tries < 2_000 && found?.lastUsedOn === undefined; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      found = (await listed()).find(({ keyId }) => keyId === made.keyId);
    }
    expect(found?.lastUsedOn).toBe(today);
  });

  it.each([
    ['without a role', { name: 'x', roles: [] }, 'roles'],
    ['with an unknown role', { name: 'x', roles: ['root'] }, 'roles'],
    ['for longer than a year', { ...reader, expiresInDays: 366 }, 'expiresInDays'],
    ['without a name', { ...reader, name: '' }, 'name'],
  ])('is not made %s', async (_, body, field) => {
    const { errors } = expectProblem(await app.http.post('/v1/keys', body), 400, 'invalid_request');
    expect((errors as { at: string }[])[0]!.at).toContain(field);
  });
});

describe('wrong keys', () => {
  const wrong = (at: number) =>
    `hf_acme.00000000000000${String(at).padStart(2, '0')}_${'A'.repeat(43)}`;

  it('are refused alike, and too many of one kind are told to wait', async () => {
    const { key, keyId } = await given(reader);
    const secretLess = `hf_${keyId}_${'A'.repeat(43)}`;
    for (let tries = 0; tries < 10; tries += 1) {
      expectProblem(await sessions(secretLess), 401, 'unauthenticated');
    }
    const unknown = await sessions(wrong(1));
    expectProblem(unknown, 401, 'unauthenticated');
    const held = await sessions(secretLess);
    expectProblem(held, 429, 'too_many_requests');
    expect(Number(held.headers['retry-after'])).toBeGreaterThan(0);
    expect((await sessions(key)).status).toBe(200);
    nowMs += 60_000;
    expectProblem(await sessions(secretLess), 401, 'unauthenticated');
  });
});

describe('holdfast keys', () => {
  it('makes the first key of another tenant, which sees only its own', async () => {
    const added = await commandLine('keys', 'add', '--name', 'ci', '--role', 'writer', 'reader');
    expect(added).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('this once') });
    const key = added.stdout.trim();
    expect(key).toMatch(/^hf_acme\./);
    const started = await app.http.send<{ sessionId: string }>('POST', '/v1/sessions', {
      body: {},
      key,
    });
    expect(started.status).toBe(201);
    const path = `/v1/sessions/${started.body.sessionId}`;
    expect((await app.http.get(path, { key })).status).toBe(200);
    expectProblem(await app.http.get(path), 404, 'not_found');
    const keyId = key.split('_')[1]!;
    const list = await commandLine('keys', 'list');
    expect(list.stdout).toMatch(/^KEY +NAME +ROLES +GOOD +USED$/m);
    expect(list.stdout).toMatch(new RegExp(`^${keyId} +ci +writer,reader +until `, 'm'));
    const wrong = await commandLine(
      'keys',
      'add',
      '--name',
      'x',
      '--role',
      'reader',
      '--days',
      'x',
    );
    expect(wrong.stderr).toContain('--days must be a whole number from 1 to 365, not "x"');
    const turned = await commandLine('keys', 'rotate', keyId, '--overlap-hours', '0', '--json');
    expect(JSON.parse(turned.stdout)).toMatchObject({ name: 'ci', replaces: keyId });
    expect((await commandLine('keys', 'revoke', keyId)).stdout).toBe(`revoked  ${keyId}\n`);
    expect((await commandLine('keys', 'revoke', 'acme.none')).exitCode).toBe(3);
    expect((await commandLine('keys', 'add', '--name', 'x', '--role', 'root')).exitCode).toBe(2);
  });
});

describe('who may resume', () => {
  it('an operator sees that a session is there, and not what it is called', async () => {
    const { body } = await app.http.send<{ sessionId: string }>('POST', '/v1/sessions', {
      body: { title: 'The divorce of Ann' },
    });
    const { key: operator } = await given({ name: 'o', roles: ['operator'] });
    const { key: reader } = await given({ name: 'r', roles: ['reader'] });
    const query = `{ session(sessionId: "${body.sessionId}") { title } sessions(first: 200) { nodes { title } } }`;
    for (const [key, sees] of [
      [operator, false],
      [reader, true],
    ] as const) {
      const read = await app.http.get(`/v1/sessions/${body.sessionId}`, { key });
      const list = await app.http.get('/v1/sessions?first=200', { key });
      const graphql = await app.http.send('POST', '/graphql', { key, body: { query } });
      for (const { status, text } of [read, list, graphql]) {
        expect([status, text.includes('divorce')]).toEqual([200, sees]);
      }
    }
  });

  it('a writer only what it started itself, an operator everything', async () => {
    const [mine, other] = [
      await given({ name: 'a', roles: ['writer'] }),
      await given({ name: 'b', roles: ['writer'] }),
    ];
    const operator = await given({ name: 'c', roles: ['operator'] });
    const { body } = await app.http.send<{ sessionId: string }>('POST', '/v1/sessions', {
      body: {},
      key: mine.key,
    });
    const resume = (key: string) =>
      app.http.send('POST', `/v1/sessions/${body.sessionId}/resume`, {
        body: {},
        key,
        headers: { 'Idempotency-Key': 'resume-1' },
      });
    expectProblem(await resume(other.key), 403, 'forbidden');
    expectProblem(await resume(mine.key), 409, 'invalid_state');
    expectProblem(await resume(operator.key), 409, 'invalid_state');
  });
});
