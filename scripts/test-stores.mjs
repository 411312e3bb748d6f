// Every contract suite on every adapter with a line for each, then the projector under random kills with
// a thousand sessions and three instances under kills and pauses, then the end-to-end tests on the other stores. Needs a build.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const JEST = join(import.meta.dirname, '../node_modules/jest/bin/jest.js');
const CONTRACT = /^the [a-z-]+ store (on|in) /;
const SESSIONS = '1000';
const OTHER_STORES = ['mongodb', 'eventstoredb,mongodb'];
const APPENDS = '5000';
const CHAOS_SECONDS = '120';

function jest(parameters, environment = {}) {
  const flags = ['--experimental-vm-modules', '--no-warnings', JEST, ...parameters];
  const options = { stdio: 'inherit', env: { ...process.env, TEST_MORE: 'yes', ...environment } };
  return spawnSync(process.execPath, flags, options).status === 0;
}

function contractSuites() {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-stores-'));
  const file = join(folder, 'results.json');
  const output = ['--json', `--outputFile=${file}`, '--silent'];
  const passed = jest(['src/storage', ...output], { STORE_APPENDS: APPENDS });
  const { testResults } = JSON.parse(readFileSync(file, 'utf8'));
  rmSync(folder, { recursive: true });
  const counts = new Map();
  for (const { ancestorTitles, status } of testResults.flatMap((one) => one.assertionResults)) {
    const title = ancestorTitles.find((one) => CONTRACT.test(one));
    if (title === undefined) continue;
    const count = counts.get(title) ?? { passed: 0, failed: 0 };
    count[status === 'passed' ? 'passed' : 'failed'] += 1;
    counts.set(title, count);
  }
  for (const [title, count] of [...counts].sort()) {
    console.log(
      `${count.failed === 0 ? 'ok    ' : 'FAILED'} ${title}: ${count.passed} passed, ${count.failed} failed`,
    );
  }
  return passed && counts.size > 0;
}

const steps = [
  contractSuites(),
  jest(['test/stores'], { STORE_SESSIONS: SESSIONS, STORE_CHAOS_SECONDS: CHAOS_SECONDS }),
  ...OTHER_STORES.map((stores) => jest(['test/e2e', '--forceExit'], { STORES_UNDER_TEST: stores })),
];
if (steps.includes(false)) process.exitCode = 1;
