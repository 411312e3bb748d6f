import { Command } from 'commander';
import { COMMANDS } from './commands.js';
import { version } from './version.js';

const EXIT_CODES = `
Answers for programs: --json prints one JSON value on stdout; messages and progress go to stderr.
Exit codes: 0 done · 1 failed · 2 wrong arguments or configuration · 3 not found ·
            4 refused by the session's state · 5 the store cannot be used · 6 done in part`;

/** The command line as commander sees it; what a command needs is loaded when it runs. */
export function buildProgram(exitWith: (code: number) => void): Command {
  const program = new Command('holdfast')
    .description('The session backend for AI agents.')
    .version(version())
    .showHelpAfterError('(run with --help to see what is possible)')
    .configureHelp({ helpWidth: 96 })
    .exitOverride();
  for (const add of COMMANDS) add(program, exitWith);
  for (const command of program.commands) {
    command.exitOverride().configureHelp({ helpWidth: 96 });
  }
  return program.addHelpText('after', EXIT_CODES);
}
