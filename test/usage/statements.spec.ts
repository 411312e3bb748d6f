import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { totalsOf } from '../import/what-was-imported.js';
import { ImportedStore } from '../import/imported-store.js';
import { importWritten } from '../import/written-import.js';
import { LogFolder, WrittenLog } from '../import/written-log.js';
import { CostWorld, picoOf } from '../projections/cost-world.js';
import { forked, priced, sessionStarted, settled, usage } from '../projections/session-events.js';

const ROOT = join(import.meta.dirname, '../..');

/**
 * What a correct backend does with usage and cost, U01 to U42 of the specification. Each has a test
 * whose name begins with its number, here or beside the code. These wait for an importer: they
 * speak of a log format that is not read yet, and are missed as soon as it is.
 */
const OF_FORMATS: Readonly<Record<string, string>> = {
  U08: 'codex',
  U09: 'codex',
  U14: 'atif',
  U39: 'otel',
  U40: 'atif',
};
const NUMBERS = Array.from({ length: 42 }, (_, index) => `U${String(index + 1).padStart(2, '0')}`);

function namedInTests(): ReadonlySet<string> {
  const files = ['src', 'test', 'packages'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(spec|e2e-spec|contract)\.ts$/.test(file))
      .filter((file) => !file.includes('node_modules'))
      .map((file) => join(ROOT, folder, file)),
  );
  const names = files.flatMap((file) => [
    ...readFileSync(file, 'utf8').matchAll(/['"`](U\d\d(?:(?:, | and )U\d\d)*)[: ]/g),
  ]);
  return new Set(names.flatMap(([, numbers]) => numbers!.match(/U\d\d/g) ?? []));
}

describe('the statements of the specification', () => {
  it.each(NUMBERS)('have a test: %s', (number) => {
    const format = OF_FORMATS[number];
    const isRead = format === undefined || existsSync(join(ROOT, 'src/import', format));
    expect([number, namedInTests().has(number)]).toEqual([number, isRead]);
  });
});

describe('imported logs', () => {
  let folder: LogFolder;
  beforeEach(() => {
    folder = new LogFolder();
  });
  afterEach(() => folder.remove());

  it('U05: add nothing for messages of the parent that a sidechain replays', async () => {
    const log = new WrittenLog();
    log.user('Begin.');
    log.text('msg_1', 'Done.');
    const once = totalsOf((await importWritten(folder, log)).records);
    log.user('Look into it.', { isSidechain: true, parentUuid: null, agentId: 'a1' });
    log.text('msg_1', 'Done.', { isSidechain: true, agentId: 'a1', requestId: 'req_other' });
    const { store } = await importWritten(folder, log);
    expect(totalsOf(await store.everything())).toEqual(once);
    expect(once.calls).toBe(1);
  });

  it('U07: count for a session that goes on from a copy only what follows the copy', async () => {
    const parent = new WrittenLog('11111111-2222-4333-8444-555555555555');
    parent.user('Begin.');
    parent.text('msg_1', 'Done.');
    const copy = new WrittenLog('22222222-2222-4333-8444-555555555555');
    copy.lines.push(...parent.lines.map((line) => ({ ...line, sessionId: copy.sessionId })));
    copy.user('Go on.');
    copy.text('msg_2', 'Done too.');
    const files = [parent, copy].map((log) =>
      folder.write(`${log.sessionId}.jsonl`, log.content()),
    );
    for (const order of [files, files.toReversed()]) {
      const store = new ImportedStore();
      for (const file of order) await store.import(file);
      expect(totalsOf(await store.everything())).toMatchObject({ calls: 2, totalTokens: 240 });
    }
  });

  it('U10: are told apart by their ids, not by equal numbers in the same second', async () => {
    const store = new ImportedStore();
    for (const number of [1, 2]) {
      const log = new WrittenLog(`${number}1111111-2222-4333-8444-555555555555`);
      log.user('Begin.');
      log.text(`msg_${number}`, 'Done.');
      await store.import(folder.write(`${log.sessionId}.jsonl`, log.content()));
    }
    expect(totalsOf(await store.everything())).toMatchObject({ calls: 2, totalTokens: 240 });
  });

  it('U38: keep what was rewound billed', async () => {
    const log = new WrittenLog();
    const first = log.user('Begin.');
    log.text('msg_1', 'Done.');
    log.user('Wrong.');
    log.text('msg_2', 'Done wrong.');
    log.user('Right.', { parentUuid: first });
    log.text('msg_3', 'Done right.');
    const { records } = await importWritten(folder, log);
    expect(totalsOf(records)).toMatchObject({ calls: 3, totalTokens: 360 });
  });

  it('U41: lose no usage that has no timestamp', async () => {
    const log = new WrittenLog();
    log.user('Begin.');
    log.text('msg_1', 'Done.', { timestamp: undefined });
    const { records } = await importWritten(folder, log);
    expect(totalsOf(records)).toMatchObject({ calls: 1, totalTokens: 120 });
  });
});

describe('recorded calls', () => {
  it('U10: with equal numbers in the same second count apart', async () => {
    const world = new CostWorld();
    const same = { usage: usage({ inputFresh: 220 }), cost: priced(5n), startedAt: '2026-01-01' };
    await world.append('s1', [sessionStarted('s1'), settled('k1', same), settled('k2', same)]);
    expect((await world.cost('s1'))?.own).toMatchObject({ calls: 2, usage: { inputFresh: '440' } });
  });

  it('U07: of a fork are those after the cut; parent and fork are the union', async () => {
    const world = new CostWorld();
    await world.append('s1', [sessionStarted('s1'), world.call(1), world.call(10)]);
    await world.append('f1', [forked('f1', 's1'), world.call(100)]);
    const cost = await world.cost('s1');
    expect(picoOf((await world.cost('f1'))?.own)).toBe('100');
    expect([picoOf(cost?.own), picoOf(cost?.inclusive)]).toEqual(['11', '111']);
  });

  it('U41: without a time stand in the day that is not known, and in the total', async () => {
    const world = new CostWorld();
    const at = { startedAt: '2026-01-01T00:00:00.000Z' };
    await world.append('s1', [sessionStarted('s1'), world.call(1, at), world.call(10)]);
    const { rows, total } = await world.series();
    expect(rows.map((row) => [row.day, picoOf(row)])).toEqual([
      ['2026-01-01', '1'],
      [null, '10'],
    ]);
    expect(picoOf(total)).toBe('11');
  });
});
