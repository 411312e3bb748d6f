import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { ALL, SECRETS, canaries, leaked } from '../support/canary-secrets.js';
import { commandLineWith } from '../support/command-line.js';
import { ANTHROPIC_MODEL } from '../support/provider-answers.js';
import { SessionWorker } from '../support/session-worker.js';

jest.setTimeout(60_000);

let app: AppInProcess;
beforeAll(async () => {
  app = await startApp();
});
afterAll(async () => {
  await app.close();
  app.folder.remove();
});

describe('what was stored before there were rules', () => {
  it('is masked where it leaves the store, if that is asked for; the log stays as it is', async () => {
    const open = await startApp({ environment: { HOLDFAST_REDACTION: 'off' } });
    const other = new SessionWorker(open.http);
    await other.start();
    await other.input(ALL);
    await other.claim();
    const texts = async (query: string, body: object) => [
      (await open.http.get(other.path(`/events${query}`))).text,
      (await open.http.get(`/v1/events${query}`)).text,
      (await open.http.get(`/v1/events${query}`, { headers: { Accept: 'application/x-ndjson' } }))
        .text,
      (await open.http.send('POST', '/v1/audit/exports', { body })).text,
    ];
    const leaks = (all: readonly string[]) => all.map((text) => leaked(text).length);
    expect(leaks(await texts('?redact=true', { redact: true }))).toEqual([0, 0, 0, 0]);
    const commandLine = commandLineWith(() => open.environment);
    const replayed = await commandLine('replay', other.sessionId, '--redact');
    expect([replayed.exitCode, leaked(replayed.stdout)]).toEqual([0, []]);
    expect(replayed.stdout).toContain('[redacted:anthropic:1]');
    expect(leaks(await texts('', {})).every((count) => count === SECRETS.length)).toBe(true);
    await open.close();
    open.folder.remove();
  });
});

describe('an imported log', () => {
  it('has no secret in its events, nor in the raw records that they are made of', async () => {
    const folder = join(app.folder.path, 'logs');
    mkdirSync(folder);
    const sessionId = '0a1b2c3d-4e5f-4061-8071-2a3b4c5d6e7f';
    const line = (uuid: string, parentUuid: string | null, more: object) =>
      JSON.stringify({
        uuid,
        parentUuid,
        sessionId,
        timestamp: '2026-01-05T09:00:00.000Z',
        version: '2.0.0',
        ...more,
      });
    const user = { role: 'user', content: `Use ${ALL}` };
    const assistant = {
      role: 'assistant',
      model: ANTHROPIC_MODEL,
      content: [{ type: 'text', text: ALL }],
    };
    writeFileSync(
      join(folder, `${sessionId}.jsonl`),
      `${line('u1', null, { type: 'user', message: user })}\n${line('a1', 'u1', { type: 'assistant', message: assistant })}\n`,
    );
    const commandLine = commandLineWith(() => app.environment);
    const imported = await commandLine('import', 'auto', folder, '--json');
    expect(imported.exitCode).toBe(0);
    const { sessionId: importedId } = JSON.parse(imported.stdout) as { sessionId: string };
    const other = new SessionWorker(app.http, importedId);
    const events = await other.events();
    const text = JSON.stringify(events);
    expect(text).toContain('[redacted:anthropic:1]');
    const [raw] = [...text.matchAll(/"hash":"([0-9a-f]{64})"/g)].map(([, hash]) => hash);
    const bytes = await app.http.get(other.path(`/artifacts/${raw}`));
    expect(bytes.text).toContain('****');
    expect(leaked(bytes.text + text)).toEqual([]);
  });
});

describe('who looks after it', () => {
  it('sees how many of which kind, where, and in which sessions', async () => {
    const worker = new SessionWorker(app.http);
    await worker.start();
    const receipt = await worker.input(canaries[0]!.text);
    expect(receipt).toMatchObject({ redactions: 1 });
    const counted = await app.http.get<string>('/metrics');
    expect(counted.text).toMatch(/holdfast_redactions_total\{rule="anthropic",masked="yes"\} \d+/);
    const listed = await app.http.get<{
      sessions: { sessionId: string; redactions: Record<string, number> }[];
    }>(`/v1/sessions?atLeast=${receipt.position}`);
    const own = listed.body.sessions.find(({ sessionId }) => sessionId === worker.sessionId);
    expect(own!.redactions).toEqual({ anthropic: 1 });
    const audit = await app.http.get<{ entries: { redactions: object[] }[] }>(
      `/v1/audit?redacted=true&sessions=${worker.sessionId}&first=200`,
    );
    expect(audit.body.entries.at(-1)!.redactions).toEqual([
      { path: '/content/0/text', rule: 'anthropic' },
    ]);
  });
});

describe("what a tenant's patterns had no time for", () => {
  it('is in no event and no context, and in an artifact that the event names', async () => {
    let now = Date.parse('2026-01-05T09:00:00Z');
    const slow = await startApp({ clock: () => (now += 30) });
    const patterns = [{ name: 'employee', pattern: 'EMP-[0-9]{6}' }];
    await slow.http.send('PUT', '/v1/redaction', { body: { patterns } });
    const other = new SessionWorker(slow.http);
    await other.start();
    const texts = ['first words', 'second words', 'third words', 'EMP-123456 of the fourth'];
    await other.input(texts.map((text) => ({ type: 'text', text })));
    const events = JSON.stringify(await other.events());
    const [, hash] = /\[redacted:overflow:([0-9a-f]{64}):\d\]/.exec(events) ?? [];
    expect(events).not.toContain('EMP-123456');
    const kept = [...events.matchAll(/overflow:([0-9a-f]{64})/g)].map(([, one]) => one);
    const contents = await Promise.all(
      kept.map(async (one) => (await slow.http.get(other.path(`/artifacts/${one}`))).text),
    );
    expect(contents).toContain('EMP-123456 of the fourth');
    expect(hash).toBe(kept[0]);
    await slow.close();
    slow.folder.remove();
  });
});
