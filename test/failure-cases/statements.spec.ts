import { describe, expect, it } from '@jest/globals';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

interface FailureCase {
  readonly id: string;
  readonly then: readonly { readonly id: string; readonly must: string }[];
}

/** What Holdfast does not have yet; the test of a statement takes it off this list. */
const NOT_YET: Readonly<Record<string, string>> = {};

const root = process.cwd();
const casesFolder = join(root, 'test/failure-cases/cases');
const cases = readdirSync(casesFolder).map(
  (name) => JSON.parse(readFileSync(join(casesFolder, name), 'utf8')) as FailureCase,
);

/** Titles such as `fc-01.1: …` or `fc-09.1, fc-09.2: …`, wherever the test stands. */
function testedStatements(): ReadonlyMap<string, string> {
  const tested = new Map<string, string>();
  for (const folder of ['src', 'test']) {
    const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
    for (const name of names.filter((file) => file.endsWith('spec.ts'))) {
      const text = readFileSync(join(root, folder, name), 'utf8');
      for (const [, title] of text.matchAll(/\(\s*['"`]((?:fc-\d\d\.\d+(?:, )?)+): /g)) {
        for (const id of title!.split(', ')) tested.set(id, join(folder, name));
      }
    }
  }
  return tested;
}

describe('the failure cases', () => {
  const tested = testedStatements();
  const statements = cases.flatMap((one) => one.then.map(({ id }) => id)).sort();

  it('are all thirty, each with its statements', () => {
    expect(cases.map(({ id }) => id).sort()).toEqual(
      Array.from({ length: 30 }, (_, index) => `fc-${String(index + 1).padStart(2, '0')}`),
    );
    for (const { id, then } of cases) {
      expect(then.map((statement) => statement.id)).toEqual(
        then.map((_, index) => `${id}.${index + 1}`),
      );
    }
  });

  it('have a test for every statement, or a reason why there is none', () => {
    const missing = statements.filter((id) => !tested.has(id) && NOT_YET[id] === undefined);
    expect(missing).toEqual([]);
  });

  it('have no reason for a statement that is tested, and no test of an unknown one', () => {
    expect(Object.keys(NOT_YET).filter((id) => tested.has(id))).toEqual([]);
    const known = new Set(statements);
    expect([...tested.keys(), ...Object.keys(NOT_YET)].filter((id) => !known.has(id))).toEqual([]);
  });
});
