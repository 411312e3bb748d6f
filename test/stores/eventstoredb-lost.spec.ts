import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { EventStoreDbDouble } from '../support/eventstoredb/eventstoredb-double.js';
import { TcpFaultProxy } from '../support/tcp-fault-proxy.js';
import { commandLineWith } from '../support/command-line.js';
import { ServerProcess } from '../support/server-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';

describe('a server whose EventStoreDB is lost', () => {
  let double: EventStoreDbDouble;
  let proxy: TcpFaultProxy;
  let app: AppInProcess;

  beforeAll(async () => {
    double = await EventStoreDbDouble.start();
    proxy = await TcpFaultProxy.start(double.port);
    const url = `esdb://127.0.0.1:${proxy.port}?tls=false`;
    app = await startApp({ environment: { HOLDFAST_EVENTSTORE_URL: url } });
  });
  afterAll(async () => {
    await app.close();
    app.folder.remove();
    await proxy.stop();
    double.stop();
  });

  it('answers 503 with Retry-After, never yes, and goes on by itself', async () => {
    const start = (title: string) => app.http.post('/v1/sessions', { title });
    expect((await start('before')).status).toBe(201);
    await proxy.refuse();
    const written = double.log.records.length;
    for (let count = 0; count < 3; count += 1) {
      const refused = await start('meanwhile');
      expect(refused.status).toBe(503);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    }
    expect(double.log.records.length).toBe(written);
    await proxy.accept();
    let status = 503;
    while (status === 503) {
      status = (await start('after')).status;
      await sleep(50);
    }
    expect(status).toBe(201);
    const listed = await app.http.get<{ items: readonly { title: string }[] }>('/v1/sessions');
    expect(listed.status).toBe(200);
  });

  it('says "unknown" when it was written and nobody heard, and the identical request settles it', async () => {
    const sessionId = 'said-twice';
    const start = () => app.http.post<{ code?: string }>('/v1/sessions', { sessionId });
    const silentFor = (name: string) => name === `session-default.${sessionId}`;
    let written = false;
    double.faults.plan = (operation, stream) => {
      if (operation !== 'append' || !silentFor(stream)) return undefined;
      const first = !written;
      written = true;
      return first ? 'silenceAfterWrite' : 'silence';
    };
    const unknown = await start();
    double.faults.plan = () => undefined;
    expect([unknown.status, unknown.body.code]).toEqual([503, 'append_unknown']);
    expect(Number(unknown.headers['retry-after'])).toBeGreaterThan(0);
    expect((await start()).status).toBe(201);
    const events = double.log.records.filter(({ stream }) => silentFor(stream));
    expect(events).toHaveLength(1);
  }, 60_000);

  it('goes on after its EventStoreDB was started anew, without a restart of its own', async () => {
    await double.restart();
    let status = 503;
    while (status === 503) status = (await app.http.post('/v1/sessions', {})).status;
    expect(status).toBe(201);
    const ready = async () => (await app.http.get('/readyz')).status;
    while ((await ready()) !== 200) await sleep(50);
    double.stop();
    expect(await ready()).toBe(503);
    await double.restart();
    while ((await ready()) !== 200) await sleep(50);
  }, 60_000);

  it('is refused read models that were made from another EventStoreDB', async () => {
    const other = await EventStoreDbDouble.start();
    const folder = app.folder;
    const started = ServerProcess.start({
      folder,
      environment: { HOLDFAST_EVENTSTORE_URL: other.url },
    });
    await expect(started).rejects.toThrow(
      /ended with 5: holdfast: the read models in .* were made from another event store .*\n$/,
    );
    other.stop();
  });

  it('is found by the doctor', async () => {
    const folder = temporaryFolder();
    const environment = {
      HOLDFAST_DATA_DIR: `${folder.path}/data`,
      HOLDFAST_EVENTSTORE_URL: double.url,
    };
    const commandLine = commandLineWith(() => environment);
    const found = await commandLine('doctor');
    expect(found.stdout).toMatch(/^ok {3}eventstoredb: it answers; newest event at position \d+$/m);
    expect(found.stdout).not.toMatch(/events\.sqlite/);
    folder.remove();
    await proxy.refuse();
    const gone = { HOLDFAST_EVENTSTORE_URL: `esdb://127.0.0.1:${proxy.port}?tls=false` };
    const lost = await commandLineWith(() => ({ ...environment, ...gone }))('doctor');
    await proxy.accept();
    expect(lost.exitCode).toBe(1);
    expect(lost.stdout).toMatch(/^FAIL eventstoredb: EventStoreDB at .* cannot be used/m);
  });
});
