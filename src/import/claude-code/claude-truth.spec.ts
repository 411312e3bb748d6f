import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ImportedStore, SAMPLES } from '../../../test/import/imported-store.js';
import type { LogReport } from '../import-report.js';

function rowsOf(table: string): readonly Readonly<Record<string, string>>[] {
  const [head, ...lines] = readFileSync(join(SAMPLES, table), 'utf8').trimEnd().split('\n');
  const names = head!.split('\t');
  return lines.map((line) => {
    const cells = line.split('\t');
    return Object.fromEntries(names.map((name, place) => [name, cells[place] ?? '']));
  });
}

describe('every row of TRUTH.tsv', () => {
  for (const truth of rowsOf('TRUTH.tsv')) {
    it(`holds for ${truth['file']}`, async () => {
      const store = new ImportedStore();
      const { logs } = await store.import(join(SAMPLES, truth['file']!));
      const report = logs[0]!;
      const columns = Object.keys(truth).filter((name) => name !== 'notes' && name !== 'file');
      const found = columns.map((name) => [
        name,
        `${report[name as keyof LogReport] as string | number}`,
      ]);
      expect(Object.fromEntries(found)).toEqual(
        Object.fromEntries(columns.map((name) => [name, truth[name]])),
      );
      expect(report.accepted + report.quarantined + report.ignored).toBe(report.values);
    }, 60_000);
  }
});
