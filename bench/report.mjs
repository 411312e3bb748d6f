import { readFile, writeFile } from 'node:fs/promises';
import { comparisonSection } from './comparisons/report.mjs';
import { rounded } from './figures.mjs';
import { commandOf } from './options.mjs';

const PAGE = new URL('../docs/benchmarks.md', import.meta.url);
/** More than one process for each core: the figures then say more about the others. */
const BUSY_PER_CORE = 0.5;
/** Measuring itself keeps both the measuring process and a server at work. */
const OWN_MARGIN = 0.5;

export function table({ figures }) {
  const rows = [['', 'what', 'figure', 'goal', '', 'load'], ...figures.map(row)];
  const widths = rows[0].map((_, column) => Math.max(...rows.map((cells) => cells[column].length)));
  return rows
    .map((cells) => cells.map((cell, at) => cell.padEnd(widths[at])).join('  '))
    .join('\n');
}

function row({ workload, what, value, goal, unit, reached, load }) {
  return [
    workload,
    what,
    `${rounded(value)} ${unit}`,
    `<= ${rounded(goal)}`,
    reached ? 'reached' : `missed by ${rounded(value / goal)} x`,
    load.toFixed(1),
  ];
}

/** The notes between the marks are written by people and stay, as do the peers of an older run. */
export async function writePage(run) {
  const text = await readFile(PAGE, 'utf8').catch(() => '');
  const notes = between(text, NOTES_BEGIN, NOTES_END);
  const peers = between(text, PEERS_BEGIN, PEERS_END);
  const section = run.comparison === undefined ? peers : comparisonSection(run);
  await writeFile(PAGE, page(run, notes, section));
}

const NOTES_BEGIN = '<!-- notes: kept by the script -->';
const NOTES_END = '<!-- end of notes -->';
const PEERS_BEGIN = '<!-- peers: kept by runs without them -->';
const PEERS_END = '<!-- end of peers -->';

function between(text, beginMark, endMark) {
  const [begin, end] = [text.indexOf(beginMark), text.indexOf(endMark)];
  return begin < 0 || end < 0 ? '' : text.slice(begin + beginMark.length, end).trim();
}

function page({ startedAt, loadBefore, seconds, machine, options, figures }, notes, peers) {
  const command = commandOf(options);
  const loads = figures.map(({ load }) => load);
  const isBusy =
    loadBefore > BUSY_PER_CORE * machine.cores || Math.max(...loads) > machine.cores + OWN_MARGIN;
  return `# Benchmarks

Written by \`${command}\` on ${startedAt.toISOString().slice(0, 16).replace('T', ' ')} UTC, in ${seconds} s. Do not edit the table: run it again.

One *turn* is a user input of 300 B, an assistant message with one tool call of 800 B, a tool result of 4 KB, a final answer of
500 B, and usage. The *floor* is one write of 6 KB with fdatasync at the end of a file, interleaved with what is measured. Every
figure is a median of at least 3 rounds, and every workload reads its sessions back and compares their texts. Only
ratios within one run mean something elsewhere.

| | |
| --- | --- |
| processor | ${machine.cpu}, ${machine.cores} cores, ${machine.memoryGib} GiB |
| system | ${machine.system}, ${machine.fileSystem} |
| versions | Node ${machine.node}, better-sqlite3 ${machine.betterSqlite3} |
| load before | ${rounded(loadBefore)} processes |
| load while measuring, its own included | ${rounded(Math.min(...loads))} to ${rounded(Math.max(...loads))} processes on ${machine.cores} cores |
${isBusy ? '\n**The machine was busy with other work: processor times and absolute times are too high.**\n' : ''}
| | what | figure | goal | | load | measured beside it |
| --- | --- | --- | --- | --- | --- | --- |
${figures.map(pageRow).join('\n')}

## Beside its peers

${PEERS_BEGIN}
${peers}
${PEERS_END}

## What the figures say

${NOTES_BEGIN}
${notes}
${NOTES_END}
`;
}

function pageRow(figure) {
  const { value, goal, unit, reached, load, workload, what, beside } = figure;
  const verdict = reached ? 'reached' : `missed by ${rounded(value / goal)} ×`;
  return `| ${workload} | ${what} | ${rounded(value)} ${unit.replace('x ', '× ')} | ≤ ${rounded(goal)} | ${verdict} | ${load.toFixed(1)} | ${besides(beside)} |`;
}

function besides(beside) {
  return Object.entries(beside)
    .map(
      ([name, value]) => `${name} ${typeof value === 'number' ? rounded(value) : besides(value)}`,
    )
    .join(', ');
}
