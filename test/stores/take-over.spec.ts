import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { expectProblem } from '../support/expect-problem.js';
import { ServerProcess } from '../support/server-process.js';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.js';

jest.setTimeout(120_000);

interface Listed {
  readonly sessions: readonly object[];
  readonly asOf: { readonly stale: boolean };
}

describe('the read models of an instance that is gone', () => {
  let folder: TemporaryFolder;
  let first: ServerProcess;
  let next: ServerProcess;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(async () => {
    await Promise.all([first.end('SIGKILL'), next.end('SIGKILL')]);
    folder.remove();
  });

  /** A paused process lives: nobody can know that it will not go on in the next moment. */
  async function followed(gone: 'killed' | 'paused', leaseTtlMs: number): Promise<string> {
    const environment = { HOLDFAST_INSTANCE_LEASE_TTL_MS: String(leaseTtlMs) };
    first = await ServerProcess.start({ folder, environment });
    const { body } = await first.http.post<{ position: string }>('/v1/sessions', {});
    // Who has shown something has the lease.
    while ((await list(first, body.position)).asOf.stale);
    if (gone === 'killed') await first.end('SIGKILL');
    else first.signal('SIGSTOP');
    next = await ServerProcess.start({ folder, environment });
    return (await next.http.post<{ position: string }>('/v1/sessions', {})).body.position;
  }

  const list = async ({ http }: ServerProcess, position: string): Promise<Listed> =>
    (await http.get<Listed>(`/v1/sessions?atLeast=${position}`)).body;
  const ready = async () =>
    (await next.http.get<{ status: string; behindSeconds?: number }>('/readyz')).body;

  it('wait for its lease; reads say so, and so does /readyz, while everything is recorded', async () => {
    const position = await followed('paused', 600_000);
    const listed = await list(next, position);
    expect([listed.sessions.length, listed.asOf.stale]).toEqual([1, true]);
    const said = await ready();
    expect(said.status).toBe('read_models_behind');
    expect(said.behindSeconds).toBeGreaterThanOrEqual(2);
    expect((await next.http.post('/v1/sessions', { sessionId: 'unseen' })).status).toBe(201);
    // It is there, so nobody may say that it is not.
    for (const path of ['messages', 'cost']) {
      const unseen = await next.http.get(`/v1/sessions/unseen/${path}`);
      expectProblem(unseen, 503, 'read_model_stale');
    }
  });

  it('are taken over as soon as HOLDFAST_INSTANCE_LEASE_TTL_MS is over', async () => {
    const position = await followed('paused', 1_000);
    while ((await list(next, position)).asOf.stale) await sleep(50);
    while ((await ready()).status !== 'ok') await sleep(50);
    expect((await list(next, position)).sessions).toHaveLength(2);
  });

  it('are taken over at once on the embedded stores when its process is over', async () => {
    const position = await followed('killed', 600_000);
    while ((await list(next, position)).asOf.stale) await sleep(50);
    expect((await list(next, position)).sessions).toHaveLength(2);
  });
});
