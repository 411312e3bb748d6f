import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { commandLineWith } from '../support/command-line.js';
import { MongoDouble } from '../support/mongo-double/mongo-double.js';
import { ServerProcess } from '../support/server-process.js';
import { SessionWorker } from '../support/session-worker.js';
import { TcpFaultProxy } from '../support/tcp-fault-proxy.js';
import { temporaryFolder } from '../support/temporary-folder.js';

jest.setTimeout(120_000);

interface ListedSession {
  readonly pendingInputs: number;
}

interface ListBody {
  readonly sessions?: readonly ListedSession[];
  readonly code?: string;
}

describe('a server whose MongoDB is lost', () => {
  let double: MongoDouble;
  let proxy: TcpFaultProxy;
  let app: AppInProcess;

  beforeAll(async () => {
    double = await new MongoDouble().start();
    proxy = await TcpFaultProxy.start(double.listeningPort);
    const url = double.url('holdfast', proxy.port);
    app = await startApp({ environment: { HOLDFAST_MONGODB_URL: url } });
  });
  afterAll(async () => {
    await app.close();
    await proxy.stop();
    await double.stop();
    app.folder.remove();
  });

  const list = () => app.http.get<ListBody>('/v1/sessions');

  async function eventually(isThere: (sessions: readonly ListedSession[]) => boolean) {
    for (let tries = 0; tries < 800; tries += 1) {
      const { body } = await list();
      if (isThere(body.sessions ?? [])) return true;
      await sleep(100);
    }
    return false;
  }

  it('answers what needs it with 503, keeps recording, and goes on by itself', async () => {
    const worker = new SessionWorker(app.http);
    await worker.start({ title: 'before' });
    expect((await list()).status).toBe(200);

    await proxy.refuse();
    const lost = await list();
    expect(lost.status).toBe(503);
    expect(lost.body.code).toBe('store_unavailable');
    expect(Number(lost.headers['retry-after'])).toBeGreaterThan(0);
    const input = await worker.input('recorded while MongoDB is away');
    expect(input).toMatchObject({ replayed: false });

    await proxy.accept();
    expect(await eventually(([session]) => session?.pendingInputs === 1)).toBe(true);
  });

  it('goes on after connections were cut in the middle of work', async () => {
    for (let cuts = 0; cuts < 5; cuts += 1) {
      const worker = new SessionWorker(app.http);
      await worker.start({ title: `cut ${cuts}` });
      proxy.cut();
      await worker.input('go on');
    }
    expect(await eventually((sessions) => sessions.length === 6)).toBe(true);
  });
});

describe('holdfast doctor', () => {
  it('says whether MongoDB answers, and what it can', async () => {
    const double = await new MongoDouble({ replicaSet: false }).start();
    const folder = temporaryFolder();
    const commandLine = commandLineWith(() => ({
      HOLDFAST_DATA_DIR: join(folder.path, 'data'),
      HOLDFAST_MONGODB_URL: double.url('agents'),
    }));
    const found = await commandLine('doctor', '--json');
    await double.stop();
    const lost = await commandLine('doctor', '--json');
    folder.remove();
    expect(found.stdout).toMatch(/the database agents, without transactions/);
    expect(lost.stdout).toMatch(/MongoDB at 127\.0\.0\.1:\d+ cannot be used/);
    expect(lost.exitCode).not.toBe(0);
  });
});

describe('a server whose MongoDB is not there', () => {
  it('ends with one sentence that names it, and not its password', async () => {
    const folder = temporaryFolder();
    const environment = { HOLDFAST_MONGODB_URL: 'mongodb://ada:geheim@127.0.0.1:1/agents' };
    const start = ServerProcess.start({ folder, environment });
    const failure = await start.catch((error: unknown) => error);
    const { message } = failure as Error;
    expect(message).toMatch(
      /^the server ended with 5: holdfast: MongoDB at 127\.0\.0\.1:1 cannot be used .*\n$/,
    );
    expect(message).not.toContain('geheim');
    folder.remove();
  });
});
