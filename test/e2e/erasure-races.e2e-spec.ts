import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { STATE_SCHEMA_VERSION } from '../../src/domain/state.js';
import { derivedId, sessionStream } from '../../src/identity/derived-ids.js';
import { EventCodec } from '../../src/storage/event-codec.js';
import type { ReceiptBody } from '../support/api-views.js';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { expectProblem } from '../support/expect-problem.js';
import { SessionWorker } from '../support/session-worker.js';
import { copyOfKeys, placesWith } from '../support/stored-data.js';

jest.setTimeout(120_000);

interface ErasureBody {
  readonly status: string;
  readonly children: readonly string[];
  readonly exports: readonly { readonly kind: string; readonly status: string }[];
}

let app: AppInProcess;
beforeAll(async () => {
  app = await startApp();
});
afterAll(async () => {
  await app.close();
  app.folder.remove();
});

async function spoken(): Promise<SessionWorker> {
  const worker = new SessionWorker(app.http);
  await worker.start();
  await worker.input('The canary sings.');
  return worker;
}

function erase(worker: SessionWorker, more: object = {}) {
  return app.http.post<ErasureBody>(worker.path('/erase'), { reason: 'other', ...more });
}

/** What an erasure records first; whoever recorded it may be gone. */
async function recordErased({ sessionId }: SessionWorker): Promise<void> {
  const stream = sessionStream('default', sessionId);
  const erased = new EventCodec().encode({
    eventId: randomUUID(),
    event: {
      type: 'SessionErased',
      data: {
        erasureId: derivedId('erasure', 'default', sessionId),
        reason: 'other',
        descendants: [],
        keyIds: [],
        erasedAt: new Date().toISOString(),
      },
    },
    metadata: { tenantId: 'default', actor: 'a', commandType: 'EraseSession', commandId: 'e' },
    recordedAtMs: Date.now(),
  });
  await app.ports.events.append(stream, await app.ports.events.head(stream), [erased]);
}

async function becomes(worker: SessionWorker, wanted: string): Promise<void> {
  const giveUpAtMs = performance.now() + 60_000;
  for (;;) {
    const { status } = (await app.http.get<{ status: string }>(worker.path())).body;
    if (status === wanted) return;
    expect(performance.now()).toBeLessThan(giveUpAtMs);
    await pause(100);
  }
}

describe('a fork that is made while its parent is being erased', () => {
  it('is erased with it where it was not seen', async () => {
    const parent = await spoken();
    const { sessionId } = await parent.ok<ReceiptBody>('POST', parent.path('/forks'), {});
    const fork = new SessionWorker(app.http, sessionId);
    await recordErased(parent);
    await becomes(parent, 'erased');
    await becomes(fork, 'erased');
    expectProblem(await app.http.post(fork.path('/context'), {}), 410, 'session_erased');
  });

  it('is refused where the erasure has begun, and what was written of it is erased', async () => {
    const parent = await spoken();
    const fork = new SessionWorker(app.http);
    const append = app.ports.events.append.bind(app.ports.events);
    const spy = jest.spyOn(app.ports.events, 'append');
    spy.mockImplementation(async (stream, expected, events) => {
      if (events[0]?.type === 'Forked') {
        spy.mockRestore();
        await recordErased(parent);
      }
      return append(stream, expected, events);
    });
    const made = await app.http.post(parent.path('/forks'), { forkId: fork.sessionId });
    expectProblem(made, 410, 'session_erased');
    await becomes(fork, 'erased');
  });
});

describe('the report of an erasure', () => {
  it('names child sessions that were left, and exports that held the content', async () => {
    const worker = await spoken();
    const child = new SessionWorker(app.http);
    const parent = { sessionId: worker.sessionId, edge: 'subagent' };
    await child.start({ parent });
    for (const sessions of [[worker.sessionId], ['another']]) {
      expect((await app.http.post('/v1/audit/exports', { sessions })).status).toBe(200);
    }
    const erased = await erase(worker);
    expect(erased.body).toMatchObject({ status: 'done', children: [child.sessionId] });
    expect(erased.body.exports).toMatchObject([{ kind: 'audit', status: 'finished' }]);
  });
});

describe('what is left of an erased session', () => {
  it('is no snapshot, and no Idempotency-Key in clear', async () => {
    const worker = await spoken();
    const key = { 'Idempotency-Key': `key-of-${worker.sessionId}-ann@example.org` };
    const facts = [{ factId: 'f', kind: 'note', text: 'one' }];
    const noted = await app.http.post<ReceiptBody>(worker.path('/facts'), { facts }, key);
    const again = await app.http.post<ReceiptBody>(worker.path('/facts'), { facts }, key);
    expect([noted.status, again.body.revision]).toEqual([again.status, noted.body.revision]);
    expect(await placesWith(app.folder, 'ann@example.org')).toEqual([]);
    const stream = sessionStream('default', worker.sessionId);
    const snapshot = { revision: 1, schemaVersion: STATE_SCHEMA_VERSION, state: '{}' };
    await app.ports.sealedEvents.saveSnapshot(stream, snapshot);
    expect((await erase(worker)).body.status).toBe('done');
    const left = await app.ports.sealedEvents.loadSnapshot(stream, STATE_SCHEMA_VERSION);
    expect(left).toBeUndefined();
  });

  it('are its labels: they are declared non-personal, and costs are summed by them', async () => {
    const worker = new SessionWorker(app.http);
    await worker.start({ labels: { team: 'refunds' } });
    expect((await erase(worker)).body.status).toBe('done');
    const session = await app.http.get<{ labels: object }>(worker.path());
    expect(session.body.labels).toEqual({ team: 'refunds' });
  });
});

describe('keys that an old backup has brought back', () => {
  it('are destroyed by the next start', async () => {
    const worker = await spoken();
    await app.close();
    const old = await copyOfKeys(app.folder);
    app = await startApp({ folder: app.folder });
    worker.http = app.http;
    expect((await erase(worker)).body.status).toBe('done');
    await app.close();
    await old.restore();
    app = await startApp({ folder: app.folder });
    const owner = { tenantId: 'default', sessionId: worker.sessionId };
    const giveUpAtMs = performance.now() + 60_000;
    while (!(await app.ports.eraser.isErased(owner))) {
      expect(performance.now()).toBeLessThan(giveUpAtMs);
      await pause(100);
    }
    expect((await app.http.get(worker.path('/events'))).text).not.toContain('canary');
  });
});
