/**
 * Measures Holdfast against the disk's floor and raw SQLite in one run, because only the ratio of
 * two figures of one run means something on another machine. See docs/benchmarks.md.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compare } from './comparisons/compare.mjs';
import { Floor, RawSqlite } from './floor.mjs';
import { load, machine } from './machine.mjs';
import { readOptions } from './options.mjs';
import { loadBuild, openProduct } from './product.mjs';
import { comparisonTable } from './comparisons/report.mjs';
import { table, writePage } from './report.mjs';
import { appendTurn } from './workloads/append-turn.mjs';
import { costTree } from './workloads/cost-tree.mjs';
import { disk } from './workloads/disk.mjs';
import { overEventStoreDb } from './workloads/eventstoredb.mjs';
import { forking } from './workloads/fork.mjs';
import { growth } from './workloads/growth.mjs';
import { posting } from './workloads/http.mjs';
import { catchingUp } from './workloads/projections.mjs';
import { restoring } from './workloads/restore.mjs';
import { starting } from './workloads/starting.mjs';
import { throughput } from './workloads/throughput.mjs';

const WORKLOADS = {
  P1: appendTurn,
  P2: growth,
  P3: throughput,
  P4: restoring,
  P5: forking,
  P6: disk,
  P7: costTree,
  P8: posting,
  P9: overEventStoreDb,
  P10: catchingUp,
  P12: starting,
};

const options = readOptions(process.argv.slice(2), Object.keys(WORKLOADS));
if (options.help === undefined) await measure();
else process.stdout.write(options.help);

async function measure() {
  const startedAt = new Date();
  const loadBefore = load();
  const build = await loadBuild(options.dist);
  const figures = [];
  for (const name of options.only) figures.push(...(await measureOne(build, name)));
  const comparison = options.hasPeers ? await compareAll(build) : undefined;
  const seconds = Math.round((Date.now() - startedAt.getTime()) / 1000);
  const run = {
    startedAt,
    loadBefore,
    seconds,
    machine: machine(tmpdir()),
    options,
    figures,
    comparison,
  };
  const tables = [table(run), ...(comparison === undefined ? [] : [comparisonTable(comparison)])];
  (options.isJson ? process.stderr : process.stdout).write(`${tables.join('\n\n')}\n`);
  if (options.writesPage) await writePage(run);
}

async function compareAll(build) {
  const comparison = await compare(build, options, (row) => {
    if (options.isJson) process.stdout.write(`${JSON.stringify(row)}\n`);
    else process.stderr.write(`beside its peers: ${row.what}\n`);
  });
  const { missing, rows } = comparison;
  if (missing.length > 0) process.stderr.write(`left out: ${missing.join(', ')}; see --help\n`);
  return rows.length === 0 ? undefined : comparison;
}

/** Each workload gets folders and a store of its own. */
async function measureOne(build, name) {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-bench-'));
  const loadBefore = load();
  const figures = [];
  const report = (workload, what, value, goal, unit, beside) => {
    const figure = { workload, what, value, goal, unit, reached: value <= goal, beside };
    figures.push({ ...figure, load: Math.max(loadBefore, load()) });
    if (options.isJson) process.stdout.write(`${JSON.stringify(figures.at(-1))}\n`);
    else process.stderr.write(`${what}: ${value.toPrecision(3)} ${unit}\n`);
  };
  const floor = new Floor(folder);
  const raw = new RawSqlite(folder);
  const product = await openProduct(build, folder);
  try {
    await WORKLOADS[name]({ product, floor, raw, folder, options, report });
    return figures;
  } finally {
    await product.close();
    raw.close();
    floor.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
