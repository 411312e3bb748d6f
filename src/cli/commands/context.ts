import type { Command } from 'commander';
import { FORMAT_CHOICES, checkedFormat } from '../context-format.js';
import { printJson, say } from '../output.js';

interface Options {
  readonly format: string;
  readonly at?: string;
  readonly budget?: string;
  readonly instructions?: string;
  readonly now?: string;
  readonly json?: boolean;
}

export function addContext(program: Command): void {
  program
    .command('context')
    .description('print the exact next model input of a session as JSON')
    .argument('<session>', 'id of the session')
    .option('--format <format>', FORMAT_CHOICES, 'neutral')
    .option('--at <revision>', 'as it was at this revision')
    .option('--instructions <text>', 'system instructions, as they are now')
    .option('--now <text>', 'the date to name at the tail')
    .option('--budget <tokens>', 'most input tokens')
    .option('--json', 'print it on one line, with what was repaired and left out')
    .action(async (sessionId: string, options: Options) => {
      const { withLocalApplication } = await import('../local-application.js');
      const { ReadContext } = await import('../../history/read-context.js');
      const { checkedCount, checkedRevision } = await import('../arguments.js');
      await withLocalApplication(async ({ queries, scope }) => {
        const request = {
          format: checkedFormat(options.format),
          instructions: options.instructions,
          now: options.now,
          budgetTokens:
            options.budget === undefined
              ? undefined
              : checkedCount('--budget', options.budget, Number.MAX_SAFE_INTEGER),
        };
        const at = checkedRevision('--at', options.at);
        const query = new ReadContext(scope(sessionId), request, at);
        const { state, context } = await queries.execute(query);
        if (options.json) return printJson(context);
        const { system, messages } = context;
        process.stdout.write(`${JSON.stringify({ system, messages }, null, 2)}\n`);
        const waiting = state.pendingInputs.length - context.delivers.length;
        if (waiting > 0) say(`${waiting} accepted inputs are not in it: a claim delivers them`);
        say(
          `${messages.length} messages, about ${context.estimatedTokens} tokens; ` +
            `${context.repairs.length} repairs, ${context.leftOut.length} parts of the log left out`,
        );
      });
    });
}
