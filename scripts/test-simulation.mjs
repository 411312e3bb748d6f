// Plays simulated histories: --seeds N so many (default 2000) from --first S on; --seed S replays one.
import { spawnSync } from 'node:child_process';
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

const { seeds, seed, first } = given();
const environment = { TEST_MORE: 'yes', SEEDS: seeds, SEED: seed, FIRST_SEED: first };
const wanted = Object.entries(environment).filter(([, value]) => value !== undefined);
const flags = ['--experimental-vm-modules', '--no-warnings', JEST, 'test/simulation'];
const { status } = spawnSync(process.execPath, [...flags, '--runInBand'], {
  stdio: 'inherit',
  env: { ...process.env, ...Object.fromEntries(wanted) },
});
process.exit(status ?? 1);
