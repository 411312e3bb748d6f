import type { Budget } from '../../domain/budget/budget.js';

const formats = new Map<string, Intl.DateTimeFormat>();

/** The calendar day there: `2026-03-29`. */
function dayIn(zone: string, atMs: number): string {
  let format = formats.get(zone);
  if (format === undefined) {
    const parts = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
    format = new Intl.DateTimeFormat('en-CA', { ...parts, timeZone: zone, calendar: 'iso8601' });
    formats.set(zone, format);
  }
  return format.format(atMs);
}

/** `2026-03-29`, `2026-03`, or undefined for a budget without a period. */
export function periodOf({ period, zone }: Budget, atMs: number): string | undefined {
  if (period === 'none') return undefined;
  const day = dayIn(zone, atMs);
  return period === 'day' ? day : day.slice(0, 'YYYY-MM'.length);
}

/** A budget's id has no dot, so that no two ledgers share a name. */
export function ledgerOf(budget: Budget, atMs: number): string {
  const period = periodOf(budget, atMs);
  return period === undefined ? budget.budgetId : `${budget.budgetId}.${period}`;
}

export function budgetOfLedger(ledgerId: string): string {
  return ledgerId.split('.')[0]!;
}

/** @returns why it is none. */
export function zoneFault(value: unknown): string | undefined {
  try {
    if (typeof value === 'string') {
      Intl.DateTimeFormat('en', { timeZone: value });
      return undefined;
    }
  } catch {
    // It is named below.
  }
  return 'must be an IANA time zone, such as UTC or Europe/Berlin';
}
