// Known vulnerabilities of the packages in the lockfile: fails for high and critical ones without an exception.
// npm run audit
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** [{"advisory": "GHSA-…", "reason": "…", "until": "2026-12-31"}]: an exception ends 30 days ahead at most. */
const EXCEPTIONS = new URL('audit-exceptions.json', import.meta.url);
const DAYS_MAX = 30;

/** Advisories that block, by what `npm audit --json` answered. */
export function blocking(report, exceptions, now) {
  const limit = now.getTime() + DAYS_MAX * 86_400_000;
  const excused = new Set(
    exceptions
      .filter(({ until }) => Date.parse(until) >= now.getTime() && Date.parse(until) <= limit)
      .filter(({ reason }) => reason?.trim())
      .map(({ advisory }) => advisory),
  );
  const found = new Map();
  for (const { via } of Object.values(report.vulnerabilities)) {
    for (const each of via) {
      if (typeof each === 'string' || !['high', 'critical'].includes(each.severity)) continue;
      const advisory = each.url.replace(/^.*\//, '');
      if (!excused.has(advisory))
        found.set(advisory, `${advisory} ${each.severity} ${each.name}: ${each.title}`);
    }
  }
  return [...found.values()];
}

function main() {
  const { stdout, stderr } = spawnSync('npm', ['audit', '--json'], {
    encoding: 'utf8',
    maxBuffer: 64 * 1_024 * 1_024,
  });
  const report = JSON.parse(stdout || '{}');
  if (report.vulnerabilities === undefined) {
    console.error(
      `NOT CHECKED: the package registry tells no advisories (${(report.message ?? stderr).trim().split('\n')[0]})`,
    );
    process.exit(2);
  }
  const faults = blocking(report, JSON.parse(readFileSync(EXCEPTIONS, 'utf8')), new Date());
  for (const fault of faults) console.error(fault);
  console.log(`${faults.length} high or critical vulnerabilities without an exception`);
  process.exit(faults.length === 0 ? 0 : 1);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
