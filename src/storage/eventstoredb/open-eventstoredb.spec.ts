import { describe, expect, it } from '@jest/globals';
import { EventStoreDbDouble } from '../../../test/support/eventstoredb/eventstoredb-double.js';
import { TcpFaultProxy } from '../../../test/support/tcp-fault-proxy.js';
import { openEventStoreDb } from './open-eventstoredb.js';

describe('opening an EventStoreDB', () => {
  it('is done when it answers', async () => {
    const double = await EventStoreDbDouble.start();
    const store = await openEventStoreDb({ url: double.url });
    expect(await store.headPosition()).toBe(0n);
    await store.close();
    double.stop();
  });

  it('names what is not reachable, and no password', async () => {
    const double = await EventStoreDbDouble.start();
    double.stop();
    const url = `esdb://ada:geheim@127.0.0.1:${double.port}?tls=false`;
    const opening = openEventStoreDb({ url });
    await expect(opening).rejects.toMatchObject({ problem: 'notReachable' });
    await expect(opening).rejects.toThrow(`esdb://127.0.0.1:${double.port} cannot be used`);
    await expect(opening).rejects.not.toThrow(/geheim/);
  });

  it('does not wait for ever for a server that says nothing', async () => {
    const double = await EventStoreDbDouble.start();
    const proxy = await TcpFaultProxy.start(double.port);
    proxy.silence();
    const url = `esdb://127.0.0.1:${proxy.port}?tls=false`;
    const opening = openEventStoreDb({ url, times: { readSilenceMs: 200 } });
    await expect(opening).rejects.toThrow(/no answer to a read of \$all/);
    await proxy.stop();
    double.stop();
  });

  it('says when the user may not read', async () => {
    const double = await EventStoreDbDouble.start();
    double.faults.next('read', 'accessDenied');
    await expect(openEventStoreDb({ url: double.url })).rejects.toThrow(/Access Denied/i);
    double.stop();
  });
});
