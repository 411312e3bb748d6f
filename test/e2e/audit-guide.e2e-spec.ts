import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { SCANNED_EVENTS_MAX } from '../../src/audit/audit-log.js';
import { VERSIONS_APART_MAX } from '../../src/audit/compare-versions.js';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { SessionWorker } from '../support/session-worker.js';

jest.setTimeout(60_000);

const GUIDE = readFileSync(join(import.meta.dirname, '../../docs/guides/audit.md'), 'utf8');
const run = promisify(execFile);

let app: AppInProcess;
beforeAll(async () => {
  app = await startApp();
});
afterAll(async () => {
  await app.close();
  app.folder.remove();
});

/** What each command of the guide answers, typed by an auditor. */
async function typed(session: string): Promise<readonly string[]> {
  const body = { name: 'auditor', roles: ['auditor'] };
  const { key } = (await app.http.post<{ key: string }>('/v1/keys', body)).body;
  const env = { ...process.env, URL: app.url, KEY: key, SESSION: session, VERSION: '2' };
  const answers: string[] = [];
  for (const [, script] of GUIDE.matchAll(/```bash\n(.*?)```/gs)) {
    for (const command of script!.trim().split('\n')) {
      const options = { env, cwd: app.folder.path };
      answers.push((await run('bash', ['-c', command], options)).stdout);
    }
  }
  return answers;
}

describe('the guide to audits', () => {
  it('has examples that work as they stand', async () => {
    const worker = new SessionWorker(app.http);
    await worker.start({ labels: { team: 'refunds' } });
    await worker.input('Pay the invoice.');
    await worker.claim();
    await worker.complete();
    const [state, context, facts, cost, changes, ...rest] = await typed(worker.sessionId);
    const [all, trail, claims, decisions, , manifest, hash] = rest;
    expect(JSON.parse(state!)).toMatchObject({ revision: 2, status: 'owned' });
    expect(JSON.parse(context!)).toMatchObject({ inputRevision: 2 });
    expect(JSON.parse(facts!)).toEqual({ facts: [] });
    expect(JSON.parse(cost!)).toMatchObject({ own: { calls: 0 } });
    expect(JSON.parse(changes!)).toMatchObject({ from: 0, to: 2, events: { count: 2 } });
    const typesIn = (answer: string | undefined) =>
      (JSON.parse(answer!) as { entries: { type: string }[] }).entries.map(({ type }) => type);
    expect(typesIn(all)).toContain('RunCompleted');
    expect(typesIn(trail)).toContain('AccessKeyAdded');
    expect(typesIn(trail)).not.toContain('RunCompleted');
    expect(new Set(typesIn(claims))).toEqual(new Set(['RunClaimed', 'InputDelivered']));
    expect(typesIn(decisions)).toEqual([]);
    const exported = JSON.parse(manifest!) as { manifest: { files: { sha256: string }[] } };
    expect(hash).toContain(exported.manifest.files[0]!.sha256);
  });

  it('names the limits that hold', () => {
    expect(GUIDE).toContain(`At most ${VERSIONS_APART_MAX} events`);
    expect(GUIDE).toContain(`no more\nthan ${SCANNED_EVENTS_MAX} events`);
  });
});
