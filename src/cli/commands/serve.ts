import type { Command } from 'commander';
import { say } from '../output.js';

export function addServe(program: Command): void {
  program
    .command('serve')
    .description('serve the API on this machine')
    .action(async () => {
      const { serve } = await import('../../app/serve.js');
      await serve(say);
    });
}
