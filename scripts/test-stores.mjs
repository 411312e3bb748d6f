// Everything that is proved of stores: every contract suite on every adapter with a line for each and 5,000 appends through the
// faulty double; the projector under random kills with a thousand sessions, three instances under kills and pauses; the
// end-to-end tests on EventStoreDB and MongoDB, and on the mixed pair those that ask where something is stored (`npm test` runs
// all of them on the embedded store). Ends with a summary. Needs a build. Its parameters go to Jest.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const JEST = join(ROOT, 'node_modules/jest/bin/jest.js');
const CONTRACT = /^the [a-z-]+ store (on|in) /;

/** Where it matters which store holds which part: the rest is the same code on either pair. */
const MIXED =
  'test/e2e/(access-keys|artifacts|erasure|events-feed|interrupted|missing-keys|restore';

const STEPS = [
  {
    name: 'contracts on every adapter, 5000 faulty appends, 1000 sessions with kills, three instances',
    // One run: while the long ones wait for their servers, the other cores go on.
    parameters: ['src/storage', 'test/stores', '--silent'],
    environment: { STORE_APPENDS: '5000', STORE_SESSIONS: '1000', STORE_CHAOS_SECONDS: '120' },
  },
  {
    name: 'end to end on EventStoreDB and MongoDB',
    parameters: ['test/e2e'],
    environment: { STORES_UNDER_TEST: 'eventstoredb,mongodb' },
  },
  {
    name: 'end to end on the embedded store and MongoDB, where it matters',
    parameters: [`${MIXED}|session-life|transfer|verify)`],
    environment: { STORES_UNDER_TEST: 'mongodb' },
  },
];

function run({ name, parameters, environment }, folder) {
  console.log(`\n== ${name}`);
  const startedAtMs = performance.now();
  const file = join(folder, 'results.json');
  rmSync(file, { force: true });
  const output = ['--json', `--outputFile=${file}`, ...process.argv.slice(2)];
  const flags = ['--experimental-vm-modules', '--no-warnings', JEST, ...parameters, ...output];
  // The results go to the file; the program's own output has the lines of this script alone.
  const options = {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, TEST_MORE: 'yes', ...environment },
  };
  const { status } = spawnSync(process.execPath, flags, options);
  const seconds = Math.round((performance.now() - startedAtMs) / 1_000);
  return { name, seconds, passed: status === 0, ...resultsIn(file) };
}

function resultsIn(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return { testResults: [], numPassedTests: 0, numFailedTests: 0 };
  }
}

/** A line for each port and adapter. */
function contracts({ testResults }) {
  const counts = new Map();
  for (const { ancestorTitles, status } of testResults.flatMap((one) => one.assertionResults)) {
    const title = ancestorTitles.find((one) => CONTRACT.test(one));
    if (title === undefined) continue;
    const count = counts.get(title) ?? { passed: 0, failed: 0 };
    count[status === 'passed' ? 'passed' : 'failed'] += 1;
    counts.set(title, count);
  }
  for (const [title, { passed, failed }] of [...counts].sort()) {
    console.log(
      `${failed === 0 ? 'ok    ' : 'FAILED'} ${title}: ${passed} passed, ${failed} failed`,
    );
  }
  return counts.size;
}

function summary(results) {
  console.log('\n== summary');
  for (const [variable, server] of [
    ['ESDB_URL', 'EventStoreDB'],
    ['MONGODB_URL', 'MongoDB'],
  ]) {
    const tested = process.env[variable]
      ? 'the server that it names'
      : 'its double, no real server';
    console.log(`${server}: ${tested} (${variable}); end to end: its double`);
  }
  for (const { name, seconds, passed, numPassedTests, numFailedTests, testResults } of results) {
    const counts = `${numPassedTests} passed, ${numFailedTests} failed`;
    console.log(`${passed ? 'ok    ' : 'FAILED'} ${name}: ${counts} in ${seconds} s`);
    for (const { name: file, status } of testResults) {
      if (status === 'failed') console.log(`       ${relative(ROOT, file)}`);
    }
  }
}

const folder = mkdtempSync(join(tmpdir(), 'holdfast-stores-'));
const results = [];
for (const step of STEPS) {
  const result = run(step, folder);
  results.push(result);
  if (step === STEPS[0] && contracts(result) === 0) result.passed = false;
}
rmSync(folder, { recursive: true });
summary(results);
if (results.some(({ passed }) => !passed)) process.exitCode = 1;
