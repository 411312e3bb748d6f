import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { describe, expect, it, jest } from '@jest/globals';
import { leaseStoreScenarios } from '../../../test/contracts/lease-store.contract.js';
import { describeScenarios } from '../../../test/support/scenarios.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { newInstanceId } from '../instance-id.js';
import { connectToFile } from './connection.js';
import { SqliteLeaseStore } from './sqlite-lease-store.js';

jest.setTimeout(60_000);

async function openStore() {
  const folder = temporaryFolder();
  const file = `${folder.path}/leases.sqlite`;
  const store = await SqliteLeaseStore.open({ file });
  return { file, subject: store, close: () => store.close().then(folder.remove) };
}

describeScenarios('the lease store on SQLite', leaseStoreScenarios, openStore);

describe('leases on SQLite', () => {
  it('are seen by other connections, and their fences survive a restart', async () => {
    const { file, subject, close } = await openStore();
    const other = await SqliteLeaseStore.open({ file });
    const mine = await subject.acquire('projector', 'a', 60_000);
    expect(await other.acquire('projector', 'b', 60_000)).toEqual(mine);
    await subject.release('projector', 'a', mine.fence);
    await close();
    expect((await other.acquire('projector', 'b', 60_000)).fence).toBe(mine.fence + 1);
    await other.close();
  });

  it('of an instance whose process is over are free, for one other', async () => {
    const { file, subject, close } = await openStore();
    const connections = [subject, await SqliteLeaseStore.open({ file })];
    const { pid } = spawnSync(process.execPath, ['-e', '0']);
    const gone = await subject.acquire('projector', `${hostname()}:${pid}:${randomUUID()}`, 60_000);
    const next = await Promise.all(
      connections.map((one) => one.acquire('projector', newInstanceId(), 60_000)),
    );
    expect(next[0]).toMatchObject({ fence: gone.fence + 1 });
    expect(next[1]).toEqual(next[0]);
    await connections[1]!.close();
    await close();
  });

  it('do not live for ever when the clock was set back', async () => {
    const { file, subject, close } = await openStore();
    const old = await subject.acquire('projector', 'a', 1_000);
    const connection = connectToFile(file, 100);
    const days400Ms = 400 * 24 * 60 * 60 * 1000;
    connection.prepare('UPDATE leases SET expires_at_ms = expires_at_ms + ?').run(days400Ms);
    connection.close();
    expect(await subject.current('projector')).toBeUndefined();
    expect(await subject.renew('projector', 'a', old.fence, 1_000)).toBeUndefined();
    const next = await subject.acquire('projector', 'b', 1_000);
    expect(next).toMatchObject({ holder: 'b', fence: old.fence + 1 });
    await close();
  });
});
