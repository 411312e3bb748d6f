import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { repair, repairWithReport, validate } from '../src/index.js';
import type { ProviderName } from '../src/index.js';
import { comparable } from './comparable.js';

interface Case {
  id: string;
  title: string;
  provider: ProviderName;
  options: object;
  history: unknown[];
  valid: boolean;
  errorKind: string | null;
  repair: string[];
  repaired: unknown[];
  repairedOptions?: object;
}

const folder = join(import.meta.dirname, 'cases');
const cases = readdirSync(folder)
  .filter((name) => name.endsWith('.json') && name !== 'index.json')
  .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Case);

it('reads all cases of the index', () => {
  const index = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8')) as { id: string }[];
  expect(cases.map(({ id }) => id).sort()).toEqual(index.map(({ id }) => id).sort());
});

describe.each(cases)('$id: $title', (given) => {
  const { provider, history, options, valid, repaired } = given;
  const bytes = JSON.stringify(history);
  const result = repair(provider, history, options);

  it('is judged as the case says', () => {
    const violations = validate(provider, history, options);
    expect(violations.length === 0).toBe(valid);
    if (!valid) expect(violations.map(({ kind }) => kind)).toContain(given.errorKind);
  });

  it('is repaired as the case says', () => {
    const hasFreeIds = given.repair.includes('rewrite_ids');
    expect(comparable(provider, result, hasFreeIds)).toEqual(
      comparable(provider, repaired, hasFreeIds),
    );
    // Beyond the case: also the ids follow section 6.3 to the letter.
    expect(comparable(provider, result, false)).toEqual(comparable(provider, repaired, false));
  });

  it('is valid after the repair', () => {
    const changed = { ...options, ...given.repairedOptions };
    expect(validate(provider, repaired, changed)).toEqual([]);
    expect(validate(provider, result, changed)).toEqual([]);
    const report = repairWithReport(provider, history, options);
    expect(report.repairedOptions).toEqual(given.repairedOptions);
    expect(report.violations).toEqual([]);
    expect(report.repairs.length === 0).toBe(valid);
  });

  it('is not repaired twice, and always to the same bytes', () => {
    expect(JSON.stringify(repair(provider, result, options))).toBe(JSON.stringify(result));
    expect(JSON.stringify(repair(provider, history, options))).toBe(JSON.stringify(result));
  });

  it('keeps the given object', () => {
    expect(JSON.stringify(history)).toBe(bytes);
    if (valid) expect(result).toBe(history);
  });
});
