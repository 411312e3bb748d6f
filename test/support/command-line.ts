import { jest } from '@jest/globals';
import { reportFailure } from '../../src/cli/failure.js';
import { buildProgram } from '../../src/cli/program.js';

export interface SaidAndDone {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one command as `holdfast` does, in the process of the test. */
export async function commandLine(...parameters: readonly string[]): Promise<SaidAndDone> {
  const stdout: string[] = [];
  const stderr: string[] = [];
  const watched = [watch(process.stdout, stdout), watch(process.stderr, stderr)];
  let exitCode = 0;
  const program = buildProgram((code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync([...parameters], { from: 'user' });
  } catch (error) {
    exitCode = reportFailure(error);
  } finally {
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
