// Plays simulated histories: --seeds N so many (default 2000) from --first S on; --seed S replays one.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const JEST = join(import.meta.dirname, '../node_modules/jest/bin/jest.js');
const number = { type: 'string' };

function given() {
  try {
    const { values } = parseArgs({ options: { seeds: number, seed: number, first: number } });
    for (const [name, value] of Object.entries(values)) {
      if (!/^[1-9]\d{0,9}$/.test(value)) throw new Error(`--${name} is a whole number from 1 on`);
    }
    return values;
  } catch (error) {
    console.error(`test:simulation: ${error.message}`);
    process.exit(2);
  }
}

/** Answers the exit code. */
function play(environment) {
  const flags = ['--experimental-vm-modules', '--no-warnings', JEST, 'test/simulation'];
  const env = { ...process.env, TEST_MORE: 'yes', ...environment };
  const child = spawn(process.execPath, [...flags, '--runInBand'], { stdio: 'inherit', env });
  return new Promise((resolve) => child.once('close', (code) => resolve(code ?? 1)));
}

/** A part for each core, one after the other in the order of seeds. */
function parts({ seeds = '2000', first = '1' }) {
  const count = Math.min(availableParallelism(), Number(seeds));
  const each = Math.ceil(Number(seeds) / count);
  return Array.from({ length: count }, (_, part) => ({
    FIRST_SEED: String(Number(first) + part * each),
    SEEDS: String(Math.min(each, Number(seeds) - part * each)),
  })).filter(({ SEEDS }) => Number(SEEDS) > 0);
}

const values = given();
const wanted = values.seed === undefined ? parts(values) : [{ SEED: values.seed }];
process.exitCode = Math.max(...(await Promise.all(wanted.map(play))));
