import { jest } from '@jest/globals';
import type * as Failure from '../../src/cli/failure.js';
import type * as Program from '../../src/cli/program.js';
import { importBuilt, importOutside } from './import-outside.js';

// The built program writes to Node's own process; the tests' `process` is a copy of it.
const { default: process } = await importOutside<{ default: NodeJS.Process }>('node:process');
const { reportFailure } = await importBuilt<typeof Failure>('cli/failure.js');
const { buildProgram } = await importBuilt<typeof Program>('cli/program.js');

export type Environment = Readonly<Record<string, string>>;

export interface SaidAndDone {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

type CommandLine = (...parameters: readonly string[]) => Promise<SaidAndDone>;

/** Runs commands as `holdfast` does, in the process of the test, with these variables set. */
export function commandLineWith(environment: () => Environment): CommandLine {
  return (...parameters) => run(parameters, { ...process.env, ...environment() });
}

async function run(parameters: readonly string[], env: NodeJS.ProcessEnv): Promise<SaidAndDone> {
  const stdout: string[] = [];
  const stderr: string[] = [];
  const watched = [watch(process.stdout, stdout), watch(process.stderr, stderr)];
  const before = process.env;
  process.env = env;
  let exitCode = 0;
  const program = buildProgram((code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync([...parameters], { from: 'user' });
  } catch (error) {
    exitCode = reportFailure(error);
  } finally {
    process.env = before;
    for (const spy of watched) spy.mockRestore();
  }
  return { exitCode, stdout: stdout.join(''), stderr: stderr.join('') };
}

function watch(stream: NodeJS.WriteStream, written: string[]) {
  return jest.spyOn(stream, 'write').mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
}
