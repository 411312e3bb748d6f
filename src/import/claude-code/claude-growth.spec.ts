import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { ImportedStore, SAMPLES } from '../../../test/import/imported-store.js';
import { endState, isAtRest } from '../../../test/import/what-was-imported.js';

/** Many imports in one test; the machine may be busy with others. */
const TEST_MS = 120_000;

const folder = mkdtempSync(join(tmpdir(), 'holdfast-growth-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, content: string | Buffer): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

async function importedAll(store: ImportedStore, files: readonly string[]) {
  let sessionId = '';
  for (const file of files) sessionId = (await store.import(file)).logs[0]!.sessionId;
  return store.records(sessionId);
}

/** Without what a cut leaves in the audit: torn records and raw text that was kept in two parts. */
function comparable(records: Awaited<ReturnType<typeof importedAll>>) {
  const { audited: _audited, ...state } = endState(records);
  return state;
}

function cutsOf(content: Buffer, count: number): readonly number[] {
  const step = content.length / (count + 1);
  return Array.from({ length: count }, (_, index) => Math.floor(step * (index + 1)));
}

const grown = [
  ['claude-code/real-tiny.jsonl', 16],
  ['claude-code/real-ask-user-dangling.jsonl', 9],
  ['claude-code/real-inline-sidechain.jsonl', 7],
  ['claude-code/fixture-representative.jsonl', 9],
  ['claude-code/all-line-types.jsonl', 9],
  ['claude-code/real-interrupts4.jsonl', 3],
] as const;

describe('a log that grows between imports', () => {
  for (const [sample, cuts] of grown) {
    it(
      `ends like one import of the whole: ${sample}`,
      async () => {
        const content = readFileSync(join(SAMPLES, sample));
        const whole = join(SAMPLES, sample);
        const expected = await importedAll(new ImportedStore(), [whole]);
        expect(isAtRest(expected)).toBe(true);
        for (const cut of cutsOf(content, cuts)) {
          const store = new ImportedStore();
          const part = write(`cut-${cut}.jsonl`, content.subarray(0, cut));
          const begun = await store.import(part).catch(() => undefined);
          if (begun !== undefined)
            expect(isAtRest(await store.records(begun.logs[0]!.sessionId))).toBe(true);
          const records = await importedAll(store, [whole]);
          expect({ cut, ...comparable(records) }).toEqual({ cut, ...comparable(expected) });
          expect(isAtRest(records)).toBe(true);
          expect((await store.import(whole)).events_appended).toBe(0);
          expect((await store.import(part).catch(() => undefined))?.events_appended ?? 0).toBe(0);
        }
      },
      TEST_MS,
    );
  }

  it(
    'takes every record of a small log one by one',
    async () => {
      const lines = readFileSync(join(SAMPLES, 'claude-code/real-tiny.jsonl'), 'utf8')
        .trimEnd()
        .split('\n');
      const store = new ImportedStore();
      const files = lines.map((_, end) =>
        write(`step-${end}.jsonl`, lines.slice(0, end + 1).join('\n')),
      );
      const records = await importedAll(store, files);
      const expected = await importedAll(new ImportedStore(), [files.at(-1)!]);
      expect(comparable(records)).toEqual(comparable(expected));
    },
    TEST_MS,
  );
});

describe('parts of a log in any order', () => {
  it(
    'give the same calls, outcomes and totals when the second half comes first',
    async () => {
      for (const sample of ['real-tiny', 'real-ask-user-dangling', 'real-interrupts4']) {
        const whole = join(SAMPLES, `claude-code/${sample}.jsonl`);
        const lines = readFileSync(whole, 'utf8').trimEnd().split('\n');
        const middle = Math.floor(lines.length / 2);
        const first = write(`${sample}-1.jsonl`, lines.slice(0, middle).join('\n'));
        const second = write(`${sample}-2.jsonl`, lines.slice(middle).join('\n'));
        const expected = endState(await importedAll(new ImportedStore(), [whole]));
        const turned = endState(await importedAll(new ImportedStore(), [second, first]));
        const ordered = endState(await importedAll(new ImportedStore(), [first, second]));
        const { totals, inputs, messages, toolCalls, outcomes } = expected;
        const wanted = { totals, inputs, messages, toolCalls, outcomes };
        expect(turned).toMatchObject(wanted);
        expect(ordered).toMatchObject(wanted);
        expect(ordered.conversation).toEqual(expected.conversation);
      }
    },
    TEST_MS,
  );

  it(
    'overlap without a second copy of anything',
    async () => {
      const whole = join(SAMPLES, 'claude-code/real-interrupts4.jsonl');
      const lines = readFileSync(whole, 'utf8').trimEnd().split('\n');
      const early = write('early.jsonl', lines.slice(0, 150).join('\n'));
      const late = write('late.jsonl', lines.slice(90).join('\n'));
      const records = await importedAll(new ImportedStore(), [early, late, early]);
      const expected = await importedAll(new ImportedStore(), [whole]);
      expect(comparable(records)).toEqual(comparable(expected));
    },
    TEST_MS,
  );
});
