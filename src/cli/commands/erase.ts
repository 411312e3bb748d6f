import type { Command } from 'commander';
import { CommandLineError, EXIT } from '../failure.js';
import { counted, printJson, say } from '../output.js';

interface Options {
  readonly reason: string;
  readonly descendants: string;
  readonly acknowledgeUnknown?: boolean;
  readonly json?: boolean;
}

export function addErase(program: Command): void {
  program
    .command('erase')
    .description("destroy a session's content for good; ids, times, cost and audit stay")
    .argument('<session>', 'id of the session')
    .requiredOption('--reason <why>', 'dataSubject, retention or other')
    .option('--descendants <what>', 'forks and child sessions: refuse, erase', 'refuse')
    .option('--acknowledge-unknown', 'also with calls whose outcome is not known')
    .option('--json', 'one JSON object on stdout')
    .addHelpText('after', '\nDoing it again goes on with it and tells how far it is.')
    .action(async (sessionId: string, options: Options) => {
      const { withExistingStore } = await import('../local-application.js');
      const { EraseSession } = await import('../../erasure/erase-session.handler.js');
      const { EraseSessionBody } = await import('../../erasure/erase-session.dto.js');
      const { erasureView } = await import('../../api/rest/erasures.controller.js');
      const { reason, descendants, acknowledgeUnknown = false } = options;
      const body = Object.assign(new EraseSessionBody(), {
        reason: checked('--reason', reason, ['dataSubject', 'retention', 'other']),
        descendants: checked('--descendants', descendants, ['refuse', 'erase']),
        acknowledgeUnknown,
      });
      const report = await withExistingStore(({ commands, scope }) =>
        commands.execute(new EraseSession(scope(sessionId), body)),
      );
      if (options.json) return printJson(erasureView(report));
      const { erasure, status } = report;
      if (status === 'pending') {
        return say(`Nothing of ${sessionId} is read any more; a server goes on destroying it.`);
      }
      say(
        `Erased ${sessionId} and ${counted(erasure.descendants.length, 'other session')}. Backups of the ` +
          `keys have to be gone by ${erasure.keyBackupsExpireAt}.`,
      );
      for (const child of report.children) say(`Left: child session ${child}.`);
      for (const { kind, at, actor, status } of report.exports) {
        say(`Outside: an export (${kind}) by ${actor} at ${at}, ${status}.`);
      }
    });
}

function checked<Choice extends string>(
  name: string,
  text: string,
  choices: readonly Choice[],
): Choice {
  const found = choices.find((choice) => choice === text);
  if (found !== undefined) return found;
  throw new CommandLineError(`${name} must be one of ${choices.join(', ')}`, EXIT.usage);
}
