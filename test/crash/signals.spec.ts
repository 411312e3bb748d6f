import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { ReceiptBody, RestoreBody, StandingBody } from '../support/api-views.js';
import { ServerProcess } from '../support/server-process.js';
import { SessionWorker } from '../support/session-worker.js';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.js';
import { crashTimeoutMs, CrashWorld, LEASE_TTL_MS } from './crash-world.js';

jest.setTimeout(crashTimeoutMs());

/** Less than a server would wait that waits for clients which keep their connection (72 s). */
const CALM_END_MS = 70_000;

describe('after the server was killed', () => {
  let world: CrashWorld;
  beforeAll(async () => {
    world = await CrashWorld.open();
  });
  afterAll(() => world.close());

  async function standingOf(sessionId: string): Promise<StandingBody> {
    const worker = world.worker(sessionId);
    const restored = await worker.ok<RestoreBody>('POST', worker.path('/restore'), {});
    return restored.standing;
  }

  it('a killed agent, one that was shut down and a stopped session are told apart', async () => {
    const sessionIds = ['model-killed', 'model-shut-down', 'model-stopped'];
    for (const sessionId of sessionIds) {
      await world.worker(sessionId).start();
      await world.worker(sessionId).input('Begin.');
    }
    world.target.holdBack();
    const agents = sessionIds.map((sessionId) => world.startAgent([sessionId]));
    await world.target.held(sessionIds.length);
    const stopped = world.worker('model-stopped');
    const { run } = await stopped.read();
    await stopped.ok('POST', stopped.path(`/runs/${run!.runId}/stop`), {});
    const ends = [agents[0]!.end('SIGKILL'), agents[1]!.end('SIGTERM'), agents[2]!.end('SIGKILL')];
    expect(await Promise.all(ends)).toMatchObject([
      { signal: 'SIGKILL' },
      { code: 0 },
      { signal: 'SIGKILL' },
    ]);
    await world.server.end('SIGKILL');
    await world.restartServer();
    await pause(LEASE_TTL_MS);

    expect(await standingOf('model-killed')).toMatchObject({
      stoppedBy: 'crash',
      mayContinue: true,
    });
    expect(await standingOf('model-shut-down')).toMatchObject({
      stoppedBy: 'shutdown',
      mayContinue: true,
    });
    expect(await standingOf('model-stopped')).toMatchObject({
      stoppedBy: 'user',
      mayContinue: false,
    });
    world.target.answer();
    await world.startAgent(['model-killed', 'model-shut-down']).done();
    const settled = (await world.worker('model-killed').read()).standing;
    expect(settled).toMatchObject({ stoppedBy: 'completed' });
    const claim = { workerId: 'other', claimToken: stopped.owner.claimToken, force: true };
    const refused = await world.server.http.post(stopped.path('/runs'), claim);
    expect(refused).toMatchObject({ status: 409, body: { retryable: false } });
    const started = (await world.worker('model-stopped').events()).filter(
      ({ type }) => type === 'ModelCallStarted' || type === 'RunClaimed',
    );
    expect(started).toHaveLength(2);
  });
});

describe('SIGTERM', () => {
  let folder: TemporaryFolder;
  beforeAll(() => {
    folder = temporaryFolder();
  });
  afterAll(() => folder.remove());

  it('lets what is under way finish, ends with 0, and the next start writes nothing', async () => {
    const server = await ServerProcess.start({ folder });
    const worker = new SessionWorker(server.http);
    await worker.start();
    await worker.input('A run is open.');
    await worker.claim();
    const slow = slowInput(server, worker.path('/inputs'));
    await slow.begun;
    const burst = Array.from({ length: 30 }, (_, index) =>
      server.http
        .post<ReceiptBody>(worker.path('/inputs'), { inputId: `burst-${index}`, content: 'x' })
        .catch(() => undefined),
    );
    const signalledMs = performance.now();
    server.signal('SIGTERM');
    await pause(200);
    slow.finish();
    expect(await slow.answer).toMatch(/\r\n\r\nHTTP\/1\.1 201 /);
    const answers = await Promise.all(burst);
    expect(await server.ended).toEqual({ code: 0, signal: null });
    expect(performance.now() - signalledMs).toBeLessThan(CALM_END_MS);
    await expect(server.http.get('/livez')).rejects.toThrow('ECONNREFUSED');

    const next = await ServerProcess.start({ folder });
    const later = new SessionWorker(next.http, worker.sessionId);
    const before = await later.events();
    const stored = before.filter(({ type }) => type === 'InputAccepted');
    for (const [index, answer] of answers.entries()) {
      if (answer?.status !== 201) continue;
      expect(stored.find(({ data }) => data.inputId === `burst-${index}`)).toMatchObject({
        revision: answer.body.revision,
      });
    }
    await pause(1_000);
    expect(await later.events()).toEqual(before);
    expect(await next.end('SIGTERM')).toEqual({ code: 0, signal: null });
  });
});

/** A request whose body arrives in two halves; `begun` when the server has said that it waits for it. */
function slowInput(server: ServerProcess, path: string) {
  const body = JSON.stringify({ inputId: 'slow', content: 'Sent slowly.' });
  const socket = connect(server.port, '127.0.0.1');
  const head = [
    `POST ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${server.port}`,
    `Authorization: Bearer ${server.key}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'Connection: close',
    'Expect: 100-continue',
  ].join('\r\n');
  socket.write(`${head}\r\n\r\n${body.slice(0, 10)}`);
  const begun = new Promise<void>((resolve) => void socket.once('data', () => resolve()));
  const answer = new Promise<string>((resolve, reject) => {
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
    socket.on('end', () => resolve(text));
    socket.on('error', reject);
  });
  return { begun, answer, finish: () => void socket.end(body.slice(10)) };
}
