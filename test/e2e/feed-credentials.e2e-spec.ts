import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createClient } from 'graphql-ws';
import { SignJWT, exportJWK, generateKeyPair } from 'jose';
import WebSocket from 'ws';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { expectProblem } from '../support/expect-problem.js';
import { FeedReader } from '../support/feed-reader.js';

jest.setTimeout(120_000);

const ISSUER = 'https://login.example.com/';
const CHECK_EVERY_MS = 5_000;
const FEEDS = 15;
/** In a second that does not pass, because the clock stands still. */
const REQUESTS_MAX = 2 * FEEDS;
const BEGAN_MS = Date.parse('2026-03-01T10:00:00Z');

let app: AppInProcess;
let keysServer: Server;
let nowMs = BEGAN_MS;
let token: string;

beforeAll(async () => {
  const pair = await generateKeyPair('ES256', { extractable: true });
  const keys = [{ ...(await exportJWK(pair.publicKey)), kid: 'k1', alg: 'ES256', use: 'sig' }];
  keysServer = createServer((_, answer) => {
    answer.setHeader('Content-Type', 'application/json').end(JSON.stringify({ keys }));
  });
  await new Promise<void>((resolve) => keysServer.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(keysServer.address() as AddressInfo).port}`;
  app = await startApp({
    clock: () => nowMs,
    environment: {
      HOLDFAST_JWT_ISSUER: ISSUER,
      HOLDFAST_JWT_AUDIENCE: 'holdfast',
      HOLDFAST_JWT_KEYS_URL: `${origin}/keys`,
      HOLDFAST_EGRESS_ORIGINS: origin,
      HOLDFAST_EGRESS_PRIVATE: '127.0.0.0/8',
      HOLDFAST_TENANT_REQUESTS_PER_SECOND: String(REQUESTS_MAX),
    },
  });
  const now = BEGAN_MS / 1_000;
  const claims = { sub: 'ada', tenant: 'default', roles: ['reader'], exp: now + 600, nbf: now };
  token = await new SignJWT({ ...claims, iss: ISSUER, aud: 'holdfast' })
    .setProtectedHeader({ alg: 'ES256', kid: 'k1', typ: 'at+jwt' })
    .sign(pair.privateKey);
});
afterAll(async () => {
  await app.close();
  app.folder.remove();
  keysServer.close();
});

async function reading(key: string): Promise<FeedReader> {
  const reader = await FeedReader.open({ url: app.url, key } as AppInProcess['http'], '/v1/events');
  await reader.until(({ messages }) => messages.length > 0);
  expect([reader.answer.statusCode, reader.isEnded]).toEqual([200, false]);
  return reader;
}

/** Resolves once it is subscribed; `closed` with what the connection was closed with. */
async function subscribed(key: string): Promise<{ readonly closed: Promise<unknown> }> {
  return new Promise((resolve) => {
    const closed = new Promise((over) => {
      const client = createClient({
        url: `${app.url.replace('http', 'ws')}/graphql`,
        webSocketImpl: WebSocket,
        connectionParams: { authorization: `Bearer ${key}` },
        retryAttempts: 0,
        on: { closed: over },
      });
      const sink = { error: () => undefined, complete: () => undefined };
      const next = () => resolve({ closed });
      client.subscribe({ query: 'subscription { events { type } }' }, { ...sink, next });
    });
  });
}

describe('what is followed is ended', () => {
  it('when its key is revoked, however many there are; to look after them is no request and no attempt', async () => {
    await app.http.post('/v1/sessions', { sessionId: 'one' });
    const made = { name: 'reader', roles: ['reader'] };
    const { body } = await app.http.post<{ key: string; keyId: string }>('/v1/keys', made);
    const readers: FeedReader[] = [];
    for (let feed = 0; feed < FEEDS; feed += 1) readers.push(await reading(body.key));
    await pause(2.5 * CHECK_EVERY_MS);
    expect(readers.filter((reader) => reader.isEnded)).toEqual([]);
    await app.http.send('DELETE', `/v1/keys/${body.keyId}`);
    await Promise.all(readers.map((reader) => reader.until(() => false)));
    expect(readers.filter((reader) => !reader.isEnded)).toEqual([]);
    const trail = await app.http.get('/v1/audit?first=100');
    expect(trail.status).toBe(200);
    expect(trail.text).not.toContain('wrongSecret');
    expectProblem(await app.http.get('/v1/events', { key: body.key }), 401, 'unauthenticated');
  });

  it('when its token is over', async () => {
    const reader = await reading(token);
    const { closed } = await subscribed(token);
    nowMs = BEGAN_MS + 3_600_000;
    await reader.until(() => false);
    expect(reader.isEnded).toBe(true);
    expect(await closed).toMatchObject({ code: 4401 });
  });
});
