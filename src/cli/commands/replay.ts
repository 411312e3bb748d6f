import { once } from 'node:events';
import type { Command } from 'commander';
import { CommandLineError, EXIT } from '../failure.js';
import type { Terminal } from '../replay/step-through.js';

interface Options {
  readonly at?: string;
  readonly redact?: boolean;
  readonly json?: boolean;
}

export function addReplay(program: Command): void {
  program
    .command('replay')
    .description('step through a session version by version: state, model input, cost')
    .argument('<session>', 'id of the session')
    .option('--at <version>', 'begin at this version')
    .option('--redact', 'mask secrets by the rules of now')
    .option('--json', 'one JSON object per version and line on stdout')
    .addHelpText('after', '\nWithout a terminal it prints every version as plain text.')
    .action(async (sessionId: string, options: Options) => {
      const { withExistingStore } = await import('../local-application.js');
      const { ReplaySession } = await import('../../audit/replay-session.js');
      const { checkedRevision } = await import('../arguments.js');
      const at = checkedRevision('--at', options.at);
      await withExistingStore(async ({ queries, scope }) => {
        const replay = await queries.execute(new ReplaySession(scope(sessionId), options.redact));
        if (at !== undefined && at > replay.newest) {
          throw new CommandLineError(`the newest version is ${replay.newest}`, EXIT.usage);
        }
        const isWatched = process.stdin.isTTY && process.stdout.isTTY;
        if (isWatched && !options.json) {
          const { stepThrough } = await import('../replay/step-through.js');
          return withTerminal((terminal) => stepThrough(replay, at ?? 0, terminal));
        }
        if (options.json) {
          const { printJson } = await import('../output.js');
          for (let version = at ?? 0; version <= replay.newest; version += 1) {
            printJson(await replay.step(version));
          }
          return;
        }
        const { transcriptOf } = await import('../replay/transcript.js');
        for await (const block of transcriptOf(replay, at ?? 0)) {
          if (!process.stdout.write(`${block}\n`)) await once(process.stdout, 'drain');
        }
      });
    });
}

async function withTerminal(work: (terminal: Terminal) => Promise<void>): Promise<void> {
  const { stdin, stdout } = process;
  stdin.setRawMode(true);
  stdin.setEncoding('utf8');
  try {
    await work({
      keys: stdin as AsyncIterable<string>,
      size: () => ({ columns: stdout.columns ?? 80, rows: stdout.rows ?? 24 }),
      write: (text) => void stdout.write(text),
    });
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
  }
}
