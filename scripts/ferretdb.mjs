// Runs the suites of the MongoDB adapters against FerretDB, a server by other people that speaks
// MongoDB's protocol: built from its Go module where Go is installed, kept in node_modules/.cache.
//   node scripts/ferretdb.mjs [jest arguments]
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const ROOT = join(import.meta.dirname, '..');
const SOURCE = join(ROOT, 'test/support/ferretdb');
const CACHE = join(ROOT, 'node_modules/.cache/ferretdb');
const PROGRAM = join(CACHE, 'ferretdb');
const BUILT_FROM = join(CACHE, 'built-from');
const BUILD_MS_MAX = 20 * 60 * 1000;
const START_MS_MAX = 30_000;
const SUITES = ['src/storage/mongodb/mongo-stores.spec.ts'];

const skipped = (reason) => {
  console.log(`FerretDB: skipped, ${reason}. The MongoDB adapters were tested on the double only.`);
};

/** @returns why there is no program, or undefined */
function build() {
  const wanted = ['go.mod', 'go.sum', 'main.go']
    .map((name) => readFileSync(join(SOURCE, name), 'utf8'))
    .join('\n');
  if (
    existsSync(PROGRAM) &&
    existsSync(BUILT_FROM) &&
    readFileSync(BUILT_FROM, 'utf8') === wanted
  ) {
    return undefined;
  }
  if (spawnSync('go', ['version'], { stdio: 'ignore' }).status !== 0) {
    return 'Go is not on this machine';
  }
  console.log('FerretDB: building it from its Go module, once; this takes some minutes');
  mkdirSync(CACHE, { recursive: true });
  const flags = ['build', '-p', '1', '-mod', 'readonly', '-tags', 'ferretdb_no_postgresql'];
  const { status, error } = spawnSync('go', [...flags, '-o', PROGRAM, '.'], {
    cwd: SOURCE,
    stdio: 'inherit',
    timeout: BUILD_MS_MAX,
  });
  if (status !== 0) return `its build failed (${error?.message ?? `exit code ${status}`})`;
  writeFileSync(BUILT_FROM, wanted);
  return undefined;
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

async function untilListening(port) {
  for (const deadline = Date.now() + START_MS_MAX; Date.now() < deadline; await sleep(100)) {
    const connected = await new Promise((resolve) => {
      const socket = createConnection(port, '127.0.0.1');
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
    if (connected) return;
  }
  throw new Error('FerretDB did not start');
}

async function run(jestArguments) {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-ferretdb-'));
  const port = await freePort();
  const server = spawn(PROGRAM, ['--listen', `127.0.0.1:${port}`, '--data', folder], {
    stdio: 'ignore',
  });
  try {
    await untilListening(port);
    const jest = join(ROOT, 'node_modules/jest/bin/jest.js');
    const flags = ['--experimental-vm-modules', jest, '--runInBand', ...jestArguments];
    const { status } = spawnSync(process.execPath, flags, {
      cwd: ROOT,
      stdio: 'inherit',
      env: {
        TEST_MORE: 'yes',
        ...process.env,
        MONGODB_URL: `mongodb://127.0.0.1:${port}/?directConnection=true&retryWrites=false`,
      },
    });
    return status ?? 1;
  } finally {
    server.kill('SIGTERM');
    rmSync(folder, { recursive: true, force: true });
  }
}

const reason = build();
if (reason === undefined) {
  const given = process.argv.slice(2);
  process.exitCode = await run(given.length > 0 ? given : SUITES);
} else {
  skipped(reason);
}
