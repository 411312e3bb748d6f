import type { Command } from 'commander';
import { EXIT } from '../failure.js';
import { print, printJson } from '../output.js';

export function addDoctor(program: Command, exitWith: (code: number) => void): void {
  program
    .command('doctor')
    .description('check this machine, the folders and the store; change nothing')
    .option('--quick', 'leave out the checks of every page and of every session')
    .option('--json', 'a JSON list of the findings on stdout')
    .action(async (options: { readonly quick?: boolean; readonly json?: boolean }) => {
      const { examine } = await import('../doctor.js');
      const findings = await examine({ quick: options.quick ?? false });
      if (options.json) printJson(findings);
      else
        print(
          findings
            .map(({ ok, what, seen }) => `${ok ? 'ok  ' : 'FAIL'} ${what}: ${seen}`)
            .join('\n'),
        );
      if (findings.some(({ ok }) => !ok)) exitWith(EXIT.failed);
    });
}
