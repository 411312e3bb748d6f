import type { Command } from 'commander';
import type { ReadContextAnswer } from '../../history/read-context.js';
import { FORMAT_CHOICES, checkedFormat } from '../context-format.js';
import { CommandLineError, EXIT } from '../failure.js';
import type { LocalApplication } from '../local-application.js';
import { counted, printJson, say } from '../output.js';

interface Options {
  readonly format?: string;
  readonly at?: string;
  readonly budget?: string;
  readonly instructions?: string;
  readonly now?: string;
  readonly json?: boolean;
}

export function addContext(program: Command): void {
  program
    .command('context')
    .description('print the exact model input of a session as JSON: the next one, or a past one')
    .argument('<session>', 'id of the session')
    .option('--format <format>', `${FORMAT_CHOICES} (default: "neutral")`)
    .option('--at <revision|context>', 'as it was at this revision; or the input with this id')
    .option('--instructions <text>', 'system instructions, as they are now')
    .option('--now <text>', 'the date to name at the tail')
    .option('--budget <tokens>', 'most input tokens')
    .option('--json', 'print it on one line, with what was repaired and left out')
    .action(async (sessionId: string, options: Options) => {
      const { withExistingStore } = await import('../local-application.js');
      await withExistingStore(async (application) => {
        const { state, context } = await read(application, sessionId, options);
        if (options.json) return printJson(context);
        const { system, messages } = context;
        process.stdout.write(`${JSON.stringify({ system, messages }, null, 2)}\n`);
        const waiting = state.pendingInputs.length - context.delivers.length;
        if (waiting > 0)
          say(`not in it: ${counted(waiting, 'accepted input')}, for a claim to deliver`);
        say(
          `${counted(messages.length, 'message')}, about ${context.estimatedTokens} tokens; ` +
            `${counted(context.repairs.length, 'repair')}, ` +
            `${counted(context.leftOut.length, 'part')} of the log left out`,
        );
      });
    });
}

async function read(
  { queries, scope }: LocalApplication,
  sessionId: string,
  { format, at, budget, instructions, now }: Options,
): Promise<ReadContextAnswer> {
  const { ReadContext, ReadPastContext } = await import('../../history/read-context.js');
  const { checkedCount, checkedRevision } = await import('../arguments.js');
  if (at?.includes('.') === true) {
    refuseBesideContext({ format, instructions, now, budget });
    return queries.execute(new ReadPastContext(scope(sessionId), at));
  }
  const request = {
    format: checkedFormat(format ?? 'neutral'),
    instructions,
    now,
    budgetTokens:
      budget === undefined ? undefined : checkedCount('--budget', budget, Number.MAX_SAFE_INTEGER),
  };
  return queries.execute(new ReadContext(scope(sessionId), request, checkedRevision('--at', at)));
}

/** A past input is shown as it was: nothing of it can be chosen any more. */
function refuseBesideContext(options: Readonly<Record<string, string | undefined>>): void {
  const given = Object.keys(options).find((name) => options[name] !== undefined);
  if (given === undefined) return;
  throw new CommandLineError(
    `--${given} cannot stand beside --at <context>: a past model input is shown as it was`,
    EXIT.usage,
  );
}
