import { describe, expect, it, jest } from '@jest/globals';
import { builtInSummary } from '../../src/context/built-in-summary.js';
import { type CompactionRange, compactionRange } from '../../src/context/compaction-range.js';
import { type Omissions, omissionsOf } from '../../src/context/omission-check.js';
import { sourceFromRecords } from '../../src/context/source-from-records.js';
import { ImportedStore, SAMPLES } from '../import/imported-store.js';

jest.setTimeout(120_000);

const LOGS = ['real-4mb-compacted', 'real-interrupts4', 'real-two-session-ids'];

interface Checked {
  readonly range: CompactionRange;
  check(summary: string): Omissions;
}

/** Everything but the last group of a real session, as one range. */
async function rangeOf(log: string): Promise<Checked> {
  const store = new ImportedStore();
  const report = await store.import(`${SAMPLES}claude-code/${log}.jsonl`);
  const sessionId = report.logs[0]!.sessionId!;
  const source = sourceFromRecords(await store.records(sessionId), sessionId);
  const range = compactionRange(source, { keepGroups: 1, withinTurn: true });
  if (range === 'nothing_to_compact') throw new Error(`${log} has nothing to compact`);
  return { range, check: (summary) => omissionsOf(range, source, summary) };
}

describe.each(LOGS)('the list for the real transcript %s', (log) => {
  it('has tens of entries for an empty summary, few for the built-in one', async () => {
    const { range, check } = await rangeOf(log);
    const empty = check('');
    expect(empty.entries.length).toBeGreaterThan(9);
    expect(empty.entries.length + empty.cut).toBeLessThan(100);
    expect(range.text.length).toBeGreaterThan(20 * empty.entries.length);

    const builtIn = check(builtInSummary(range));
    expect(builtIn.entries.filter(({ by }) => by === 'user')).toEqual([]);
    expect(builtIn.entries.length).toBeLessThan(empty.entries.length / 2);
    expect(check(range.text).entries).toEqual([]);
    process.stdout.write(
      `${log}: ${range.text.length} characters, ${empty.entries.length + empty.cut} entries for an ` +
        `empty summary, ${builtIn.entries.length + builtIn.cut} for the built-in one\n`,
    );
  });
});
