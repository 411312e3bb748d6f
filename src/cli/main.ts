import { Command } from 'commander';
import { COMMANDS } from './commands.js';
import { reportFailure } from './failure.js';
import { version } from './version.js';

/** Heavy modules are loaded by the command that runs, so that help answers at once. */
export async function main(argv: readonly string[]): Promise<number> {
  const program = new Command('holdfast')
    .description('The session backend for AI agents.')
    .version(version())
    .showHelpAfterError('(run with --help to see what is possible)')
    .exitOverride();
  let exitCode = 0;
  for (const add of COMMANDS) {
    add(program, (code) => {
      exitCode = code;
    });
  }
  program.addHelpText('after', EXIT_CODES);
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return exitCode;
  } catch (error) {
    return reportFailure(error);
  }
}

const EXIT_CODES = `
Answers for programs: --json prints one JSON value on stdout; messages and progress go to stderr.
Exit codes: 0 done · 1 failed · 2 wrong arguments or configuration · 3 not found ·
            4 refused by the session's state · 5 the store cannot be used · 6 done in part`;

process.exitCode = await main(process.argv.slice(2));
