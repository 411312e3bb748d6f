import type { CostSeries, SeriesRow } from '../projections/cost-series/cost-series.query.js';
import type { CostGroup } from '../projections/cost-tree/cost-groups.js';
import type { SessionCost } from '../projections/cost-tree/cost-tree.query.js';
import type { Figures } from '../projections/cost-tree/figures.js';
import { table } from './output.js';

const FIGURE_COLUMNS = ['COST', 'CALLS', 'INPUT', 'OUTPUT', 'NOTE'];

/** A session, what is below it, and its children or the groups that were asked for. */
export function costText(cost: SessionCost): string {
  const rows = [
    row(['own'], cost.own),
    row(['descendants'], cost.descendants),
    row(['inclusive'], cost.inclusive),
    ...(cost.groups ?? []).map((group) => row([`  ${groupName(group)}`], group.inclusive)),
    ...(cost.groups === undefined
      ? cost.children.map(({ edge, sessionId, inclusive }) =>
          row([`└ ${edge} ${sessionId}`], inclusive),
        )
      : []),
  ];
  return table([['', ...FIGURE_COLUMNS], ...rows], [1, 2, 3, 4]);
}

function groupName({
  own: _own,
  descendants: _below,
  inclusive: _all,
  ...head
}: CostGroup): string {
  if ('runId' in head) return runName(head);
  if ('model' in head) return String(head['model'] ?? 'no model');
  if ('label' in head) return `${head['label']}=${head['value'] ?? '(not set)'}`;
  const [value] = Object.values(head);
  return value === null || value === undefined ? 'not known' : String(value);
}

function runName(head: Readonly<Record<string, string | number | null>>): string {
  const { sessionId, runId, attempt, reason } = head;
  if (runId === null) return `${sessionId} outside of a run`;
  return `${sessionId} ${runId}` + (attempt === null ? '' : ` attempt ${attempt} (${reason})`);
}

/** A row for each day or group of a tenant's calls, and their exact sum. */
export function seriesText({ rows, total }: CostSeries): string {
  const first = rows[0] === undefined ? [] : Object.keys(headOf(rows[0]));
  const columns = first.map((name) => name.toUpperCase());
  const lines = rows.map((one) => {
    const values = Object.values(headOf(one)).map((value) => value ?? 'not known');
    return row(values, one);
  });
  const empty = first.map((_, index) => (index === 0 ? 'total' : ''));
  const width = Math.max(1, first.length);
  const sum = row(empty.length === 0 ? ['total'] : empty, total);
  const header = [...(columns.length === 0 ? [''] : columns), ...FIGURE_COLUMNS];
  const right = [0, 1, 2, 3].map((index) => width + index);
  return table([header, ...(first.length === 0 ? [] : lines), sum], right);
}

function headOf({ day, provider, model, user, session, label, value }: SeriesRow) {
  const head = { day, provider, model, user, session, label, value };
  return Object.fromEntries(Object.entries(head).filter(([, text]) => text !== undefined));
}

function row(name: readonly string[], figures: Figures): readonly string[] {
  return [
    ...name,
    amountText(figures),
    String(figures.calls),
    tokens(figures, (bucket) => !bucket.startsWith('output')),
    tokens(figures, (bucket) => bucket.startsWith('output')),
    noteOf(figures),
  ];
}

/** What is not known is never shown as 0, and a total that lacks a part is a lower bound. */
export function amountText({ amounts, calls, complete }: Figures): string {
  if (amounts.length === 0) return calls === 0 || complete ? '0' : 'unknown';
  const sum = amounts.map(({ amount, currency }) => `${amount} ${currency}`).join(' + ');
  return complete ? sum : `≥ ${sum}`;
}

function tokens({ usage }: Figures, counts: (bucket: string) => boolean): string {
  return Object.entries(usage)
    .filter(([bucket]) => counts(bucket))
    .reduce((sum, [, count]) => sum + BigInt(count), 0n)
    .toString();
}

/** A total that leaves something out says so. */
function noteOf(figures: Figures): string {
  const parts = [
    figures.unpricedCalls > 0 ? `${figures.unpricedCalls} without a price` : '',
    figures.unknownUsageCalls > 0 ? `${figures.unknownUsageCalls} with unknown usage` : '',
    figures.partialCalls > 0 ? `${figures.partialCalls} counted in part` : '',
    figures.estimatedCalls > 0 ? `${figures.estimatedCalls} estimated` : '',
    importedNote(figures),
  ];
  return parts.filter((part) => part !== '').join(', ');
}

function importedNote({ imported }: Figures): string {
  if (imported === undefined) return '';
  const sums = imported.amounts.map(({ amount, currency }) => `${amount} ${currency}`);
  return `${imported.calls} imported${sums.length === 0 ? '' : ` (${sums.join(' + ')})`}`;
}
