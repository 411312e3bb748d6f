import type { Command } from 'commander';
import type { Repricing } from '../../commands/reprice-calls/reprice-calls.handler.js';
import { type Amount, formatPico } from '../../domain/money.js';
import { CommandLineError, EXIT } from '../failure.js';
import { print, printJson, say } from '../output.js';

interface Options {
  readonly reason: string;
  readonly id?: string;
  readonly session?: string;
  readonly tree?: boolean;
  readonly provider?: string;
  readonly model?: string;
  readonly card?: string;
  readonly from?: string;
  readonly to?: string;
  readonly unpriced?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export function addReprice(prices: Command): void {
  prices
    .command('reprice')
    .description('price recorded calls again by the cards of now; the recorded cost stays readable')
    .requiredOption('--reason <text>', 'why; kept with every call that changes')
    .option(
      '--id <id>',
      'names this re-pricing, to go on after an interruption; default: a new one',
    )
    .option('--session <id>', 'only this session')
    .option('--tree', 'with --session: also all sessions below it')
    .option('--provider <name>', 'only of this provider')
    .option('--model <id>', 'only of this model, exactly')
    .option('--card <id>', 'only what this card priced')
    .option('--from <instant>', 'only calls that started then or later')
    .option('--to <instant>', 'only calls that started before')
    .option('--unpriced', 'only calls that have no price')
    .option('--dry-run', 'only say what would change')
    .option('--json', 'one JSON object on stdout')
    .action(async (options: Options) => {
      const { instantFault } = await import('../../commands/quote-prices/quote-prices.dto.js');
      for (const name of ['from', 'to'] as const) {
        const fault = options[name] === undefined ? undefined : instantFault(options[name]);
        if (fault !== undefined) throw new CommandLineError(`--${name} ${fault}`, EXIT.usage);
      }
      const { withExistingStore } = await import('../local-application.js');
      const { repriceAll } = await import('../repricing.js');
      const repricing = await withExistingStore((application) =>
        repriceAll(application, {
          repricingId: options.id ?? crypto.randomUUID(),
          reason: options.reason,
          sessionId: options.session,
          tree: options.tree ?? false,
          provider: options.provider,
          model: options.model,
          cardId: options.card,
          from: options.from,
          to: options.to,
          unpricedOnly: options.unpriced ?? false,
          dryRun: options.dryRun ?? false,
        }),
      );
      if (options.json) return printJson(repricing);
      print(repricingText(repricing));
      if (options.dryRun) say('Nothing was written.');
    });
}

function repricingText(repricing: Repricing): string {
  const { calls, sessions, before, unpricedBefore, after, leftUnpriced, changes } = repricing;
  const lines = changes.map(
    ({ sessionId, modelCallId, before: old, cost }) =>
      `${sessionId} ${modelCallId}  ${priceText(old)} -> ${priceText(cost)}`,
  );
  if (calls > changes.length) lines.push(`… and ${calls - changes.length} more`);
  const without = unpricedBefore === 0 ? '' : `, ${unpricedBefore} without a price`;
  lines.push(
    `${calls} calls in ${sessions} sessions: ${sumText(before)}${without} -> ${sumText(after)}`,
  );
  if (leftUnpriced > 0) lines.push(`${leftUnpriced} calls are still without a price`);
  return lines.join('\n');
}

function priceText(cost: Repricing['changes'][number]['before']): string {
  const card = cost.cardId === undefined ? '' : ` (${cost.cardId} version ${cost.cardVersion})`;
  if (cost.amountPico === null) return `no price${card}`;
  return `${formatPico(BigInt(cost.amountPico))} ${cost.currency}${card}`;
}

function sumText(amounts: readonly Amount[]): string {
  const sums = amounts.map(
    ({ currency, amountPico }) => `${formatPico(BigInt(amountPico))} ${currency}`,
  );
  return sums.join(' + ') || '0';
}
