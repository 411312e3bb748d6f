import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { ReceiptBody } from '../support/api-views.js';
import { ServerProcess } from '../support/server-process.js';
import { SessionWorker } from '../support/session-worker.js';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.js';

jest.setTimeout(120_000);

interface ListBody {
  readonly sessions: readonly { readonly sessionId: string; readonly pendingInputs: number }[];
}

let folder: TemporaryFolder;
beforeAll(() => {
  folder = temporaryFolder();
});
afterAll(() => folder.remove());

describe('two server processes on one data folder', () => {
  it('fc-19.1: of two appends at one revision one is written, and the other is told', async () => {
    const servers = [await ServerProcess.start({ folder }), await ServerProcess.start({ folder })];
    const worker = new SessionWorker(servers[0]!.http);
    await worker.start();
    for (let round = 0; round < 10; round += 1) {
      const { headers } = await worker.http.get(worker.path());
      const seen = { 'If-Match': String(headers.etag) };
      const answers = await Promise.all(
        servers.map(({ http }, process) => {
          const input = { inputId: `${round}-${process}`, content: 'x' };
          return http.post<ReceiptBody>(worker.path('/inputs'), input, seen);
        }),
      );
      const written = answers.filter(({ status }) => status === 201);
      expect(written).toMatchObject([{ body: { revision: round + 1 } }]);
      const [refused] = answers.filter(({ status }) => status !== 201);
      expect(refused).toMatchObject({
        status: 412,
        body: { code: 'precondition_failed', revision: round + 1 },
      });
    }
    expect(await worker.events()).toHaveLength(11);
    await Promise.all(servers.map((server) => server.end('SIGTERM')));
  });
});

describe('a server that is killed directly after its answer', () => {
  it('fc-21.2: has the session and its input in the list and in the log when it is back', async () => {
    // Read models go on as soon as the lease of the killed process is over.
    const environment = { HOLDFAST_INSTANCE_LEASE_TTL_MS: '1000' };
    const server = await ServerProcess.start({ folder, environment });
    const worker = new SessionWorker(server.http, 's1');
    await worker.start();
    const { position } = await worker.input('hello', { inputId: 'u1' });
    await server.end('SIGKILL');
    const next = await ServerProcess.start({ folder, environment });
    const again = new SessionWorker(next.http, 's1');
    const list = await again.ok<ListBody>('GET', `/v1/sessions?atLeast=${position}`);
    expect(list.sessions).toContainEqual(
      expect.objectContaining({ sessionId: 's1', pendingInputs: 1 }),
    );
    expect((await again.events()).map(({ data }) => data.inputId)).toContain('u1');
    await next.end('SIGTERM');
  });
});
