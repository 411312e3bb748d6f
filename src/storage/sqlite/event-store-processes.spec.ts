import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startChild, startNode } from '../../../test/support/child-process.js';
import {
  type CompiledSources,
  compileForChildren,
} from '../../../test/support/compile-for-children.js';
import { wholeStream } from '../../../test/support/event-batches.js';
import { type TemporaryFolder, temporaryFolder } from '../../../test/support/temporary-folder.js';
import type { RecordedEvent } from '../event-store.js';
import { connectToFile } from './connection.js';
import { SqliteEventStore } from './sqlite-event-store.js';

const KILLS = 20;

interface AppendManyReport {
  readonly stream: string;
  readonly written: number;
  readonly errors: readonly string[];
  readonly commitCount: number;
}

describe('the event store on SQLite and its processes', () => {
  let compiled: CompiledSources;
  let folder: TemporaryFolder;
  let file: string;

  beforeAll(() => {
    compiled = compileForChildren(['src/storage', 'test/support']);
  });
  afterAll(() => compiled.remove());
  beforeEach(() => {
    folder = temporaryFolder();
    file = join(folder.path, 'events.sqlite');
  });
  afterEach(() => folder.remove());

  it('fc-22.1, fc-22.2: 8 processes store 200 appends each, and none sees the others’ locks', async () => {
    const script = compiled.fileOf('test/support/children/append-many.ts');
    const children = Array.from({ length: 8 }, () => startNode(script, [file, '200']));
    const ended = await Promise.all(children.map((child) => child.ended));
    const reports = ended.map(({ stdout, stderr }) => {
      expect(stderr).toBe('');
      return JSON.parse(stdout) as AppendManyReport;
    });
    expect(reports.flatMap(({ errors }) => errors)).toEqual([]);
    expect(reports.map(({ written }) => written)).toEqual(Array.from({ length: 8 }, () => 200));
    const store = await SqliteEventStore.open({ file });
    for (const { stream } of reports) expect(await wholeStream(store, stream)).toHaveLength(200);
    expect(await store.headPosition()).toBe(1_600n);
    expect((await store.readAll(0n, 2_000)).events.map(({ position }) => Number(position))).toEqual(
      Array.from({ length: 1_600 }, (_, index) => index + 1),
    );
    await store.close();
  }, 60_000);

  it('fc-22.3: a process that gives up waiting for another one says so and ends with 1', async () => {
    const script = compiled.fileOf('test/support/children/append-many.ts');
    await (await SqliteEventStore.open({ file })).close();
    const other = connectToFile(file, 1_000);
    other.exec('BEGIN IMMEDIATE');
    const ended = await startNode(script, [file, '1', '50']).ended;
    other.exec('ROLLBACK');
    other.close();
    expect(ended.exitCode).not.toBe(0);
    expect(`${ended.stdout}${ended.stderr}`).toMatch(/busy|locked|lock/i);
  }, 60_000);

  it('each append that waits for none costs at least one fsync', async () => {
    const script = compiled.fileOf('test/support/children/append-many.ts');
    const counts = join(folder.path, 'counts');
    const traced = ['-f', '-c', '-e', 'trace=fsync,fdatasync', '-o', counts];
    const child = startChild('strace', [...traced, process.execPath, script, file, '200']);
    const strace = await child.ended.catch((error: Error) => error);
    const ran = !(strace instanceof Error) && strace.exitCode === 0;
    const { stdout } = ran ? strace : await startNode(script, [file, '200']).ended;
    const report = JSON.parse(stdout) as AppendManyReport;
    expect(report.written).toBe(200);
    expect(report.commitCount).toBe(200);
    if (ran) {
      expect(fsyncCalls(readFileSync(counts, 'utf8'))).toBeGreaterThanOrEqual(200);
    } else {
      const reason = strace instanceof Error ? strace.message : strace.stderr;
      process.stderr.write(`fsync calls were not counted, only commits: no strace (${reason})\n`);
    }
  }, 60_000);

  it(`${KILLS} kills at random times lose nothing acknowledged and tear no batch`, async () => {
    const script = compiled.fileOf('test/support/children/append-until-killed.ts');
    let acknowledgedCount = 0;
    for (let round = 0; round < KILLS; round += 1) {
      const child = startNode(script, [file]);
      while (child.printed() === '' && child.process.exitCode === null) await sleep(2);
      await sleep(Math.random() * 60);
      child.process.kill('SIGKILL');
      const { stdout, stderr, signal } = await child.ended;
      expect({ stderr, signal }).toEqual({ stderr: '', signal: 'SIGKILL' });
      const acknowledged = stdout.split('\n').slice(0, -1);
      acknowledgedCount += acknowledged.length;
      await checkAfterKill(file, acknowledged);
    }
    expect(acknowledgedCount).toBeGreaterThan(KILLS);
  }, 120_000);
});

async function checkAfterKill(file: string, acknowledged: readonly string[]): Promise<void> {
  const store = await SqliteEventStore.open({ file });
  const lines = acknowledged.map((line) => line.split(' ') as [string, string, string]);
  for (const stream of new Set(lines.map(([name]) => name))) {
    const events = await wholeStream(store, stream);
    expect(events.map(({ revision }) => revision)).toEqual(events.map((_, index) => index));
    const stored = wholeBatches(events);
    for (const [name, revision, batch] of lines) {
      if (name !== stream) continue;
      expect(stored.get(batch)).toBe(Number(revision));
    }
    const [, , lastBatch = ''] = lines.findLast(([name]) => name === stream) ?? [];
    expect(await store.findByKeys(stream, [`batch:${lastBatch}`])).not.toHaveLength(0);
  }
  await store.close();
  checkTables(file);
}

/** Last revision of each batch; throws when one is torn. */
function wholeBatches(events: readonly RecordedEvent[]): Map<string, number> {
  const batches = new Map<string, number>();
  for (let at = 0; at < events.length;) {
    const first = partOf(events[at]);
    for (let index = 0; index < first.size; index += 1) {
      expect(partOf(events[at + index])).toEqual({ ...first, index });
    }
    at += first.size;
    batches.set(first.batch, at - 1);
  }
  return batches;
}

function partOf(event: RecordedEvent | undefined): { batch: string; index: number; size: number } {
  if (event === undefined) throw new Error('a batch is torn: its last events are missing');
  const { batch, index, size } = JSON.parse(event.data) as {
    batch: string;
    index: number;
    size: number;
  };
  return { batch, index, size };
}

function checkTables(file: string): void {
  const connection = connectToFile(file, 1_000);
  const value = (sql: string) => connection.prepare(sql).pluck().get();
  expect(connection.pragma('integrity_check', { simple: true })).toBe('ok');
  expect(value('SELECT count(*) - count(DISTINCT event_id) FROM events')).toBe(0);
  expect(value('SELECT max(position) - count(*) FROM events')).toBe(0);
  connection.close();
}

function fsyncCalls(straceCounts: string): number {
  return straceCounts
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter((columns) => /^f(data)?sync$/.test(columns.at(-1) ?? ''))
    .reduce((sum, columns) => sum + Number(columns[3]), 0);
}
