import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { SessionWorker } from '../support/session-worker.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const SECRET = randomBytes(16).toString('hex');

interface WakeUp {
  readonly signature: string;
  readonly body: string;
  readonly atMs: number;
}

/** A dispatcher that starts workers when it is told to. */
const heard: WakeUp[] = [];
let status = 200;
const dispatcher = createServer((request, reply) => {
  let body = '';
  request.on('data', (chunk: Buffer) => (body += chunk.toString('utf8')));
  request.on('end', () => {
    const signature = String(request.headers['holdfast-signature']);
    heard.push({ signature, body, atMs: Date.now() });
    reply.writeHead(status).end();
  });
});

const folder = temporaryFolder();
let app: AppInProcess;
let beside: AppInProcess;

beforeAll(async () => {
  dispatcher.listen(0, '127.0.0.1');
  await once(dispatcher, 'listening');
  const origin = `http://127.0.0.1:${(dispatcher.address() as AddressInfo).port}`;
  const environment = {
    HOLDFAST_EGRESS_ORIGINS: origin,
    HOLDFAST_EGRESS_PRIVATE: '127.0.0.0/8',
    HOLDFAST_WAKE_UP_URL: `${origin}/wake`,
  };
  app = await startApp({ folder, environment });
  const secrets = join(folder.path, 'data-keys', 'egress-secrets.json');
  writeFileSync(secrets, JSON.stringify({ 'wake-up': { origin, value: SECRET } }));
  chmodSync(secrets, 0o600);
  beside = await startApp({ folder, environment });
});
afterAll(async () => {
  await beside.close();
  await app.close();
  dispatcher.closeAllConnections();
  dispatcher.close();
  folder.remove();
});

async function sessionWithWork(): Promise<SessionWorker> {
  const session = new SessionWorker(app.http);
  await session.start({ title: 'a secret title' });
  await session.input('a secret wish');
  return session;
}

const of = ({ sessionId }: SessionWorker): WakeUp[] =>
  heard.filter(({ body }) => body.includes(sessionId));

async function until(isSo: () => boolean): Promise<void> {
  const giveUpMs = Date.now() + 40_000;
  while (!isSo()) {
    if (Date.now() > giveUpMs) throw new Error(`heard only ${JSON.stringify(heard)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe('a wake-up', () => {
  it('says which sessions have work, once, signed, and nothing of what is in them', async () => {
    const session = await sessionWithWork();
    await until(() => of(session).length > 0);
    const [{ signature, body }] = of(session) as [WakeUp];
    const [, seconds, mac] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(signature)!;
    expect(createHmac('sha256', SECRET).update(`${seconds}.${body}`).digest('hex')).toBe(mac);
    expect(Math.abs(Number(seconds) * 1_000 - Date.now())).toBeLessThan(60_000);
    const { type, tenantId, sessions } = JSON.parse(body) as Record<string, unknown>;
    expect([type, tenantId]).toEqual(['work', 'default']);
    expect(sessions).toContainEqual({ sessionId: session.sessionId, reason: 'start' });
    expect(body).not.toContain('secret');
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(of(session)).toHaveLength(1);
    await session.claim();
  });

  it('is repeated, later each time, while nobody has heard it, and not once somebody came', async () => {
    status = 503;
    const session = await sessionWithWork();
    await until(() => of(session).length >= 3);
    const [first, second, third] = of(session).map(({ atMs }) => atMs) as [number, number, number];
    expect(second - first).toBeGreaterThanOrEqual(900);
    expect(third - second).toBeGreaterThanOrEqual(1_800);
    status = 200;
    await session.claim();
    // One that was under way when somebody came.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const count = of(session).length;
    await new Promise((resolve) => setTimeout(resolve, 4_500));
    expect(of(session).length).toBe(count);
  });
});
