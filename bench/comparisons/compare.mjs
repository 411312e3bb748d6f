import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Floor } from '../floor.mjs';
import { load } from '../machine.mjs';
import { closeAll, findContenders, openAll } from './contenders.mjs';
import { compareCostTree } from './cost-tree.mjs';
import { compareFork } from './fork.mjs';
import { compareGrowth } from './growth.mjs';
import { compareRestore } from './restore.mjs';
import { compareThroughput } from './throughput.mjs';
import { compareTurn } from './turn.mjs';

const COMPARISONS = {
  P1: compareTurn,
  P2: compareGrowth,
  P3: compareThroughput,
  P4: compareRestore,
  P5: compareFork,
  P7: compareCostTree,
};

/**
 * Holdfast, raw SQLite and the installed peers with the same work in turn.
 * @param {(row: object) => void} tell is called with each row as soon as it is measured.
 * @returns {Promise<object>} `missing` says which peers are left out; without any there is no row.
 */
export async function compare(build, options, tell) {
  const { contenders, missing } = await findContenders(build);
  const rows = [];
  const hasPeer = contenders.some(({ versions }) => versions !== undefined);
  const goals = options.only.filter((goal) => Object.hasOwn(COMPARISONS, goal));
  for (const goal of hasPeer ? goals : []) {
    const found = await compareOne(COMPARISONS[goal], contenders, options);
    found.forEach(tell);
    rows.push(...found);
  }
  return { contenders, missing, rows };
}

async function compareOne(comparison, contenders, options) {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-compare-'));
  const floor = new Floor(folder);
  const opened = await openAll(contenders, folder);
  const rows = [];
  const report = (goal, what, times, of) =>
    rows.push({ goal, what, unit: 'x floor', values: times.ratios(of), floorMs: times.floorMs });
  report.exponents = (goal, what, valueOf) => {
    const values = Object.fromEntries(opened.map(({ name }) => [name, valueOf(name)]));
    rows.push({ goal, what, unit: 'exponent', values });
  };
  try {
    await comparison({ opened, floor, options, report });
    return rows.map((row) => ({ ...row, load: load() }));
  } finally {
    await closeAll(opened);
    floor.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
