import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ImportedStore, SAMPLES } from '../../../test/import/imported-store.js';
import { isAtRest } from '../../../test/import/what-was-imported.js';
import { LogFolder } from '../../../test/import/written-log.js';
import type { LogReport } from '../import-report.js';

const folder = new LogFolder();
afterAll(() => folder.remove());

const samples = [
  'real-tiny',
  'fixture-representative',
  'all-line-types',
  'real-ask-user-dangling',
].map((name) =>
  readFileSync(join(SAMPLES, `claude-code/${name}.jsonl`), 'utf8')
    .trimEnd()
    .split('\n'),
);

type Edit = readonly ['drop' | 'twice' | 'swap' | 'cut' | 'join', number];

function edited(lines: readonly string[], edits: readonly Edit[]): string {
  const result = [...lines];
  for (const [what, at] of edits) {
    const place = at % Math.max(1, result.length);
    const line = result[place] ?? '';
    if (what === 'drop') result.splice(place, 1);
    if (what === 'twice') result.splice((at * 7) % result.length, 0, line);
    if (what === 'swap') [result[place], result[0]] = [result[0]!, line];
    if (what === 'cut') result[place] = line.slice(0, at % (line.length + 1));
    if (what === 'join') result.splice(place, 2, line + (result[place + 1] ?? ''));
  }
  return result.join('\n');
}

function numbersIn(report: LogReport): readonly number[] {
  return Object.values(report).filter((value): value is number => typeof value === 'number');
}

describe('damaged logs', () => {
  it('are imported without an exception, account for every record, and come to rest', async () => {
    const edit = fc.tuple(
      fc.constantFrom(
        'drop' as const,
        'twice' as const,
        'swap' as const,
        'cut' as const,
        'join' as const,
      ),
      fc.nat({ max: 100_000 }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...samples),
        fc.array(edit, { minLength: 1, maxLength: 12 }),
        async (lines, edits) => {
          const store = new ImportedStore();
          const file = folder.write('damaged.jsonl', edited(lines, edits));
          const { logs } = await store.import(file);
          const report = logs[0]!;
          expect(report.accepted + report.quarantined + report.ignored).toBe(report.values);
          expect(numbersIn(report).every((count) => count >= 0)).toBe(true);
          for (const { sessionId } of report.sessions) {
            expect(isAtRest(await store.records(sessionId))).toBe(true);
          }
          expect((await store.import(file)).events_appended).toBe(0);
        },
      ),
      { numRuns: 60, seed: Number(process.env['SEED'] ?? 1937268137) },
    );
  }, 120_000);
});
