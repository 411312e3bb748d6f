import type { Command } from 'commander';
import { CommandLineError, EXIT } from '../failure.js';
import type { LocalApplication } from '../local-application.js';
import { print, printJson, say } from '../output.js';

interface Options {
  readonly to?: string;
  readonly before?: string;
  readonly clear?: boolean;
  readonly unseenInputs: string;
  readonly json?: boolean;
}

const UNSEEN = ['refuse', 'keep', 'drop'] as const;

export function addRevert(program: Command): void {
  program
    .command('revert')
    .description('hide the end of a conversation; the log keeps it, the world is not changed')
    .argument('<session>', 'id of the session')
    .option('--to <revision>', 'the last revision that stays')
    .option('--before <message>', 'id of the first message that is hidden')
    .option(
      '--unseen-inputs <what>',
      `inputs that no model has read: ${UNSEEN.join(', ')}`,
      'refuse',
    )
    .option('--clear', 'show again what was hidden since the last input')
    .option('--json', 'one JSON object on stdout')
    .action(async (sessionId: string, options: Options) => {
      if ([options.to, options.before, options.clear].filter(Boolean).length !== 1) {
        throw new CommandLineError('give one of --to, --before and --clear', EXIT.usage);
      }
      const { withExistingStore } = await import('../local-application.js');
      await withExistingStore((application) =>
        options.clear === true
          ? clear(application, sessionId, options)
          : revert(application, sessionId, options),
      );
    });
}

async function revert(
  { commands, scope }: LocalApplication,
  sessionId: string,
  options: Options,
): Promise<void> {
  const { RevertSession } = await import('../../commands/revert-session/revert-session.handler.js');
  const { RevertSessionBody } = await import('../../commands/revert-session/revert-session.dto.js');
  const { revertView } = await import('../../api/rest/forks.controller.js');
  const { checkedRevision } = await import('../arguments.js');
  const body = Object.assign(new RevertSessionBody(), {
    at: checkedRevision('--to', options.to),
    messageId: options.before,
    unseenInputs: checkedUnseen(options.unseenInputs),
  });
  const own = { ...scope(sessionId), idempotencyKey: crypto.randomUUID() };
  const view = revertView(await commands.execute(new RevertSession(own, body)));
  if (options.json) return printJson(view);
  for (const { callId, tool, state } of view.effects) print(`${tool} ${callId}: ${state}`);
  say(view.note);
}

async function clear(
  { commands, scope }: LocalApplication,
  sessionId: string,
  { json }: Options,
): Promise<void> {
  const { ClearRevert } = await import('../../commands/revert-session/revert-session.handler.js');
  const { receipt } = await commands.execute(new ClearRevert(scope(sessionId), {}));
  if (json) return printJson(receipt);
  say(`Session ${sessionId} shows everything again.`);
}

function checkedUnseen(text: string): (typeof UNSEEN)[number] {
  const known = UNSEEN.find((what) => what === text);
  if (known !== undefined) return known;
  throw new CommandLineError(`--unseen-inputs must be one of ${UNSEEN.join(', ')}`, EXIT.usage);
}
