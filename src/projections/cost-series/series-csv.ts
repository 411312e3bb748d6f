import { inputBucketNames, outputBucketNames, bucketNames } from '../../domain/usage.js';
import type { BucketName } from '../../domain/usage.js';
import type { CostGroup } from '../cost-tree/cost-groups.js';
import type { Figures } from '../cost-tree/figures.js';
import type { SeriesGroup, SeriesRow, SeriesWish } from './cost-series.query.js';

const COUNTS = [
  'calls',
  'unpricedCalls',
  'unpricedTokens',
  'partialCalls',
  'estimatedCalls',
  'unknownUsageCalls',
] as const;

const FORMULA_BEGINNING = /^[=+\-@\t\r]/;

/**
 * A table of figures by RFC 4180: the head's columns, then `currency`, `amount` (exact), `amountPico`,
 * calls and tokens. Figures in several currencies have a row for each; their calls and tokens
 * stand in the first one only, so that a column can be added up.
 */
export function figuresCsv<Row extends Figures>(
  rows: readonly Row[],
  head: readonly (keyof Row & string)[],
): string {
  const columns = [...head, 'currency', 'amount', 'amountPico', ...COUNTS, 'complete'];
  const header = [...columns, 'inputTokens', 'outputTokens', ...bucketNames];
  const lines = rows.flatMap((row) => linesOf(row, head));
  return [header, ...lines].map((cells) => cells.map(cell).join(',') + '\r\n').join('');
}

export function seriesCsv(
  rows: readonly SeriesRow[],
  { byDay, by }: Pick<SeriesWish, 'byDay' | 'by'>,
): string {
  const day = byDay ? (['day', 'dayStart'] as const) : [];
  return figuresCsv(rows, [...day, ...(by === undefined ? [] : COLUMNS[by])]);
}

const COLUMNS: Readonly<Record<SeriesGroup, readonly (keyof SeriesRow)[]>> = {
  model: ['provider', 'model'],
  user: ['user'],
  session: ['session'],
  label: ['label', 'value'],
};

/** Groups of a session tree, with what they come to inclusively. */
export function groupsCsv(groups: readonly CostGroup[]): string {
  const rows = groups.map(({ own: _own, descendants: _below, inclusive, ...head }) => ({
    ...inclusive,
    ...head,
  }));
  const { own: _own, descendants: _below, inclusive: _all, ...head } = groups[0] ?? {};
  return figuresCsv(rows, Object.keys(head) as (keyof Figures)[]);
}

function linesOf<Row extends Figures>(
  row: Row,
  head: readonly (keyof Row & string)[],
): readonly (readonly unknown[])[] {
  const heads = head.map((name) => row[name]);
  const counts = COUNTS.map((name) => row[name]);
  const buckets = bucketNames.map((name) => row.usage[name] ?? '0');
  const figures = [
    ...counts,
    row.complete,
    sum(row, inputBucketNames),
    sum(row, outputBucketNames),
    ...buckets,
  ];
  const amounts = row.amounts.length > 0 ? row.amounts : [undefined];
  return amounts.map((amount, index) => [
    ...heads,
    amount?.currency,
    amount?.amount,
    amount?.amountPico,
    ...(index === 0 ? figures : figures.map(() => '')),
  ]);
}

function sum({ usage }: Figures, names: readonly BucketName[]): string {
  return names.reduce((total, name) => total + BigInt(usage[name] ?? 0), 0n).toString();
}

/** Texts that a spreadsheet would run as a formula get a `'` before them. */
function cell(value: unknown): string {
  if (value === undefined || value === null) return '';
  const text = String(value as string | number | boolean);
  const isNumber = typeof value === 'number' || /^-?\d+(\.\d+)?$/.test(text);
  const safe = !isNumber && FORMULA_BEGINNING.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
