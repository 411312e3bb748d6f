import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { commandLineWith } from '../support/command-line.js';
import { expectProblem } from '../support/expect-problem.js';

const REQUESTS_A_SECOND = 20;
const CONNECTIONS_MAX = 30;

let app: AppInProcess;
let nowMs = Date.UTC(2026, 0, 1);
beforeAll(async () => {
  app = await startApp({
    clock: () => nowMs,
    environment: {
      HOLDFAST_TENANT_REQUESTS_PER_SECOND: String(REQUESTS_A_SECOND),
      HOLDFAST_CONNECTIONS_PER_ADDRESS: String(CONNECTIONS_MAX),
      HOLDFAST_REQUEST_TIMEOUT_MS: '1000',
    },
  });
});
afterAll(async () => {
  await app.close();
  app.folder.remove();
});

const opened = (): Socket => connect(Number(new URL(app.url).port), '127.0.0.1');

describe('a tenant that asks too often', () => {
  it('is told when to come again, while another is served, and is served again then', async () => {
    const other = commandLineWith(() => ({ ...app.environment, HOLDFAST_TENANT: 'other' }));
    const key = (await other('keys', 'add', '--name', 'b', '--role', 'reader')).stdout.trim();
    nowMs += 5_000;
    for (let sent = 0; sent < REQUESTS_A_SECOND; sent += 1) {
      expect((await app.http.get('/v1/sessions')).status).toBe(200);
    }
    const refused = await app.http.get('/v1/sessions');
    expect(expectProblem(refused, 429, 'too_many_requests').retryable).toBe(true);
    expect(refused.headers['retry-after']).toBe('1');
    expect((await app.http.get('/v1/sessions', { key })).status).toBe(200);
    nowMs += 1_000;
    expect((await app.http.get('/v1/sessions')).status).toBe(200);
  });
});

describe('one address', () => {
  it('gets no more connections than its number; those that it has go on', async () => {
    const sockets = Array.from({ length: CONNECTIONS_MAX + 20 }, () => opened());
    const closed = new Set<Socket>();
    for (const socket of sockets) socket.once('close', () => closed.add(socket));
    while (closed.size < sockets.length - CONNECTIONS_MAX) await pause(20);
    const kept = sockets.filter((socket) => !closed.has(socket));
    expect(kept.length).toBeGreaterThan(0);
    kept[0]!.write('GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    expect(await text(kept[0]!)).toMatch(/^HTTP\/1.1 200 /);
    for (const socket of sockets) socket.destroy();
  });

  it('that sends a request too slowly is told so and hung up on', async () => {
    const socket = opened();
    socket.write('GET /livez HTTP/1.1\r\nHost: loc');
    const said = await text(socket);
    expect(said).toMatch(/^HTTP\/1.1 408 /);
    expect(said).toContain('"code":"request_timeout"');
  });
});
