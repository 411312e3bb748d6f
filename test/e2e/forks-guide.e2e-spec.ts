import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { EVENTS_COMPARED_MAX } from '../../src/history/compare-sessions.js';
import { FORK_DEPTH_MAX } from '../../src/domain/decide-session.js';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { anthropicAnswer } from '../support/provider-answers.js';
import { SessionWorker } from '../support/session-worker.js';

jest.setTimeout(120_000);

const GUIDE = readFileSync(join(import.meta.dirname, '../../docs/guides/forks.md'), 'utf8');
const run = promisify(execFile);

let app: AppInProcess;
beforeAll(async () => {
  app = await startApp();
});
afterAll(async () => {
  await app.close();
  app.folder.remove();
});

/** What a reader types, block by block, with what it answers. */
async function typed(session: string): Promise<readonly string[]> {
  const env = { ...process.env, URL: app.url, KEY: app.http.key, SESSION: session };
  const answers: string[] = [];
  for (const [, script] of GUIDE.matchAll(/```bash\n(.*?)```/gs)) {
    const { stdout } = await run('bash', ['-ec', script!], { env });
    answers.push(stdout);
  }
  return answers;
}

describe('the guide to forks', () => {
  it('has examples that work as they stand', async () => {
    const worker = new SessionWorker(app.http);
    await worker.start();
    await worker.input('Pay the invoice.');
    await worker.claim();
    await worker.turn(anthropicAnswer('Done.'), { provider: 'anthropic' });
    await worker.complete();
    const [forked, reverted, cleared, facts, compared] = await typed(worker.sessionId);
    expect(JSON.parse(forked!)).toMatchObject({ sessionId: 'fork-1', revision: 0 });
    expect(JSON.parse(reverted!)).toMatchObject({ to: { revision: 6 }, effects: [] });
    expect(JSON.parse(cleared!)).toMatchObject({ sessionId: worker.sessionId });
    expect(facts).toContain('"versions":[{"factId":"limit","version":1');
    expect(JSON.parse(compared!)).toMatchObject({ related: true, other: { items: [] } });
  });

  it('names the limits that hold', () => {
    expect(GUIDE).toContain(`up to ${FORK_DEPTH_MAX.toLocaleString('en')} deep`);
    expect(GUIDE).toContain(`at most ${EVENTS_COMPARED_MAX.toLocaleString('en')} events`);
  });
});
