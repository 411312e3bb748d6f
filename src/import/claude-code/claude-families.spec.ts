import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ImportedStore, SAMPLES } from '../../../test/import/imported-store.js';
import { isAtRest, stateOf, totalsOf } from '../../../test/import/what-was-imported.js';
import { outputTokens } from '../../domain/usage.js';
import type { ImportReport, LogReport } from '../import-report.js';

const TEST_MS = 120_000;

function familiesOf() {
  const [head, ...lines] = readFileSync(join(SAMPLES, 'FAMILIES.tsv'), 'utf8')
    .trimEnd()
    .split('\n');
  const names = head!.split('\t');
  return lines.map((line) => {
    const cells = line.split('\t');
    const row = Object.fromEntries(names.map((name, place) => [name, cells[place] ?? '']));
    return { name: row['family']!, files: row['files']!.split(' '), row };
  });
}

describe('U06: files that belong together cost what they cost once, in any order and twice', () => {
  for (const { name, files, row } of familiesOf()) {
    it(
      `the family: ${name}`,
      async () => {
        for (const order of [files, [...files.toReversed(), ...files]]) {
          const store = new ImportedStore();
          for (const file of order) await store.import(join(SAMPLES, file));
          const { calls, totalTokens, buckets, pico } = totalsOf(await store.everything());
          expect({
            model_calls: String(calls),
            total_tokens: String(totalTokens),
            input_fresh: String(buckets.inputFresh ?? 0),
            cache_read: String(buckets.cacheRead ?? 0),
            cache_write_5m: String(buckets.cacheWrite5m ?? 0),
            cache_write_1h: String(buckets.cacheWrite1h ?? 0),
            cache_write_unknown: String(buckets.cacheWriteUnknown ?? 0),
            output: String(outputTokens({ buckets })),
            cost_pusd: pico,
          }).toEqual(Object.fromEntries(Object.entries(row).slice(3, 12)));
        }
      },
      TEST_MS,
    );
  }
});

describe('all sample logs in one store', () => {
  it(
    'hold what their reports say, are at rest, and nothing is added the second time',
    async () => {
      const store = new ImportedStore();
      const root = join(SAMPLES, 'claude-code');
      const first = await store.import(root);
      const { logs, refused } = first;
      expect(refused).toEqual([]);
      expect(logs).toHaveLength(16);
      for (const log of logs) await holdsWhatItSays(store, log);
      const again = await store.import(root);
      expect(again.events_appended).toBe(0);
      const counts = ({ logs: all }: ImportReport) =>
        all.map((log) => ({ ...log, events_appended: 0, sessions: [] }));
      expect(counts(again)).toEqual(counts(first));
    },
    TEST_MS,
  );
});

/** The events of a log's sessions against the counts that were taken from its lines. */
async function holdsWhatItSays(store: ImportedStore, log: LogReport): Promise<void> {
  const all = await Promise.all(log.sessions.map(({ sessionId }) => store.records(sessionId)));
  expect(all.every(isAtRest)).toBe(true);
  const states = all.map(stateOf);
  const sum = (count: (state: (typeof states)[number]) => number) =>
    states.reduce((total, state) => total + count(state), 0);
  const synthetic = all
    .flat()
    .filter(
      ({ event }) => event.type === 'ImportedRecordKept' && event.data.kind === 'syntheticMessage',
    );
  // In one written sample a message of the program shares its id with a model's message.
  const shared = log.file === 'all-line-types.jsonl' ? 1 : 0;
  const found = {
    messages: sum((state) => state.counters.assistantMessages) + synthetic.length - shared,
    tool_calls: sum((state) => state.counters.toolCalls),
    own_inputs: states[0]!.counters.inputs - states[0]!.pendingInputs.length,
  };
  const isChild = log.file.includes('subagents/');
  expect({ file: log.file, ...found }).toEqual({
    file: log.file,
    messages: log.assistant_messages,
    tool_calls: log.tool_calls,
    own_inputs: isChild ? 1 : log.user_inputs,
  });
  expect(totalsOf(all.flat()).pico).toBe(log.recorded_cost_pusd);
}
