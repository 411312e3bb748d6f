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
    .version(version());
  for (const add of COMMANDS) add(program, exitWith);
  describeAll(program, 'holdfast');
  return program.addHelpText('after', EXIT_CODES);
}

/** What is wrong with a line is said with the whole name of the command that it is about. */
function describeAll(command: Command, name: string): void {
  command
    .exitOverride()
    .configureHelp({ helpWidth: 96 })
    .showHelpAfterError(`(${name} --help says what is possible)`)
    .configureOutput({
      outputError: (text, write) => write(text.replace(/^error: /, `${name}: `)),
    });
  for (const part of command.commands) describeAll(part, `${name} ${part.name()}`);
}
