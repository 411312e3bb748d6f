import type { Command } from 'commander';
import type { FactVersion } from '../../history/read-facts.js';
import { print, printJson } from '../output.js';

interface Options {
  readonly at?: string;
  readonly retired?: boolean;
  readonly json?: boolean;
}

const VERSIONS_SHOWN_MAX = 200;

export function addFacts(program: Command): void {
  program
    .command('facts')
    .description('show the facts that every context of a session holds, or all versions of one')
    .argument('<session>', 'id of the session')
    .argument('[fact]', 'id of a fact: all its versions, the newest first')
    .option('--at <revision>', 'as they were at this revision')
    .option('--retired', 'also facts that hold no longer')
    .option('--json', 'one JSON object on stdout')
    .action(async (sessionId: string, factId: string | undefined, options: Options) => {
      const { withExistingStore } = await import('../local-application.js');
      const { ListFacts, ReadFact } = await import('../../history/read-facts.js');
      const { checkedRevision } = await import('../arguments.js');
      await withExistingStore(async ({ queries, scope }) => {
        if (factId !== undefined) {
          const query = new ReadFact(scope(sessionId), factId, VERSIONS_SHOWN_MAX);
          const history = await queries.execute(query);
          if (options.json) return printJson(history);
          const { versions } = history;
          for (const fact of versions) print(`${line(fact)}${fact.hidden ? ' (reverted)' : ''}`);
          return;
        }
        const at = checkedRevision('--at', options.at);
        const request = { at, includeRetired: options.retired };
        const facts = await queries.execute(new ListFacts(scope(sessionId), request));
        if (options.json) return printJson({ facts });
        for (const fact of facts) print(line(fact));
      });
    });
}

function line({ kind, factId, version, text, retired }: FactVersion): string {
  return `${kind} ${factId} v${version}${retired ? ' (retired)' : ''}: ${text}`;
}
