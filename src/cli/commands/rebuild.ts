import type { Command } from 'commander';
import { counted, printJson, say } from '../output.js';

export function addRebuild(program: Command): void {
  program
    .command('rebuild')
    .description('make a read model anew from the events, while the old one goes on serving')
    .argument('<read-model>', 'sessions, conversation or cost-tree')
    .option('--json', 'one JSON object on stdout')
    .action(async (name: string, options: { readonly json?: boolean }) => {
      const { withExistingStore } = await import('../local-application.js');
      const { Projectors } = await import('../../projections/projectors.js');
      const { progressBar } = await import('../progress.js');
      await withExistingStore(async ({ context }) => {
        const bar = progressBar('positions');
        const report = await context.get(Projectors).rebuild(name, ({ position, head }) => {
          bar.update(Number(position), Number(head));
        });
        bar.stop();
        if (options.json) return printJson(report);
        say(`${name} was rebuilt from ${counted(Number(report.events), 'event')}.`);
      });
    });
}
