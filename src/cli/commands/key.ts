import type { Command } from 'commander';
import { print, say } from '../output.js';

export function addKey(program: Command): void {
  program
    .command('key')
    .description('print the API key of this installation')
    .action(async () => {
      const { loadConfiguration } = await import('../../config/load-configuration.js');
      const { keyFile, readApiKey } = await import('../../app/open-ports.js');
      const configuration = loadConfiguration(process.env);
      const key = await readApiKey(configuration);
      say(keyFile(configuration));
      print(key);
    });
}
