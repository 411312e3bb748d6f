import type { Command } from 'commander';
import { counted, printJson, say } from '../output.js';

interface Options {
  readonly all?: boolean;
  readonly json?: boolean;
}

export function addRebuild(program: Command): void {
  program
    .command('rebuild')
    .description('make a read model anew from the events, while the old one goes on serving')
    .argument('[read-model]', 'sessions, conversation, cost-tree or tool-calls')
    .option('--all', 'all of them, one after the other')
    .option('--json', 'one JSON object per read model on stdout')
    .action(async (name: string | undefined, options: Options) => {
      const { rebuildReadModels } = await import('../rebuild-read-models.js');
      const { CommandLineError, EXIT } = await import('../failure.js');
      if ((name === undefined) === (options.all !== true)) {
        throw new CommandLineError('name one read model, or give --all', EXIT.usage);
      }
      await rebuildReadModels(name, (readModel, report) => {
        if (options.json) return printJson({ readModel, ...report });
        say(`${readModel} was rebuilt from ${counted(report.events, 'event')}.`);
      });
    });
}
