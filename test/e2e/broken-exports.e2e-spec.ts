import { type IncomingMessage, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { SessionWorker } from '../support/session-worker.js';

jest.setTimeout(120_000);

const INPUTS = 100;
/** Together more than a connection holds that nobody reads. */
const INPUT_CHARACTERS = 150_000;

let app: AppInProcess;
let isClosed = false;
afterEach(async () => {
  if (!isClosed) await app.close();
  app.folder.remove();
});

async function longSession(): Promise<void> {
  isClosed = false;
  app = await startApp();
  const worker = new SessionWorker(app.http, 'long');
  await worker.start();
  for (let index = 0; index < INPUTS; index += 1) await worker.input('x'.repeat(INPUT_CHARACTERS));
}

/** An answer of which nothing is read yet. */
function exported(path: string, key: string): Promise<IncomingMessage> {
  const { hostname, port } = new URL(app.url);
  const headers = { Authorization: `Bearer ${key}`, Accept: 'application/x-ndjson' };
  return new Promise((resolve, reject) => {
    request({ hostname, port, path, headers, agent: false }, resolve).on('error', reject).end();
  });
}

async function read(answer: IncomingMessage) {
  let text = '';
  answer.setEncoding('utf8').on('data', (piece: string) => (text += piece));
  const how = await new Promise<string>((resolve) => {
    answer.on('end', () => resolve('whole')).on('error', () => resolve('broken off'));
  });
  return { how, lines: text.split('\n').length - 1 };
}

describe.each(['/v1/sessions/long/events', '/v1/events'])('an export of %s', (path) => {
  it('that comes to its end is whole', async () => {
    await longSession();
    const answer = await exported(path, app.http.key);
    expect(await read(answer)).toEqual({ how: 'whole', lines: INPUTS + 1 });
  });

  it('is broken off by a server that stops', async () => {
    await longSession();
    const answer = await exported(path, app.http.key);
    const closed = app.close();
    isClosed = true;
    await pause(1_000);
    const { how, lines } = await read(answer);
    await closed;
    expect(how).toBe('broken off');
    expect(lines).toBeLessThan(INPUTS);
  });

  it('is broken off when its key is revoked, also where nobody reads it', async () => {
    await longSession();
    const made = { name: 'reader', roles: ['reader'] };
    const { body } = await app.http.post<{ key: string; keyId: string }>('/v1/keys', made);
    const answer = await exported(path, body.key);
    await app.http.send('DELETE', `/v1/keys/${body.keyId}`);
    const over = new Promise((resolve) => answer.on('close', resolve).on('error', () => undefined));
    await pause(12_000);
    const { how, lines } = await read(answer);
    await over;
    expect(how).toBe('broken off');
    expect(lines).toBeLessThan(INPUTS);
  });
});
