import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { EventStoreDbDouble } from '../support/eventstoredb/eventstoredb-double.js';
import { TcpFaultProxy } from '../support/tcp-fault-proxy.js';

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
});
