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

const { seeds = '2000', first = '1', seed } = given();
const wish = seed === undefined ? { SEEDS: seeds, FIRST_SEED: first } : { SEED: seed };
const env = { TEST_MORE: 'yes', THREADS: String(availableParallelism()), ...process.env, ...wish };
const flags = ['--experimental-vm-modules', '--no-warnings', JEST, 'test/simulation'];
const child = spawn(process.execPath, [...flags, '--runInBand'], { stdio: 'inherit', env });
child.once('close', (code) => (process.exitCode = code ?? 1));
