import type { Command } from 'commander';
import type { ChildCost, SessionCost } from '../../projections/cost-tree/cost-tree.query.js';
import type { Figures } from '../../projections/cost-tree/figures.js';
import { CommandLineError, EXIT } from '../failure.js';
import { print, printJson, say, table } from '../output.js';

export function addCost(program: Command): void {
  program
    .command('cost')
    .description('what a session has cost: by itself, below it, and together')
    .argument('<session>', 'id of the session')
    .option('--json', 'one JSON object on stdout')
    .action(async (sessionId: string, options: { readonly json?: boolean }) => {
      const { currentPosition, withLocalApplication } = await import('../local-application.js');
      const { GetSessionCost } = await import('../../projections/cost-tree/cost-tree.query.js');
      await withLocalApplication(async (application) => {
        const { tenantId } = application.scope(sessionId);
        const demand = { atLeast: await currentPosition(application), waitMs: 5_000 };
        const { cost } = await application.queries.execute(
          new GetSessionCost(tenantId, sessionId, {}, demand),
        );
        if (cost === undefined) {
          throw new CommandLineError(`there is no session ${sessionId}`, EXIT.notFound);
        }
        if (options.json) return printJson(cost);
        print(costText(cost));
        if (cost.asOf.stale) say('The read model has not caught up: ask again for newer figures.');
      });
    });
}

export function costText(cost: SessionCost): string {
  const rows = [
    row('own', cost.own),
    row('descendants', cost.descendants),
    row('inclusive', cost.inclusive),
    ...cost.children.map((child: ChildCost) =>
      row(`└ ${child.edge} ${child.sessionId}`, child.inclusive),
    ),
  ];
  return table([['', 'COST', 'CALLS', 'INPUT', 'OUTPUT', 'NOTE'], ...rows], [1, 2, 3, 4]);
}

function row(name: string, figures: Figures): readonly string[] {
  return [
    name,
    amountText(figures),
    String(figures.calls),
    tokens(figures, (bucket) => !bucket.startsWith('output')),
    tokens(figures, (bucket) => bucket.startsWith('output')),
    noteOf(figures),
  ];
}

/** What is not known is never shown as 0, and a total that lacks a part is a lower bound. */
function amountText({ amounts, calls, complete }: Figures): string {
  if (amounts.length === 0) return calls === 0 || complete ? '0' : 'unknown';
  const sum = amounts.map(({ amount, currency }) => `${amount} ${currency}`).join(' + ');
  return complete ? sum : `≥ ${sum}`;
}

function tokens({ usage }: Figures, counts: (bucket: string) => boolean): string {
  return Object.entries(usage)
    .filter(([bucket]) => counts(bucket))
    .reduce((sum, [, count]) => sum + BigInt(count), 0n)
    .toString();
}

/** A total that leaves something out says so. */
function noteOf(figures: Figures): string {
  const parts = [
    figures.unpricedCalls > 0 ? `${figures.unpricedCalls} without a price` : '',
    figures.unknownUsageCalls > 0 ? `${figures.unknownUsageCalls} with unknown usage` : '',
    figures.partialCalls > 0 ? `${figures.partialCalls} counted in part` : '',
    figures.estimatedCalls > 0 ? `${figures.estimatedCalls} estimated` : '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}
