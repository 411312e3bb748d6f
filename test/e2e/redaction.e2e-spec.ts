import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { readArtifact } from '../../src/storage/artifact-store.js';
import { ALL, SECRETS, canaries, leaked } from '../support/canary-secrets.js';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { importOutside } from '../support/import-outside.js';
import { ANTHROPIC_MODEL, anthropicAnswer } from '../support/provider-answers.js';
import { SessionWorker } from '../support/session-worker.js';
import { storedBytes } from '../support/stored-data.js';

jest.setTimeout(120_000);

// The built server logs to Node's own process; the tests' `process` is a copy of it.
const { default: nodeProcess } = await importOutside<{ default: NodeJS.Process }>('node:process');

const MODEL = { provider: 'anthropic', model: ANTHROPIC_MODEL };
/** Short enough for a field of 256 characters. */
const SHORT = canaries.filter(({ text }) => text.length <= 200);

let app: AppInProcess;
let worker: SessionWorker;
let callId: string;
let repeated: object;
/** Everything that the server answered or logged. */
const said: string[] = [];
/** Hashes of artifacts that no event names. */
const uploaded: string[] = [];
const HASH = /(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/g;
const input = { inputId: 'input-1', content: `Use these: ${ALL}` };
const result = { content: `I found ${ALL}`, details: { env: ALL }, externalRef: SHORT[0]!.text };

async function sent(method: string, path: string, body?: unknown, headers = {}): Promise<number> {
  const answer = await app.http.send(method, path, { body, headers });
  said.push(answer.text);
  return answer.status;
}

async function everythingIsTold(): Promise<void> {
  worker = new SessionWorker(app.http);
  await worker.start({ title: SHORT[1]!.text, labels: { note: SHORT[2]!.text } });
  await worker.ok('POST', worker.path('/inputs'), input);
  await worker.input([
    {
      type: 'document',
      mediaType: 'text/plain',
      base64: Buffer.from(ALL.repeat(3)).toString('base64'),
    },
  ]);
  await worker.claim();
  const answer = anthropicAnswer(`I say ${ALL}`, [
    { id: 'toolu_1', name: 'look', input: { env: ALL, [SHORT[3]!.secret]: 1 } },
  ]);
  const thinking = { type: 'thinking', thinking: ALL, signature: 'c2lnbmVk' };
  const [call] = await worker.turn({ ...answer, content: [thinking, ...answer.content] }, MODEL);
  callId = call!.callId;
  await worker.permit(callId);
  const progress = { externalRef: SHORT[4]!.text, note: ALL.slice(0, 4_000) };
  await worker.post(`/tool-calls/${callId}/progress`, progress);
  await worker.result(callId, result.content, result);
  repeated = await worker.post(`/tool-calls/${callId}/result`, result);
  const facts = { facts: [{ factId: 'f1', kind: 'note', text: SHORT[5]!.text }] };
  await sent('POST', worker.path('/facts'), facts, { 'Idempotency-Key': 'facts-1' });
  const [unknown] = await worker.turn(
    anthropicAnswer('', [{ id: 'toolu_2', name: 'pay', input: { big: ALL.repeat(60) } }]),
    MODEL,
  );
  await worker.permit(unknown!.callId);
  await worker.post(`/tool-calls/${unknown!.callId}/unknown`, { reason: 'transport' });
  const evidence = { method: 'GET', target: SHORT[6]!.text, excerpt: ALL.slice(0, 2_000) };
  const at = new Date().toISOString();
  const probe = { answer: 'unclear', requestedAt: at, evidence: { ...evidence, observedAt: at } };
  await sent('POST', worker.path(`/tool-calls/${unknown!.callId}/probes`), probe);
  for (const [type, bytes] of [
    ['text/plain', Buffer.from(ALL)],
    ['application/json', Buffer.from(JSON.stringify({ ALL }))],
  ] as const) {
    const path = worker.path(`/artifacts?mediaType=${encodeURIComponent(type)}`);
    const headers = { 'Content-Type': 'application/octet-stream' };
    const { status, text, body } = await app.http.send<{ hash: string }>('POST', path, {
      raw: bytes,
      headers,
    });
    said.push(text);
    uploaded.push(body.hash);
    expect(status).toBeLessThan(300);
  }
  await sent('POST', worker.path('/context'), { instructions: `You may use ${ALL}` });
  await worker.post(`/runs/${worker.runId}/fail`, { errorClass: 'Crash', message: ALL });
}

/** Requests that are wrong, and have secrets where they are wrong. */
async function wrongRequests(): Promise<void> {
  for (const { secret, text } of SHORT) {
    // Without what stands around it, nobody could tell some of them.
    const name = secret === text ? secret : 'field';
    await sent('POST', worker.path('/inputs'), { [name]: 1, content: text, delivery: text });
    if (/^[\w.-]+$/.test(name)) await sent('GET', `/v1/sessions/${name}`);
    await sent('GET', `/v1/sessions?status=${encodeURIComponent(text)}`, undefined, {
      'X-Api-Key': secret.replaceAll('\n', ' '),
    });
  }
}

beforeAll(async () => {
  app = await startApp({ environment: { HOLDFAST_LOG_LEVEL: 'debug' } });
  for (const stream of [nodeProcess.stdout, nodeProcess.stderr]) {
    jest.spyOn(stream, 'write').mockImplementation((text) => {
      said.push(String(text));
      return true;
    });
  }
  await everythingIsTold();
  await wrongRequests();
});
afterAll(async () => {
  jest.restoreAllMocks();
  await app.close();
  app.folder.remove();
});

describe('secrets of 71 kinds in everything that a session can hold', () => {
  it('stand in no answer, no log line and no wrong answer', async () => {
    for (const path of ['', '/events?first=200', '/messages', '/context', '/facts', '/changes']) {
      expect([path, await sent('GET', worker.path(path))]).toEqual([path, 200]);
    }
    for (const path of ['/v1/sessions', '/v1/events', '/v1/audit', '/v1/reconciliations']) {
      expect([path, await sent('GET', path)]).toEqual([path, 200]);
    }
    expect(await sent('POST', '/v1/audit/exports', {})).toBe(200);
    expect(said.length).toBeGreaterThan(300);
    expect(said.filter((text) => leaked(text).length > 0)).toEqual([]);
  });

  it('stand in no byte of what is stored: events, WAL, read models, snapshots, artifacts', async () => {
    const { position } = await worker.input('One more.');
    await app.http.get(`/v1/sessions?atLeast=${position}`);
    const stored = await storedBytes(app.folder);
    expect(stored.length).toBeGreaterThan(5);
    const found = stored.flatMap(({ place, bytes }) =>
      leaked(bytes).map((secret) => [place, secret]),
    );
    expect(found).toEqual([]);
  });

  it('stand in no event and no artifact, as who has the keys reads them', async () => {
    const texts: string[] = [];
    for (let after = 0n; ;) {
      const page = await app.ports.events.readAll(after, 100);
      texts.push(...page.events.map(({ data, metadata }) => data + metadata));
      if (page.caughtUp) break;
      after = page.next;
    }
    const owner = { tenantId: 'default', sessionId: worker.sessionId };
    const named = texts.flatMap((text) => [...text.matchAll(HASH)].map(([hash]) => hash));
    let artifacts = 0;
    for (const hash of new Set([...named, ...uploaded])) {
      const bytes = await readArtifact(app.ports.artifacts, owner, hash);
      if (bytes === undefined) continue;
      artifacts += 1;
      texts.push(bytes.toString('utf8'));
    }
    expect(artifacts).toBeGreaterThan(3);
    expect(texts.filter((text) => leaked(text).length > 0)).toEqual([]);
  });

  it('are marked where they stood, counted, and named by no more than a hash', async () => {
    const events = await worker.events();
    const text = JSON.stringify(events);
    for (const { rule } of canaries)
      expect([rule, text.includes(`[redacted:${rule}:`)]).toEqual([rule, true]);
    const stored = await app.ports.events.read(`session-default.${worker.sessionId}`, {
      from: 0,
      maxCount: 100,
    });
    const accepted = stored.find(({ type }) => type === 'InputAccepted')!;
    const { redactions } = JSON.parse(accepted.metadata) as {
      redactions: { path: string; rule: string; hmac: string }[];
    };
    expect(redactions[0]).toMatchObject({ path: '/content/0/text', rule: 'anthropic' });
    const recorded = stored.find(({ type }) => type === 'ToolResultRecorded')!;
    expect(recorded.metadata).toContain(redactions[0]!.hmac);
  });

  it('do not make a repeated report another one: the raw content is what is compared', async () => {
    const path = worker.path('/inputs');
    const again = await app.http.post<{ replayed: boolean; payloadDiffers: boolean }>(path, input);
    expect(again.body).toMatchObject({ replayed: true, payloadDiffers: false });
    expect(repeated).toMatchObject({ replayed: true, payloadDiffers: false });
    const latePath = worker.path(`/tool-calls/${callId}/late-result`);
    const late = { ...result, content: `${result.content}!`, claimedEpoch: worker.owner.epoch };
    expect((await app.http.post(latePath, late)).status).toBe(409);
  });

  it('leave the same model input before and after a restart', async () => {
    const live = await worker.context({ format: 'anthropic' });
    app = await app.restarted();
    worker = new SessionWorker(app.http, worker.sessionId);
    const restored = await worker.context({ format: 'anthropic' });
    expect(restored.messages).toEqual(live.messages);
    expect(restored.contentHash).toBe(live.contentHash);
    expect(leaked(JSON.stringify(live))).toEqual([]);
  });
});

describe("a tenant's own patterns", () => {
  const EMPLOYEE = { name: 'employee', pattern: 'emp-[0-9]{6}', ignoreCase: true };
  const put = (body: object) => app.http.send('PUT', '/v1/redaction', { body });

  it('hold from the next request on, and can be read', async () => {
    const policy = { entropy: 'mask', patterns: [EMPLOYEE] };
    expect((await put(policy)).status).toBe(204);
    const { body } = await app.http.get<{ knownRules: string[] }>('/v1/redaction');
    expect(body).toMatchObject(policy);
    expect(body.knownRules).toContain('private-key');
    const other = new SessionWorker(app.http);
    await other.start();
    await other.input('EMP-123456 has password = "q8Zr1mVx0LtY7uBn3KcW5sDf"');
    const text = JSON.stringify(await other.events());
    expect(text).toContain('[redacted:employee:2] has password = ');
    expect(text).toContain('[redacted:entropy:1]');
    expect((await put({ patterns: [] })).status).toBe(204);
    await other.input('EMP-654321');
    expect(JSON.stringify(await other.events())).toContain('EMP-654321');
  });

  it('are refused where they could take long, match everything, or have a built-in name', async () => {
    for (const wrong of [
      { ...EMPLOYEE, pattern: '(a+)\\1' },
      { ...EMPLOYEE, pattern: '(?=a)b' },
      { ...EMPLOYEE, pattern: 'a*' },
      { ...EMPLOYEE, name: 'github' },
    ]) {
      const { status, text } = await put({ patterns: [wrong] });
      expect([wrong, status]).toEqual([wrong, 400]);
      expect(text).toMatch(/patterns\.0\.(pattern|name)|patterns/);
    }
  });
});

describe('a server with HOLDFAST_REDACTION=off', () => {
  it('stores what it gets', async () => {
    const open = await startApp({ environment: { HOLDFAST_REDACTION: 'off' } });
    const other = new SessionWorker(open.http);
    await other.start();
    await other.input(ALL);
    expect(leaked(JSON.stringify(await other.events()))).toHaveLength(SECRETS.length);
    await open.close();
    open.folder.remove();
  });
});
