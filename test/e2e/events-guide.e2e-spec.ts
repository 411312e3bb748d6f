import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { HEARTBEAT_MS } from '../../src/api/rest/feed-stream.js';
import { AHEAD_BYTES } from '../../src/history/event-feed.js';
import { FEEDS_OPEN_MAX, FEED_OPEN_MS_MAX } from '../../src/history/feed-slots.js';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { SessionWorker } from '../support/session-worker.js';

jest.setTimeout(120_000);

const GUIDE = readFileSync(join(import.meta.dirname, '../../docs/guides/events.md'), 'utf8');
const run = promisify(execFile);

let app: AppInProcess;
beforeAll(async () => {
  app = await startApp();
});
afterAll(async () => {
  await app.close();
  app.folder.remove();
});

/** What each command of the guide answers; a live feed is listened to for two seconds. */
async function typed(session: string): Promise<readonly string[]> {
  const env = { ...process.env, URL: app.url, KEY: app.http.key, SESSION: session };
  const answers: string[] = [];
  for (const [, script] of GUIDE.matchAll(/```bash\n(.*?)```/gs)) {
    for (const command of script!.trim().split(/\n(?=curl)/)) {
      const bounded = command
        .replace('curl -sN', 'curl -sN --max-time 2')
        .replace('> events.ndjson', '');
      const ended = `${bounded} || [ $? -eq 28 ]`;
      answers.push((await run('bash', ['-c', ended], { env })).stdout);
    }
  }
  return answers;
}

describe('the guide to the events feed', () => {
  it('has examples that work as they stand', async () => {
    const worker = new SessionWorker(app.http);
    await worker.start();
    await worker.input('Pay the invoice.');
    await worker.claim();
    await worker.complete();
    const events = await worker.events();
    const [page, lines, live, tenantPage, filtered, filteredLive] = await typed(worker.sessionId);
    expect(JSON.parse(page!)).toMatchObject({ events });
    expect(lines!.trim().split('\n')).toHaveLength(events.length);
    for (const one of ['retry: 2000', 'id: 0\nevent: SessionStarted', 'event: caughtUp']) {
      expect(live).toContain(one);
      expect(GUIDE).toContain(one);
    }
    const all = { events: events.map(({ eventId }) => ({ eventId })), caughtUp: true };
    expect(JSON.parse(tenantPage!)).toMatchObject(all);
    expect(filtered).toBe('');
    expect(filteredLive).toContain('event: RunCompleted');
    expect(filteredLive).not.toContain('SessionStarted');
  });

  it('names the limits that hold', () => {
    expect(GUIDE).toContain(`at most ${FEEDS_OPEN_MAX} feeds`);
    expect(GUIDE).toContain(`alone ${FEEDS_OPEN_MAX / 2}`);
    expect(GUIDE).toContain(`after ${FEED_OPEN_MS_MAX / 60_000} minutes`);
    expect(GUIDE).toContain(`Every ${HEARTBEAT_MS / 1_000} seconds`);
    expect(GUIDE).toContain(`about ${AHEAD_BYTES / 1_024} KiB`);
  });
});
