import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { type ChangeableLog, type LogChange, changeableLog } from '../support/changed-log.js';
import { commandLineWith } from '../support/command-line.js';
import { expectProblem } from '../support/expect-problem.js';
import { SessionWorker } from '../support/session-worker.js';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.js';

jest.setTimeout(120_000);

describe('holdfast verify', () => {
  let folder: TemporaryFolder;
  let app: AppInProcess;
  let log: ChangeableLog;
  const copy = () => join(folder.path, 'copied.ndjson');
  const holdfast = commandLineWith(() => ({
    ...app.environment,
    HOLDFAST_LOG_LEVEL: 'silent',
  }));

  beforeAll(async () => {
    folder = temporaryFolder();
    const environment = { HOLDFAST_CHECKPOINT_COPY: copy() };
    app = await startApp({ folder, environment });
    for (const text of ['one', 'two', 'three']) {
      const worker = new SessionWorker(app.http, `session-${text}`);
      await worker.start();
      await worker.input(`This is ${text}.`);
      await worker.claim();
    }
    const body = { reason: 'other' };
    await app.http.post('/v1/sessions/session-three/erase', body);
    await app.close();
    log = await changeableLog(folder.path);
  });
  afterAll(() => folder.remove());

  it('finds everything as it was written, an erased session as well', async () => {
    const sessions = await holdfast('sessions', '--status', 'erased', '--json');
    expect(sessions.stdout).toContain('session-three');
    const verified = await holdfast('verify', '--json');
    expect(verified.exitCode).toBe(0);
    const found = JSON.parse(verified.stdout) as { events: number; uncovered: number };
    expect(found).toMatchObject({ checkpoints: 2, uncovered: 0 });
    expect(found.events).toBeGreaterThan(12);
    const elsewhere = await holdfast('verify', '--checkpoints', copy());
    expect([elsewhere.exitCode, elsewhere.stderr]).toEqual([
      0,
      expect.stringMatching(/^\d+ events as they were written, by 2 checkpoints; 0 of them/),
    ]);
  });

  it.each<LogChange>(['data', 'a time', 'an actor', 'a missing event', 'a name'])(
    'names the first place where somebody has changed the log: %s',
    async (what) => {
      log.change(what);
      const verified = await holdfast('verify');
      expect([verified.exitCode, verified.stderr]).toEqual([
        1,
        expect.stringMatching(/^Broken at /),
      ]);
      log.restore();
      expect((await holdfast('verify')).exitCode).toBe(0);
    },
  );

  it('does not believe checkpoints that somebody has changed', async () => {
    const file = join(folder.path, 'data-keys', 'checkpoints.ndjson');
    const sound = readFileSync(file, 'utf8');
    writeFileSync(file, sound.replace('"eventCount":', '"eventCount":1'));
    const verified = await holdfast('verify', '--json');
    expect([verified.exitCode, verified.stdout]).toEqual([
      1,
      expect.stringMatching(/is not signed/),
    ]);
    writeFileSync(file, '');
    appendFileSync(file, sound);
    expect((await holdfast('verify')).exitCode).toBe(0);
  });

  it('is not needed to refuse what was changed: it is not read', async () => {
    log.change('a time');
    app = await startApp({ folder });
    const read = await app.http.get('/v1/sessions/session-one/events');
    expect(expectProblem(read, 500, 'event_damaged').detail).toContain('holdfast verify');
    await app.close();
    log.restore();
  });
});
