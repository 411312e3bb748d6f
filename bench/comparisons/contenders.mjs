import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { median } from '../figures.mjs';
import { holdfast } from '../peers/holdfast.mjs';
import { rawSqlite } from '../peers/raw-sqlite.mjs';

/** By module: its driver. */
const PEERS = { langgraph: 'better-sqlite3', emmett: 'sqlite3', 'openai-agents': 'better-sqlite3' };
const require = createRequire(import.meta.url);

/** Holdfast, raw SQLite, and the peers that are installed; `missing` says which are not, and why. */
export async function findContenders(build) {
  const contenders = [holdfast(build), rawSqlite];
  const missing = [];
  for (const [peer, driver] of Object.entries(PEERS)) {
    try {
      // A driver that was not built ends the process if Node 20 meets it in an import first.
      require(driver);
      const [contender] = Object.values(await import(`../peers/${peer}.mjs`));
      contenders.push({ ...contender, versions: contender.packages.map(versionOf) });
    } catch (error) {
      missing.push(`${peer} (${error.message.split(/\n| imported|\. Tried/)[0]})`);
    }
  }
  return { contenders, missing };
}

function versionOf(name) {
  const file = new URL(`../node_modules/${name}/package.json`, import.meta.url);
  return `${name} ${JSON.parse(readFileSync(file, 'utf8')).version}`;
}

/** Each contender with a store of its own below the folder. */
export async function openAll(contenders, folder) {
  const opened = [];
  for (const contender of contenders) {
    const own = join(folder, contender.name.replaceAll(' ', '-'));
    mkdirSync(own);
    opened.push({ ...contender, folder: own, store: await contender.open(own) });
  }
  return opened;
}

export async function closeAll(opened) {
  for (const { store } of opened) await store.close();
}

/** Times in milliseconds by contender, and of the floor beside them. */
export class Times {
  byName = new Map();
  floors = [];

  constructor(floor) {
    this.floor = floor;
  }

  async add({ name }, work) {
    this.floors.push(this.floor.once());
    const startedAt = performance.now();
    const result = await work();
    const ms = performance.now() - startedAt;
    this.byName.set(name, [...(this.byName.get(name) ?? []), ms]);
    return result;
  }

  get floorMs() {
    return median(this.floors);
  }

  /** Medians as multiples of the floor of the same time; `of` other than 1 for several at once. */
  ratios(of = 1) {
    const entries = [...this.byName].map(([name, all]) => [name, median(all) / of / this.floorMs]);
    return Object.fromEntries(entries);
  }
}
