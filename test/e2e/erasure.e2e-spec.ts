import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { sessionStream } from '../../src/identity/derived-ids.js';
import { EventCodec } from '../../src/storage/event-codec.js';
import type { EventPageBody, ReceiptBody } from '../support/api-views.js';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { expectProblem } from '../support/expect-problem.js';
import { ANTHROPIC_MODEL, anthropicAnswer } from '../support/provider-answers.js';
import { readAtHead } from '../support/read-at-head.js';
import { SessionWorker } from '../support/session-worker.js';
import { copyOfData, placesWith } from '../support/stored-data.js';

jest.setTimeout(120_000);

const MODEL = { provider: 'anthropic', model: ANTHROPIC_MODEL };

interface ErasureBody {
  readonly sessionId: string;
  readonly status: string;
  readonly descendants: readonly string[];
  readonly artifacts?: number;
  readonly completedAt?: string;
  readonly keyBackupsExpireAt?: string;
}

interface CostBody {
  readonly asOf: object;
}

let app: AppInProcess;
let eraser: string;
beforeAll(async () => {
  app = await startApp();
  const made = await app.http.post<{ key: string }>('/v1/keys', { name: 'e', roles: ['eraser'] });
  eraser = made.body.key;
});
afterAll(async () => {
  await app.close();
  app.folder.remove();
});

const canary = (name: string) => `canary-${name}-sings`;

/** Every kind of content that a session can hold says the name. */
async function talkative(name: string): Promise<SessionWorker> {
  const text = canary(name);
  const worker = new SessionWorker(app.http);
  await worker.start({ title: text, tools: [{ name: 'mail', effect: 'opaqueWrite' }] });
  await worker.input(`${text} ${'padding '.repeat(60_000)}`);
  await worker.claim();
  const asked = [{ id: 'a', name: 'mail', input: { to: text } }];
  const [call] = await worker.turn(anthropicAnswer(text, asked), MODEL);
  await worker.permit(call!.callId);
  await worker.post(`/tool-calls/${call!.callId}/result`, {
    attempt: 1,
    content: text,
    externalRef: text,
  });
  const key = { 'Idempotency-Key': `facts-${name}` };
  await app.http.post(worker.path('/facts'), { facts: [{ factId: 'f', kind: 'note', text }] }, key);
  await app.http.get(worker.path('/messages'));
  return worker;
}

function erase(worker: SessionWorker, more: object = {}) {
  const body = { reason: 'dataSubject', ...more };
  return app.http.send<ErasureBody>('POST', worker.path('/erase'), { body, key: eraser });
}

describe('an erased session', () => {
  it('was written nowhere in clear, answers 410 for its content, and keeps its facts', async () => {
    const worker = await talkative('one');
    const costOf = async () => {
      const { asOf: _now, ...cost } = await readAtHead<CostBody>(app, worker.path('/cost'));
      return cost;
    };
    const cost = await costOf();
    expect(await placesWith(app.folder, 'canary-one')).toEqual([]);
    expect(await placesWith(app.folder, worker.sessionId)).not.toEqual([]);
    expect((await worker.context()).contextId).toBeDefined();
    const erased = await erase(worker);
    expect([erased.status, erased.body.status, erased.body.artifacts]).toEqual([200, 'done', 2]);
    expect(erased.body.keyBackupsExpireAt).toBeDefined();
    for (const path of ['/context', '/messages', '/facts', '/facts/f']) {
      expectProblem(await app.http.get(worker.path(path)), 410, 'session_erased');
    }
    for (const [path, body] of [
      ['/inputs', { content: 'more' }],
      ['/forks', {}],
      ['/restore', {}],
    ] as const) {
      expectProblem(await app.http.post(worker.path(path), body), 410, 'session_erased');
    }
    const session = await app.http.get<Record<string, unknown>>(worker.path());
    expect(session.body).toMatchObject({ status: 'erased', counters: { inputs: 1, toolCalls: 1 } });
    expect(session.text).not.toContain('canary');
    const events = await app.http.get<EventPageBody>(worker.path('/events'));
    expect(events.text).not.toContain('canary');
    expect(events.body.events.map(({ type }) => type)).toContain('ToolResultRecorded');
    expect(await costOf()).toEqual(cost);
    const again = await erase(worker);
    expect(again.body).toEqual(erased.body);
  });

  it('cannot be read from a copy of the data from before, with the keys that are left', async () => {
    const [gone, kept] = [await talkative('gone'), await talkative('kept')];
    await app.close();
    const before = await copyOfData(app.folder);
    app = await startApp({ folder: app.folder });
    expect((await erase(gone)).body.status).toBe('done');
    await app.close();
    await before.restore();
    app = await startApp({ folder: app.folder });
    const eventsOf = (worker: SessionWorker) =>
      app.http.get<EventPageBody>(worker.path('/events?first=100'));
    expect((await eventsOf(kept)).text).toContain(canary('kept'));
    const events = await eventsOf(gone);
    expect([events.status, events.text.includes('canary')]).toEqual([200, false]);
    expect((await app.http.get('/v1/sessions')).text).not.toContain(canary('gone'));
  });

  it('is refused while forks read it, or erased with all of them', async () => {
    const worker = await talkative('tree');
    const { sessionId } = await worker.ok<ReceiptBody>('POST', worker.path('/forks'), {});
    const fork = new SessionWorker(app.http, sessionId, 'worker-of-the-fork');
    const refused = await erase(worker);
    expectProblem(refused, 409, 'has_descendants');
    expect(refused.text).toContain(sessionId);
    expect((await fork.context()).contextId).toBeDefined();
    const erased = await erase(worker, { descendants: 'erase' });
    expect(erased.body).toMatchObject({ status: 'done', descendants: [sessionId] });
    expectProblem(await app.http.get(fork.path('/context')), 410, 'session_erased');
  });

  it('is refused while an outcome is unknown, and a late result is recorded without content', async () => {
    const worker = new SessionWorker(app.http);
    await worker.start({ tools: [{ name: 'mail', effect: 'opaqueWrite' }] });
    await worker.input('Mail it.');
    await worker.claim();
    const asked = [{ id: 'a', name: 'mail', input: {} }];
    const [call] = await worker.turn(anthropicAnswer('', asked), MODEL);
    await worker.permit(call!.callId);
    expectProblem(await erase(worker), 409, 'unknown_outcomes');
    const erased = await erase(worker, { acknowledgeUnknown: true });
    expect(erased.body.status).toBe('done');
    const late = await app.http.post(worker.path(`/tool-calls/${call!.callId}/late-result`), {
      attempt: 1,
      claimedEpoch: 1,
      content: canary('late'),
    });
    expectProblem(late, 410, 'session_erased');
    const events = await app.http.get<EventPageBody>(worker.path('/events?first=100'));
    expect(events.body.events.map(({ type }) => type)).toContain('ToolLateResultReceived');
    expect(events.text).not.toContain('canary');
    expect(await placesWith(app.folder, canary('late'))).toEqual([]);
  });

  it.each(['the log says so', 'its key is gone'])(
    'is finished by the next process when one dies after %s',
    async (step) => {
      const worker = await talkative('crash');
      const { sessionId } = worker;
      const stream = sessionStream('default', sessionId);
      const head = await app.ports.events.head(stream);
      const erased = new EventCodec().encode({
        eventId: randomUUID(),
        event: {
          type: 'SessionErased',
          data: {
            erasureId: 'e',
            reason: 'other',
            descendants: [],
            keyIds: [],
            erasedAt: '2026-06-01T10:00:00.000Z',
          },
        },
        metadata: { tenantId: 'default', actor: 'a', commandType: 'EraseSession', commandId: 'e' },
        recordedAtMs: Date.now(),
      });
      await app.ports.events.append(stream, head, [erased]);
      const owner = { tenantId: 'default', sessionId };
      if (step === 'its key is gone') await app.ports.eraser.erase(owner, Date.now());
      app = await app.restarted();
      worker.http = app.http;
      const giveUpAtMs = performance.now() + 60_000;
      for (;;) {
        const { status } = (await app.http.get<{ status: string }>(worker.path())).body;
        if (status === 'erased') break;
        expect(status).toBe('erasing');
        expect(performance.now()).toBeLessThan(giveUpAtMs);
        await pause(200);
      }
      expect((await app.ports.eraser.erasedAfter(0)).at(-1)).toMatchObject(owner);
      expect(await app.ports.eraser.erase(owner, Date.now())).toBe(0);
      expectProblem(await app.http.get(worker.path('/context')), 410, 'session_erased');
    },
  );

  it('needs a scope that other roles do not have', async () => {
    const worker = new SessionWorker(app.http);
    await worker.start();
    const made = await app.http.post<{ key: string }>('/v1/keys', { name: 'w', roles: ['writer'] });
    const body = { reason: 'other' };
    const { key } = made.body;
    const refused = await app.http.send('POST', worker.path('/erase'), { body, key });
    expectProblem(refused, 403, 'forbidden');
  });
});
