import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { EXIT } from '../failure.js';
import { counted, printJson, say } from '../output.js';

interface Options {
  readonly checkpoints?: string;
  readonly json?: boolean;
}

export function addVerify(program: Command, exitWith: (code: number) => void): void {
  program
    .command('verify')
    .description('prove that no event was changed, removed or added since it was written')
    .option(
      '--checkpoints <file>',
      'checkpoints that were copied elsewhere, instead of the own ones',
    )
    .option('--json', 'one JSON object on stdout')
    .addHelpText(
      'after',
      '\nReads the whole log, needs no session’s key, and names the first place that is not as it was.' +
        '\nEvents behind the last checkpoint could have been cut off unnoticed. Exit code 0 only if all matches.',
    )
    .action(async (options: Options) => {
      const { withPorts } = await import('../with-ports.js');
      const { verifyLog } = await import('../../storage/sealed/verify-log.js');
      const { describePlace } = await import('../../storage/sealed/checkpoints.js');
      const { progressBar } = await import('../progress.js');
      const found = await withPorts(async ({ sealedEvents, checkpoints }) => {
        const lines =
          options.checkpoints === undefined
            ? await checkpoints.all()
            : (await readFile(options.checkpoints, 'utf8')).split('\n').filter(Boolean);
        const head = Number(await sealedEvents.headPosition());
        const bar = progressBar({
          unit: 'positions',
          interrupted: 'nothing was changed; verify again, from the beginning',
        });
        try {
          return await verifyLog(sealedEvents, checkpoints, lines, (position) =>
            bar.update(Number(position), head),
          );
        } finally {
          bar.stop();
        }
      });
      const { events, checkpoints, uncovered, broken } = found;
      if (broken !== undefined) exitWith(EXIT.failed);
      if (options.json) {
        const place = broken && { ...broken, position: String(broken.position) };
        return printJson({ events, checkpoints, uncovered, broken: place });
      }
      if (broken !== undefined) return say(`Broken at ${describePlace(broken)}.`);
      say(
        `${counted(events, 'event')} as they were written, by ${counted(checkpoints, 'checkpoint')}; ` +
          `${uncovered} of them are behind the last one.`,
      );
    });
}
