import type { Command } from 'commander';
import { CommandLineError, EXIT } from '../failure.js';
import { print, printJson, say } from '../output.js';

interface Options {
  readonly at?: string;
  readonly message?: string;
  readonly side?: string;
  readonly title?: string;
  readonly id?: string;
  readonly json?: boolean;
}

export function addFork(program: Command): void {
  program
    .command('fork')
    .description('make a new session that goes on from a point of another one')
    .argument('<session>', 'id of the parent; it is not changed')
    .option('--at <revision>', 'last revision to inherit; default: the newest')
    .option('--message <id>', 'a message to fork at, in place of --at')
    .option('--side <side>', 'before or through that message, or the group around --at')
    .option('--id <id>', 'id of the fork; default: a new UUID')
    .option('--title <title>', 'shown in lists')
    .option('--json', 'one JSON object on stdout')
    .action(async (sessionId: string, options: Options) => {
      const { withExistingStore } = await import('../local-application.js');
      const { ForkSession } = await import('../../commands/fork-session/fork-session.handler.js');
      const { ForkSessionBody } = await import('../../commands/fork-session/fork-session.dto.js');
      const { checkedBody } = await import('../../commands/dto/checked-body.js');
      const { checkedRevision, checkedSide } = await import('../arguments.js');
      await withExistingStore(async ({ commands, scope }) => {
        const { body, faults } = checkedBody(ForkSessionBody, {
          ...(options.at === undefined ? {} : { at: checkedRevision('--at', options.at) }),
          ...(options.message === undefined ? {} : { messageId: options.message }),
          ...(options.side === undefined ? {} : { side: checkedSide(options.side) }),
          ...(options.title === undefined ? {} : { title: options.title }),
          ...(options.id === undefined ? {} : { forkId: options.id }),
        });
        if (faults[0] !== undefined) throw new CommandLineError(faults[0].message, EXIT.usage);
        const { receipt } = await commands.execute(new ForkSession(scope(sessionId), body));
        if (receipt.payloadDiffers) {
          throw new CommandLineError(
            `${receipt.sessionId} is a fork already, made from another point or with another title; ` +
              'it stays as it is: choose another --id',
            EXIT.refused,
          );
        }
        if (options.json) return printJson({ ...receipt, parentId: sessionId });
        print(receipt.sessionId);
        say(`The fork reads ${sessionId} by reference; its own cost starts at 0.`);
      });
    });
}
