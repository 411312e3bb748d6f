import { expect, it } from '@jest/globals';
import { repairWithReport, SYNTHETIC_TEXTS, validate } from '../../src/index.js';
import type { ProviderName, ProviderOptions } from '../../src/index.js';

export const INTERRUPTED = SYNTHETIC_TEXTS.interrupted_unknown;

export interface Example<P extends ProviderName> {
  readonly name: string;
  readonly options?: ProviderOptions[P];
  readonly history: readonly unknown[];
  /** `rule kind` of what is reported; empty for a valid history. */
  readonly broken: readonly string[];
  /** Left out for a valid history. */
  readonly repaired?: readonly unknown[];
}

/** One test per example: verdict, repair, validity and a second repair. */
export function checkExamples<P extends ProviderName>(
  provider: P,
  examples: readonly Example<P>[],
): void {
  it.each(examples)('$name', ({ options, history, broken, repaired }) => {
    const found = validate(provider, history, options);
    expect(new Set(found.map(({ rule, kind }) => `${rule} ${kind}`))).toEqual(new Set(broken));
    const report = repairWithReport(provider, history, options);
    expect(report.history).toEqual(repaired ?? history);
    expect(report.violations).toEqual([]);
    expect(repairWithReport(provider, report.history, options).history).toBe(report.history);
  });
}
