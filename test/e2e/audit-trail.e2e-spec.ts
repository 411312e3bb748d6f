import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { AuditManifest } from '../../src/audit/export-audit.js';
import type { AuditEntries, AuditEntry } from '../../src/audit/read-audit.js';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { commandLineWith } from '../support/command-line.js';
import { ANTHROPIC_MODEL, anthropicAnswer } from '../support/provider-answers.js';
import { SessionWorker } from '../support/session-worker.js';

jest.setTimeout(60_000);

const SAID = 'the customer is called Winterbottom';

let app: AppInProcess;
let worker: SessionWorker;
let other: SessionWorker;
let auditor: string;
let reader: { key: string; keyId: string };
const commandLine = commandLineWith(() => app.environment);

beforeAll(async () => {
  app = await startApp();
  auditor = (await keyWith('auditor')).key;
  reader = await keyWith('reader');
  worker = new SessionWorker(app.http);
  await worker.start({ labels: { team: 'refunds' } });
  await worker.input(SAID);
  await worker.claim();
  const model = { provider: 'anthropic', model: ANTHROPIC_MODEL };
  await worker.turn(anthropicAnswer('I know.'), model);
  const taken = new SessionWorker(app.http, worker.sessionId, 'worker-2');
  await taken.claim({ force: true });
  await taken.complete();
  other = new SessionWorker(app.http);
  await other.start();
  await other.input('Hello.');
});
afterAll(async () => {
  await app.close();
  app.folder.remove();
});

async function keyWith(role: string): Promise<{ key: string; keyId: string }> {
  const body = { name: role, roles: [role] };
  return (await app.http.post<{ key: string; keyId: string }>('/v1/keys', body)).body;
}

async function entries(query = ''): Promise<readonly AuditEntry[]> {
  const found: AuditEntry[] = [];
  for (let after = '0'; ;) {
    const path = `/v1/audit?first=50&after=${after}${query}`;
    const { status, body } = await app.http.get<AuditEntries>(path, { key: auditor });
    expect([path, status]).toEqual([path, 200]);
    found.push(...body.entries);
    if (body.caughtUp) return found;
    after = body.next;
  }
}

const eventually = async (query: string, count: number): Promise<readonly AuditEntry[]> => {
  for (let tries = 0; ; tries += 1) {
    const found = await entries(query);
    if (found.length >= count || tries > 1_000) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};

describe('who did what', () => {
  it('is told across sessions and settings, in order, without what was said', async () => {
    const found = await entries();
    const positions = found.map(({ position }) => BigInt(position));
    expect(positions).toEqual([...positions].sort((a, b) => (a < b ? -1 : 1)));
    const types = found.map(({ type }) => type);
    for (const type of ['AccessKeyAdded', 'SessionStarted', 'RunClaimed', 'RunCompleted']) {
      expect(types).toContain(type);
    }
    expect(found[0]).toMatchObject({
      actor: 'local',
      command: 'AddAccessKey',
      details: { name: 'auditor', roles: ['auditor'] },
    });
    expect(JSON.stringify(found)).not.toMatch(/Winterbottom|secretHash|claimToken/);
  });

  it('is found by actor, command, type, session, label and time', async () => {
    const { sessionId } = worker;
    const sessionsIn = (found: readonly AuditEntry[]) => [
      ...new Set(found.map((entry) => entry.sessionId)),
    ];
    expect(sessionsIn(await entries(`&sessions=${sessionId}`))).toEqual([sessionId]);
    expect(sessionsIn(await entries('&label=team%3Drefunds'))).toEqual([sessionId]);
    const started = await entries('&types=SessionStarted');
    expect(sessionsIn(started)).toEqual([sessionId, other.sessionId]);
    const claims = await entries('&commands=ClaimRun&types=RunClaimed');
    expect(claims.map(({ details }) => details['workerId'])).toEqual(['worker-1', 'worker-2']);
    expect(await entries('&actor=user:nobody')).toEqual([]);
    const { at } = started[1]!;
    const since = await entries(`&since=${at}`);
    const until = await entries(`&until=${at}`);
    expect(since.every((entry) => entry.at >= at)).toBe(true);
    expect(until.length + since.length).toBe((await entries()).length);
    const far = await app.http.get<AuditEntries>(`/v1/audit?after=${'9'.repeat(19)}`, {
      key: auditor,
    });
    expect([far.status, far.body.entries, far.body.caughtUp]).toEqual([200, [], true]);
    const wrong = await app.http.get('/v1/audit?since=yesterday', { key: auditor });
    expect(wrong.status).toBe(400);
  });

  it('has what auditors look at first: keys, denials, claims by force', async () => {
    const path = `/v1/sessions/${worker.sessionId}/resume`;
    const sending = { key: reader.key, body: {} };
    for (let tries = 0; tries < 3; tries += 1) await app.http.send('POST', path, sending);
    const [denied] = await eventually('&types=AccessDenied', 1);
    expect(denied).toMatchObject({
      actor: `key:${reader.keyId}`,
      details: {
        reason: 'scopeMissing',
        operation: 'POST /v1/sessions/:sessionId/resume',
        sessionId: worker.sessionId,
        needed: ['session:resume', 'session:resume:own'],
        count: 1,
      },
    });
    const wrongKey = `${reader.key.slice(0, -4)}AAAA`;
    await app.http.get('/v1/sessions', { key: wrongKey });
    const wrong = (await eventually('&types=AccessDenied', 2))[1];
    expect(wrong).toMatchObject({ details: { reason: 'wrongSecret' } });
    const trail = await entries('&trail=true');
    expect(trail.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['AccessKeyAdded', 'AccessDenied', 'RunClaimed']),
    );
    const claims = trail.filter(({ type }) => type === 'RunClaimed');
    expect(claims).toMatchObject([{ details: { workerId: 'worker-2', forced: true } }]);
  });

  it('is for auditors only', async () => {
    expect((await app.http.get('/v1/audit', { key: reader.key })).status).toBe(403);
    const sending = { key: reader.key, body: {} };
    expect((await app.http.send('POST', '/v1/audit/exports', sending)).status).toBe(403);
  });
});

describe('an export', () => {
  it('holds the events with contents, and a manifest that proves it whole', async () => {
    const sending = { key: auditor, body: { sessions: [worker.sessionId] } };
    const { status, text } = await app.http.send('POST', '/v1/audit/exports', sending);
    expect(status).toBe(200);
    const lines = text.trimEnd().split('\n');
    const { manifest } = JSON.parse(lines.at(-1)!) as { manifest: AuditManifest };
    const events = `${lines.slice(0, -1).join('\n')}\n`;
    const { revision } = await worker.read();
    expect(manifest).toMatchObject({
      tenantId: 'default',
      events: lines.length - 1,
      sessions: [
        {
          sessionId: worker.sessionId,
          events: revision + 1,
          firstVersion: 0,
          lastVersion: revision,
        },
      ],
      files: [
        {
          name: 'events.ndjson',
          bytes: Buffer.byteLength(events),
          sha256: createHash('sha256').update(events).digest('hex'),
        },
      ],
    });
    expect(events).toContain(SAID);
    const recorded = await entries('&types=AuditExportStarted,AuditExported');
    expect(recorded.map(({ type, details }) => [type, details['exportId']])).toEqual([
      ['AuditExportStarted', manifest.exportId],
      ['AuditExported', manifest.exportId],
    ]);
    expect(recorded[0]!.actor).toBe(manifest.exportedBy);
  });

  it('is written into a folder by the command line, once, and recorded', async () => {
    const folder = join(app.folder.path, randomUUID());
    const said = await commandLine('audit', 'export', folder, '--session', worker.sessionId);
    expect([said.exitCode, said.stderr]).toEqual([0, expect.stringContaining('of 1 session')]);
    const manifest = JSON.parse(
      readFileSync(join(folder, 'manifest.json'), 'utf8'),
    ) as AuditManifest;
    const events = readFileSync(join(folder, 'events.ndjson'));
    expect(manifest.files[0]!.sha256).toBe(createHash('sha256').update(events).digest('hex'));
    expect((await commandLine('audit', 'export', folder)).exitCode).toBe(1);
    const listed = await commandLine('audit', 'list', '--type', 'AuditExported', '--json');
    expect(listed.stdout).toContain(manifest.exportId);
    const text = await commandLine('audit', 'list', '--trail', '--since', '2026-01-01');
    expect(text.stdout).toContain('AddAccessKey → AccessKeyAdded');
    expect((await commandLine('audit', 'list', '--since', 'soon')).exitCode).toBe(2);
  });
});
