import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTick } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { sessionStream } from '../../src/identity/derived-ids.js';
import { openStorage } from '../../src/storage/open-storage.js';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { startNode } from '../support/child-process.js';
import { type Environment, commandLineWith } from '../support/command-line.js';
import { importOutside } from '../support/import-outside.js';
import { copyOfKeys } from '../support/stored-data.js';
import { storesEnvironment } from '../support/stores-under-test.js';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.js';

jest.setTimeout(180_000);

const { default: nodeProcess } = await importOutside<{ default: NodeJS.Process }>('node:process');
const PROGRAM = join(import.meta.dirname, '../../bin/holdfast.mjs');
const SAMPLES = join(import.meta.dirname, '../samples/claude-code');
/** Sixteen reports of progress, and so many places at which it can end. */
const LARGE = join(SAMPLES, 'real-4mb-compacted.jsonl');
const WITH_CHILDREN = join(SAMPLES, 'real-inline-sidechain.jsonl');

let app: AppInProcess;
let exported: string;
beforeAll(async () => {
  app = await startApp();
  exported = join(app.folder.path, 'export');
});
afterAll(() => app.folder.remove());
const holdfast = commandLineWith(() => app.environment);

/** Does what Ctrl-C does to a command that runs in this process, as soon as it is so far. */
async function interruptWhen(isSoFar: () => boolean | Promise<boolean>): Promise<void> {
  const before = nodeProcess.listeners('SIGINT');
  for (;;) {
    const own = nodeProcess.listeners('SIGINT').filter((one) => !before.includes(one));
    if (own.length > 0 && (await isSoFar())) return own.forEach((listen) => listen('SIGINT'));
    await nextTick();
  }
}

describe('an import of a log that is interrupted', () => {
  it('says how far it came and how to go on; what is in stays, and nothing comes twice', async () => {
    const { events } = app.ports;
    const begun = await events.headPosition();
    const child = startNode(PROGRAM, ['import', 'claude-code', LARGE], app.environment);
    while ((await events.headPosition()) === begun) await nextTick();
    child.process.kill('SIGINT');
    const { exitCode, stdout, stderr } = await child.ended;
    expect([exitCode, stdout]).toEqual([130, '']);
    expect(stderr).toMatch(
      /^holdfast: interrupted at \d\d?% \(0 of 1 logs\); what is in stays; the same command goes on with the rest$/m,
    );
    const again = await holdfast('import', 'claude-code', LARGE, '--json');
    const report = JSON.parse(again.stdout) as { sessionId: string; events_appended: number };
    const stream = sessionStream('default', report.sessionId);
    const head = Number(await events.head(stream));
    expect(report.events_appended).toBeLessThan(head + 1);
    const third = await holdfast('import', 'claude-code', LARGE, '--json');
    expect(JSON.parse(third.stdout)).toMatchObject({ events_appended: 0 });

    const whole = await startApp();
    const fresh = commandLineWith(() => whole.environment);
    await fresh('import', 'claude-code', LARGE);
    const idsIn = async ({ ports }: AppInProcess) => {
      const ids: string[] = [];
      for (let from = 0; from <= head; from += 500) {
        const page = await ports.events.read(stream, { from, maxCount: 500 });
        ids.push(...page.map(({ eventId }) => eventId));
      }
      return ids;
    };
    expect(await idsIn(app)).toEqual(await idsIn(whole));
    await whole.close();
    whole.folder.remove();
  });

  it('which is told twice ends at once', async () => {
    const child = startNode(PROGRAM, ['import', 'claude-code', LARGE], app.environment);
    let isRunning = true;
    void child.ended.then(() => (isRunning = false));
    while (isRunning) {
      child.process.kill('SIGTERM');
      await nextTick();
    }
    const { exitCode, signal } = await child.ended;
    expect(exitCode === 143 || signal === 'SIGTERM').toBe(true);
  });
});

it('an import shows the sessions of subagents below the log that has them', async () => {
  const { stdout } = await holdfast('import', 'auto', WITH_CHILDREN);
  const [head, log, ...children] = stdout.trimEnd().split('\n');
  expect(head).toMatch(/^SESSION .*LOG$/);
  const [sessionId] = log!.split(/\s+/);
  expect(children.length).toBeGreaterThan(0);
  for (const row of children) {
    expect(row).toMatch(/^ {2}\S+ +a subagent of \S+, \d+ new events?$/);
    expect(row).toContain(`a subagent of ${sessionId}`);
  }
});

describe('a move that is interrupted', () => {
  async function keysFrom(from: TemporaryFolder, to: TemporaryFolder): Promise<Environment> {
    await (await copyOfKeys(from)).restore(to);
    return {
      HOLDFAST_DATA_DIR: join(to.path, 'data'),
      HOLDFAST_PORT: '0',
      ...(await storesEnvironment(to.path)),
    };
  }

  it('leaves no export where the export was not finished, and begins anew', async () => {
    await app.close();
    const isBegun = () => existsSync(join(exported, 'events.ndjson.unfinished'));
    const [ended] = await Promise.all([holdfast('export', exported), interruptWhen(isBegun)]);
    expect([ended.exitCode, ended.stderr]).toEqual([
      130,
      expect.stringMatching(
        /^holdfast: interrupted at \d+% .*the folder holds no export; the same command begins anew$/m,
      ),
    ]);
    const refused = await holdfast('import', 'holdfast', exported);
    expect(refused.stderr).toContain('there is no export in');
    expect((await holdfast('export', exported)).exitCode).toBe(0);
  });

  it('goes on where the import was, and needs not wait for its lease', async () => {
    const elsewhere = temporaryFolder();
    const environment = await keysFrom(app.folder, elsewhere);
    const there = commandLineWith(() => environment);
    const watched = await openStorage({
      dataDir: join(elsewhere.path, 'data'),
      keysDir: join(elsewhere.path, 'data-keys'),
      eventStoreUrl: environment['HOLDFAST_EVENTSTORE_URL'],
      mongodbUrl: environment['HOLDFAST_MONGODB_URL'],
    });
    const isBegun = async () => (await watched.sealedEvents.headPosition()) > 0n;
    const [ended] = await Promise.all([
      there('import', 'holdfast', exported),
      interruptWhen(isBegun),
    ]);
    expect([ended.exitCode, ended.stderr]).toEqual([
      130,
      expect.stringMatching(
        /^holdfast: interrupted at \d\d?% .*what is in stays; the same command goes on with the rest$/m,
      ),
    ]);
    const again = await there('import', 'holdfast', exported, '--json');
    const report = JSON.parse(again.stdout) as { events: number; written: number };
    expect(report.written).toBeGreaterThan(0);
    expect(report.written).toBeLessThan(report.events);
    await watched.close();
    elsewhere.remove();
  });
});
