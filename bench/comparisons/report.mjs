import { rounded } from '../figures.mjs';
import { commandOf } from '../options.mjs';

const NONE = '–';

/** One row for each comparison, one column for each contender, for a terminal. */
export function comparisonTable({ contenders, rows }) {
  const names = contenders.map(({ name }) => name);
  const cells = [
    ['', 'beside its peers', ...names, 'load'],
    ...rows.map(({ goal, what, unit, values, load }) => [
      goal,
      `${what}, ${unit}`,
      ...names.map((name) => figure(values[name], unit)),
      load.toFixed(1),
    ]),
  ];
  const widths = cells[0].map((_, column) => Math.max(...cells.map((row) => row[column].length)));
  return cells.map((row) => row.map((cell, at) => cell.padEnd(widths[at])).join('  ')).join('\n');
}

/** The same as a section of the page, with versions and with what each does for durability. */
export function comparisonSection({ startedAt, machine, options, comparison }) {
  const { contenders, missing, rows } = comparison;
  const names = contenders.map(({ name }) => name);
  const date = startedAt.toISOString().slice(0, 16).replace('T', ' ');
  return `Written by \`${commandOf(options)}\` on ${date} UTC, Node ${machine.node}. The same turns, in turn, in one run, each in
the way of its own guides; what is read back is compared text by text. In multiples of the floor of the same row, except for exponents.

| | what | ${names.join(' | ')} | floor, ms | load |
| --- | --- | ${names.map(() => '---').join(' | ')} | --- | --- |
${rows.map((row) => sectionRow(names, row)).join('\n')}

${contenders.map(described).join('\n')}
${missing.length === 0 ? '' : `\nLeft out: ${missing.join(', ')}.\n`}`.trim();
}

function sectionRow(names, { goal, what, unit, values, floorMs, load }) {
  const cells = names.map((name) => figure(values[name], unit));
  const label = unit === 'exponent' ? `${what} (exponent)` : what;
  return `| ${goal} | ${label} | ${cells.join(' | ')} | ${figure(floorMs)} | ${load.toFixed(1)} |`;
}

function described({ name, versions, durability }) {
  const of = versions === undefined ? '' : ` (${versions.join(', ')})`;
  return `- **${name}**${of}: ${durability}.`;
}

function figure(value, unit) {
  if (value === undefined) return NONE;
  return unit !== 'exponent' && value < 0.1 ? value.toPrecision(1) : rounded(value);
}
