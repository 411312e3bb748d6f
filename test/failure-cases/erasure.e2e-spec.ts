import { cpSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { failureCase } from '../context/failure-case-stream.js';
import type { EventPageBody, ReceiptBody } from '../support/api-views.js';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { expectProblem } from '../support/expect-problem.js';
import { ANTHROPIC_MODEL, anthropicAnswer } from '../support/provider-answers.js';
import { readAtHead } from '../support/read-at-head.js';
import { SessionWorker } from '../support/session-worker.js';

jest.setTimeout(120_000);

interface GivenResult {
  readonly type: string;
  readonly text?: string;
}

const RESULT = (failureCase('fc-30').given.history as readonly GivenResult[]).find(
  ({ type }) => type === 'ToolResultRecorded',
)!.text!;
const SECRET = RESULT.split('=')[1]!;
const MODEL = { provider: 'anthropic', model: ANTHROPIC_MODEL };

let app: AppInProcess;
let eraser: string;
let s1: SessionWorker;
let f1: SessionWorker;
let before: readonly EventPageBody['events'][number][];
let costBefore: object;

/** Secrets are stored as they come, so that there is something to hide and to erase. */
beforeAll(async () => {
  app = await startApp({ environment: { HOLDFAST_REDACTION: 'off' } });
  const made = await app.http.post<{ key: string }>('/v1/keys', { name: 'e', roles: ['eraser'] });
  eraser = made.body.key;
  s1 = new SessionWorker(app.http, 's1');
  await s1.start();
  await s1.input('Show the environment.');
  await s1.claim();
  const answer = anthropicAnswer('', [{ id: 'c1', name: 'shell', input: { command: 'env' } }]);
  const thinking = { type: 'thinking', thinking: 'step', signature: 'sig-1' };
  const [call] = await s1.turn({ ...answer, content: [thinking, ...answer.content] }, MODEL);
  await s1.permit(call!.callId);
  await s1.result(call!.callId, RESULT);
  await s1.turn(anthropicAnswer('That is all.'), MODEL);
  await s1.complete();
  const { sessionId } = await s1.ok<ReceiptBody>('POST', s1.path('/forks'), { forkId: 'f1' });
  f1 = new SessionWorker(app.http, sessionId, 'worker-of-the-fork');
  before = await s1.events();
});
afterAll(async () => {
  await app.close();
  app.folder.remove();
});

function erase(body: object) {
  return app.http.send<{ status: string }>('POST', s1.path('/erase'), {
    body: { reason: 'dataSubject', ...body },
    key: eraser,
  });
}

async function cost(): Promise<object> {
  const { asOf: _now, ...sum } = await readAtHead<{ asOf: object }>(app, s1.path('/cost'));
  return sum;
}

function filesWithSecret(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file).includes(SECRET));
}

describe('a secret that a tool has printed', () => {
  it('fc-30.1: is masked in an export that asks for it, and the signature stays as it is', async () => {
    const exported = async (redact: boolean) =>
      (await app.http.post('/v1/audit/exports', { sessions: ['s1'], redact })).text;
    expect(await exported(false)).toContain(SECRET);
    const masked = await exported(true);
    expect(masked).not.toContain(SECRET);
    expect(masked).toContain('[redacted:');
    expect(masked).toContain('"sig-1"');
    expect(await s1.events()).toEqual(before);
  });

  it('fc-30.4: its session is not erased under a fork that needs it, and the answer names the fork', async () => {
    const refused = await erase({});
    expectProblem(refused, 409, 'has_descendants');
    expect(refused.text).toContain(f1.sessionId);
    expect(JSON.stringify((await f1.context()).messages)).toContain(RESULT);
    await f1.input('And now?');
    await f1.claim();
    await f1.turn(anthropicAnswer('Now this.'), MODEL);
    costBefore = await cost();
  });

  it('fc-30.2: no byte can be turned into it again after the erasure, nor in an older copy of the files', async () => {
    const copy = join(app.folder.path, 'copy');
    cpSync(join(app.folder.path, 'data'), copy, { recursive: true });
    expect((await erase({ descendants: 'erase' })).body.status).toBe('done');
    expect(filesWithSecret(app.folder.path)).toEqual([]);
    const environment = {
      HOLDFAST_DATA_DIR: copy,
      HOLDFAST_KEYS_DIR: join(app.folder.path, 'data-keys'),
    };
    const old = await startApp({ folder: app.folder, environment });
    for (const server of [app, old]) {
      for (const path of ['s1/events?first=100', 'f1/events?first=100', 's1/messages']) {
        const { text } = await server.http.get(`/v1/sessions/${path}`);
        expect(text).not.toContain(SECRET);
      }
      const { text } = await server.http.post('/v1/audit/exports', {});
      expect([text.includes('ToolResultRecorded'), text.includes(SECRET)]).toEqual([true, false]);
    }
    await old.close();
  });

  it('fc-30.3: ids, times, counts and cost of the session are still there', async () => {
    const events = await s1.events();
    const kept = ({ eventId, type, recordedAt, revision }: (typeof events)[number]) => ({
      eventId,
      type,
      recordedAt,
      revision,
    });
    expect(events.slice(0, before.length).map(kept)).toEqual(before.map(kept));
    const { entries } = await s1.ok<{ entries: readonly { type: string; at: string }[] }>(
      'GET',
      '/v1/audit?sessions=s1&first=100',
    );
    expect(entries.map(({ type, at }) => [type, at])).toEqual(
      events.map(({ type, recordedAt }) => [type, recordedAt]),
    );
    expect((await s1.read()).counters).toMatchObject({ inputs: 1, modelCalls: 2, toolCalls: 1 });
    expect(await cost()).toEqual(costBefore);
  });
});
