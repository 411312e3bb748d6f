import { readFileSync } from 'node:fs';
import { cpus, loadavg, platform, release, totalmem } from 'node:os';
import { createRequire } from 'node:module';

/** What a reader needs to judge the figures by. */
export function machine(folder) {
  const [first] = cpus();
  const sqlite = createRequire(import.meta.url)('better-sqlite3/package.json').version;
  return {
    cores: cpus().length,
    cpu: first?.model ?? 'unknown',
    memoryGib: Math.round(totalmem() / 2 ** 30),
    system: `${platform()} ${release()}`,
    fileSystem: fileSystemOf(folder),
    node: process.version,
    betterSqlite3: sqlite,
  };
}

/** Processes that wanted a core in the last minute. */
export function load() {
  return loadavg()[0];
}

function fileSystemOf(folder) {
  try {
    const mounts = readFileSync('/proc/mounts', 'utf8').trim().split('\n');
    const found = mounts
      .map((line) => line.split(' '))
      .filter(
        ([, point]) => folder === point || folder.startsWith(point === '/' ? '/' : `${point}/`),
      )
      .sort(([, one], [, other]) => other.length - one.length)[0];
    return found?.[2] ?? 'unknown';
  } catch {
    return 'unknown';
  }
}
