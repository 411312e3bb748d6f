import type { Command } from 'commander';
import type { QuoteAnswer } from '../../commands/quote-prices/quote-prices.query.js';
import type { QuotedCallView } from '../../pricing/quote-view.js';
import { formatPico } from '../../domain/money.js';
import { CommandLineError, EXIT } from '../failure.js';
import { print, printJson, table } from '../output.js';

interface Options {
  readonly provider?: string;
  readonly api?: string;
  readonly model?: string;
  readonly tier?: string;
  readonly at?: string;
  readonly builtIn?: boolean;
  readonly json?: boolean;
}

export function addQuote(prices: Command): void {
  prices
    .command('quote')
    .description("usage and cost of a provider's response body: the same code as recording")
    .argument('[file]', 'the body as the provider sent it (JSON); - reads standard input', '-')
    .option('--provider <name>', 'anthropic, openai, …; default: the maker of the model')
    .option('--api <shape>', 'messages, chat, responses, …; default: seen from the fields')
    .option('--model <id>', 'the model asked for; the one that the body names counts first')
    .option('--tier <tier>', 'the service tier asked for; what the body names counts first')
    .option('--at <instant>', 'when the call started, such as 2026-03-01T12:00:00Z; default: now')
    .option('--built-in', 'leave your own price cards out')
    .option('--json', 'one JSON object on stdout')
    .addHelpText('after', '\nNeeds no data folder. Where there is one, its price cards count.')
    .action(async (file: string, options: Options) => {
      const { readJson } = await import('../json-file.js');
      const { instantFault } = await import('../../commands/quote-prices/quote-prices.dto.js');
      const { quoteAt } = await import('../../commands/quote-prices/quote-prices.query.js');
      const { withPrices } = await import('../tenant-cards.js');
      const { builtIn: builtInOnly, json, ...asked } = options;
      const fault = asked.at === undefined ? undefined : instantFault(asked.at);
      if (fault !== undefined) throw new CommandLineError(`--at ${fault}`, EXIT.usage);
      const response = (await readJson(file)) as Parameters<typeof quoteAt>[0]['response'];
      const quote = await withPrices(
        async (prices, tenantId) =>
          quoteAt({ response, ...asked }, Date.now(), await prices.cardsOf(tenantId)),
        { builtInOnly },
      );
      if (json) return printJson(quote);
      print(quoteText(quote));
    });
}

/** Buckets with their rates, then what they add up to. */
export function quoteText({ at, calls, total }: QuoteAnswer): string {
  const parts = calls.map((call) => callText(call));
  const sums = total.amounts.map(({ amount, currency }) => `${amount} ${currency}`);
  const notes = [
    total.unpricedCalls > 0
      ? `${total.unpricedCalls} without a price (${total.unpricedTokens} tokens)`
      : '',
    total.unknownUsageCalls > 0 ? `${total.unknownUsageCalls} with unknown usage` : '',
  ].filter((note) => note !== '');
  const sum = [sums.join(' + ') || 'not known', ...notes].join(', ');
  return [...parts, `total ${sum}; prices of ${at}`].join('\n\n');
}

function callText({ model, purpose, usage, cost, card }: QuotedCallView): string {
  const rates: Readonly<Record<string, string>> = { ...cost.rates };
  const fees: Readonly<Record<string, string>> = { ...cost.fees };
  const rows = [
    ...Object.entries(usage.billed ?? usage.buckets)
      .filter(([, tokens]) => tokens !== 0)
      .map(([bucket, tokens]) => [
        bucket,
        String(tokens),
        perMillion(rates[bucket], cost.currency),
      ]),
    ...Object.entries(usage.counts)
      .filter(([, count]) => count !== 0)
      .map(([name, count]) => [name, String(count), perUnit(fees[name], cost.currency)]),
  ];
  const head = `${model ?? 'no model named'}${purpose === undefined ? '' : ` (${purpose})`}`;
  return [
    `${head}: usage ${usage.state}`,
    ...(rows.length === 0 ? [] : [table([['', 'COUNT', 'RATE'], ...rows], [1])]),
    `${usage.inputTokens} in, ${usage.outputTokens} out`,
    ...(card === undefined
      ? []
      : [
          `card  ${card.cardId} version ${card.version} (${cost.match}), ` +
            card.sources.map(({ name }) => name).join(', '),
        ]),
    ...circumstances(cost),
    costLine(cost),
  ].join('\n');
}

type ShownCost = QuotedCallView['cost'];

function circumstances({ tier, contextTier, window, uplift, flags }: ShownCost): readonly string[] {
  const named = Object.entries({ tier, contextTier, window, uplift, flags: flags?.join(' ') });
  const shown = named.filter(([, value]) => value !== undefined);
  return shown.length === 0 ? [] : [shown.map(([name, value]) => `${name} ${value}`).join(', ')];
}

function costLine({ amountPico, amount, currency, source, reason, missing }: ShownCost): string {
  if (amountPico !== null) {
    const by = source === 'local' ? '' : `, as the ${source} says`;
    return `cost  ${amountPico} pico = ${amount} ${currency}${by}`;
  }
  const without = missing === undefined ? '' : ` (${missing.join(', ')})`;
  return `cost  not known: ${reason}${without}`;
}

function perMillion(rate: string | undefined, currency: string): string {
  return rate === undefined ? '-' : `${formatPico(BigInt(rate))} ${currency} per million`;
}

function perUnit(fee: string | undefined, currency: string): string {
  return fee === undefined ? '-' : `${formatPico(BigInt(fee))} ${currency} each`;
}
