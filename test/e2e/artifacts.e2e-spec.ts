import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { expectProblem } from '../support/expect-problem.js';
import { residentBytes } from '../support/resident-bytes.js';
import { ServerProcess } from '../support/server-process.js';
import { SessionWorker } from '../support/session-worker.js';
import { temporaryFolder } from '../support/temporary-folder.js';

jest.setTimeout(300_000);

const BYTES = { 'Content-Type': 'application/octet-stream' };
const MEBIBYTE = 1024 * 1024;

interface ArtifactBody {
  readonly hash: string;
  readonly sizeBytes: number;
  readonly mediaType: string;
}

describe('artifacts', () => {
  let app: AppInProcess;
  let worker: SessionWorker;

  beforeAll(async () => {
    app = await startApp();
    worker = new SessionWorker(app.http);
    await worker.start();
  });
  afterAll(async () => {
    await app.close();
    app.folder.remove();
  });

  const put = (raw: Buffer | readonly Buffer[], query = '', path = worker.path('/artifacts')) =>
    app.http.send<ArtifactBody>('POST', path + query, { raw, headers: BYTES });

  it('come back byte for byte, are stored once, and belong to one session', async () => {
    const content = randomBytes(300_000);
    const first = await put(content, '?mediaType=image/png');
    expect(first).toMatchObject({
      status: 201,
      body: { sizeBytes: content.length, mediaType: 'image/png' },
    });
    const inPieces = await put([content.subarray(0, 7), content.subarray(7)]);
    expect(inPieces.body.hash).toBe(first.body.hash);
    const read = await app.http.get(worker.path(`/artifacts/${first.body.hash}`));
    expect(read.bytes.equals(content)).toBe(true);
    const other = new SessionWorker(app.http);
    await other.start();
    expect(await app.http.get(other.path(`/artifacts/${first.body.hash}`))).toMatchObject({
      status: 404,
    });
    const there = await put(content, '', other.path('/artifacts'));
    expect(there.body.hash).not.toBe(first.body.hash);
  });

  it('answer ranges', async () => {
    const content = Buffer.from('0123456789');
    const { hash } = (await put(content)).body;
    const range = (header: string, more: object = {}) =>
      app.http.get(worker.path(`/artifacts/${hash}`), { headers: { Range: header, ...more } });
    const middle = await range('bytes=2-4');
    expect([middle.status, middle.text]).toEqual([206, '234']);
    expect(middle.headers).toMatchObject({
      'content-range': 'bytes 2-4/10',
      'content-length': '3',
      'accept-ranges': 'bytes',
      etag: `"${hash}"`,
    });
    expect(await range('bytes=-2')).toMatchObject({ status: 206, text: '89' });
    expect(await range('bytes=5-', { 'If-Range': `"${hash}"` })).toMatchObject({ text: '56789' });
    expect(await range('bytes=5-', { 'If-Range': '"other"' })).toMatchObject({ status: 200 });
    const beyond = await range('bytes=10-');
    expect(beyond.headers['content-range']).toBe('bytes */10');
    expectProblem(beyond, 416, 'range_not_satisfiable');
  });

  it('are seen by a fork that inherits them', async () => {
    const { hash } = (await put(Buffer.from('inherited'))).body;
    const fork = await app.http.post<{ sessionId: string }>(worker.path('/forks'), {});
    const path = `/v1/sessions/${fork.body.sessionId}/artifacts/${hash}`;
    expect(await app.http.get(path)).toMatchObject({ status: 200, text: 'inherited' });
  });

  it('are refused with a reason', async () => {
    const asJson = await app.http.send('POST', worker.path('/artifacts'), { raw: '{}' });
    expectProblem(asJson, 415, 'unsupported_media_type');
    const toInputs = { raw: 'x', headers: BYTES };
    const elsewhere = await app.http.send('POST', worker.path('/inputs'), toInputs);
    expectProblem(elsewhere, 415, 'unsupported_media_type');
    const misnamed = await put(Buffer.from('x'), '?mediaType=png');
    expectProblem(misnamed, 400, 'invalid_request');
    const nowhere = await put(Buffer.from('x'), '', '/v1/sessions/nobody/artifacts');
    expectProblem(nowhere, 404, 'not_found');
    const unknown = await app.http.get(worker.path(`/artifacts/${'0'.repeat(64)}`));
    expectProblem(unknown, 404, 'not_found');
  });
});

describe('large artifacts', () => {
  it('pass through without being gathered in memory, up to the limit and not beyond', async () => {
    const folder = temporaryFolder();
    const server = await ServerProcess.start({ folder });
    try {
      const worker = new SessionWorker(server.http);
      await worker.start();
      const path = worker.path('/artifacts');
      const before = residentBytes(server.pid);
      const kept = await Promise.all([stream(server, path, 64), stream(server, path, 64)]);
      for (const { status, body } of kept) {
        expect([status, body.sizeBytes]).toEqual([201, 64 * MEBIBYTE]);
      }
      const read = await Promise.all(
        kept.map(({ body }) => drained(server, `${path}/${body.hash}`)),
      );
      const whole = { status: 200, sizeBytes: 64 * MEBIBYTE };
      expect(read).toEqual([whole, whole]);
      // Node leaves up to 64 MiB of dead buffers lying about; gathering both would take 128 more.
      expect(residentBytes(server.pid) - before).toBeLessThan(100 * MEBIBYTE);
      const over = await stream(server, path, 65);
      expect(over).toMatchObject({ status: 413, body: { code: 'too_large' } });
    } finally {
      await server.end('SIGTERM');
      folder.remove();
    }
  });
});

interface Streamed {
  readonly status: number;
  readonly body: ArtifactBody & { readonly code?: string };
}

/** Sends so many MiB in chunks, each when the one before is on its way. */
function stream({ url, key }: ServerProcess, path: string, mebibytes: number): Promise<Streamed> {
  const headers = { ...BYTES, Authorization: `Bearer ${key}` };
  return new Promise((resolve, reject) => {
    const sent = request(url + path, { method: 'POST', headers }, (reply) => {
      let text = '';
      reply.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      reply.on('end', () =>
        resolve({ status: reply.statusCode ?? 0, body: JSON.parse(text) as Streamed['body'] }),
      );
    });
    sent.on('error', reject);
    const piece = randomBytes(MEBIBYTE);
    let left = mebibytes;
    const next = (): void => {
      if (left === 0) return void sent.end();
      left -= 1;
      sent.write(piece, next);
    };
    next();
  });
}

function drained({ url, key }: ServerProcess, path: string) {
  const headers = { Authorization: `Bearer ${key}` };
  return new Promise((resolve, reject) => {
    const sent = request(url + path, { headers }, (reply) => {
      let sizeBytes = 0;
      reply.on('data', (piece: Buffer) => (sizeBytes += piece.length));
      reply.on('end', () => resolve({ status: reply.statusCode, sizeBytes }));
    });
    sent.on('error', reject).end();
  });
}
