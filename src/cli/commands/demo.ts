import type { Command } from 'commander';
import { EXIT } from '../failure.js';

export function addDemo(program: Command, exitWith: (code: number) => void): void {
  program
    .command('demo')
    .description('an agent pays, is killed before it can say so, and nothing is paid twice')
    .option('--json', 'what was seen, as one JSON object on stdout')
    .action(async (options: { readonly json?: boolean }) => {
      const { runDemo } = await import('../demo/story.js');
      const { printJson } = await import('../output.js');
      const seen = await runDemo();
      if (options.json) printJson(seen);
      if (!seen.holds) exitWith(EXIT.failed);
    });
}
