import type { Command } from 'commander';
import type { Branch } from '../../history/compare-sessions.js';
import { CommandLineError, EXIT } from '../failure.js';
import { print, printJson, say } from '../output.js';

interface Options {
  readonly items: string;
  readonly from?: string;
  readonly to?: string;
  readonly json?: boolean;
}

const ITEMS_MAX = 200;

export function addDiff(program: Command): void {
  program
    .command('diff')
    .description('compare two sessions from their common history on, or two versions of one')
    .argument('<session>', 'id of a session')
    .argument('[other]', 'id of a fork of it, of its parent, or of another fork')
    .option('--from <version>', 'without another session: the older version of this one')
    .option('--to <version>', 'the newer version (default: the newest)')
    .option('--items <count>', 'how many items of each to show', '50')
    .option('--json', 'one JSON object on stdout')
    .action(async (sessionId: string, otherId: string | undefined, options: Options) => {
      const { withExistingStore } = await import('../local-application.js');
      if (otherId === undefined) {
        const { printVersionDifference } = await import('../version-difference.js');
        return withExistingStore((application) =>
          printVersionDifference(application, sessionId, options),
        );
      }
      refuseVersions(options);
      const { CompareSessions } = await import('../../history/compare-sessions.js');
      const { comparisonView } = await import('../../api/rest/comparison-views.js');
      const { checkedCount } = await import('../arguments.js');
      const first = checkedCount('--items', options.items, ITEMS_MAX);
      await withExistingStore(async ({ queries, configuration }) => {
        const page = { first, from: { one: 0, other: 0 } };
        const query = new CompareSessions(configuration.tenant, sessionId, otherId, page);
        const comparison = await queries.execute(query);
        const view = comparisonView(comparison);
        if (options.json) return printJson(view);
        const { formatPico } = await import('../../domain/money.js');
        for (const [mark, branch] of [
          ['<', comparison.one] as const,
          ['>', comparison.other] as const,
        ]) {
          printBranch(mark, branch, formatPico);
        }
        for (const { factId, one, other } of comparison.facts) {
          print(`fact ${factId}: "${one?.text ?? ''}" | "${other?.text ?? ''}"`);
        }
        say(view.note);
      });
    });
}

function refuseVersions({ from, to }: Options): void {
  if (from === undefined && to === undefined) return;
  throw new CommandLineError(
    '--from and --to compare versions of one session: leave the other one out',
    EXIT.usage,
  );
}

function printBranch(
  mark: string,
  { sessionId, items, next, counts, cost }: Branch,
  format: (pico: bigint) => string,
): void {
  const spent = cost.amounts.map((sum) => `${format(BigInt(sum.amountPico))} ${sum.currency}`);
  const { messages, toolCalls } = counts;
  const unpriced = cost.unpricedCalls === 0 ? '' : `, ${cost.unpricedCalls} model calls unpriced`;
  print(
    `${mark} ${sessionId}: ${messages} messages, ${toolCalls} tool calls, ` +
      `${spent.join(' + ') || 'no cost'}${unpriced}`,
  );
  for (const { kind, tool, state, text } of items) {
    const what = tool === undefined ? kind : `${tool} (${state ?? 'unknown'})`;
    print(`${mark}   ${what}: ${text.replaceAll(/\s+/g, ' ')}`);
  }
  if (next !== undefined) print(`${mark}   …`);
}
