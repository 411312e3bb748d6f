import type { Command } from 'commander';
import { formatPico } from '../../domain/money.js';
import type { PriceCard } from '../../domain/price-card.js';
import type { CheckedOverrides } from '../../pricing/check-overrides.js';
import type { CardChange } from '../../pricing/plan-update.js';
import { CommandLineError, EXIT } from '../failure.js';
import { counted, print, printJson, say, table } from '../output.js';
import { addQuote } from './prices-quote.js';
import { addReprice } from './prices-reprice.js';

interface ListOptions {
  readonly provider?: string;
  readonly model?: string;
  readonly json?: boolean;
}

interface UpdateOptions {
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

const FILE = 'JSON: a card, a list of cards, or {"cards": […]}; - reads standard input';
const LIST_MAX = 10_000;

export function addPrices(program: Command): void {
  const prices = program
    .command('prices')
    .description('price cards: list, add, check, update; quote what a response costs; reprice');
  addList(prices);
  addQuote(prices);
  addCheck(prices);
  addAdd(prices);
  addUpdate(prices);
  addReprice(prices);
}

function addList(prices: Command): void {
  prices
    .command('list')
    .description('list the price cards, your own first')
    .option('--provider <name>', 'only of this provider, by any of its names')
    .option('--model <id>', 'only those that price this model')
    .option('--json', 'one JSON object with the whole cards on stdout')
    .action(async ({ provider, model, json }: ListOptions) => {
      const { withPrices } = await import('../tenant-cards.js');
      const { ListPriceCards, ListPriceCardsHandler } =
        await import('../../commands/list-price-cards/list-price-cards.query.js');
      const page = await withPrices((prices, tenantId) => {
        const query = new ListPriceCards(tenantId, { provider, model }, { limit: LIST_MAX });
        return new ListPriceCardsHandler(prices).execute(query);
      });
      if (json) return printJson(page);
      if (page.cards.length === 0) {
        return say('No price card: calls of this model have no price, which is not a price of 0.');
      }
      print(cardTable(page.cards));
    });
}

function addCheck(prices: Command): void {
  prices
    .command('check')
    .description('check a file of price cards and say every problem; writes nothing')
    .argument('<file>', FILE)
    .option('--json', 'one JSON object on stdout')
    .action(async (file: string, { json }: { readonly json?: boolean }) => {
      const checked = await checkedFile(file);
      if (json) printJson({ cards: checked.cards.length, errors: checked.faults });
      refuseFaults(checked, file);
      if (!json) print(`${counted(checked.cards.length, 'card')} can be added.`);
    });
}

function addAdd(prices: Command): void {
  prices
    .command('add')
    .description('add price cards of your own; no past cost changes')
    .argument('<file>', FILE)
    .option('--json', 'one JSON object on stdout')
    .action(async (file: string, { json }: { readonly json?: boolean }) => {
      const { cards } = refuseFaults(await checkedFile(file), file);
      const { withLocalApplication } = await import('../local-application.js');
      const { addInBatches } = await import('../price-updates.js');
      const added = await withLocalApplication((application) => addInBatches(application, cards));
      if (json) return printJson({ cards: added });
      for (const card of added) {
        print(`${card.added ? 'added' : 'there already'}  ${card.cardId} version ${card.version}`);
      }
    });
}

function addUpdate(prices: Command): void {
  prices
    .command('update')
    .description('bring your cards to what a file says: a new version of each that differs')
    .argument('<file>', FILE)
    .option('--dry-run', 'only say what would change')
    .option('--json', 'one JSON object on stdout')
    .addHelpText('after', '\nVersions are counted for you. A card that the file lacks stays.')
    .action(async (file: string, { dryRun = false, json }: UpdateOptions) => {
      const { withFirstVersion } = await import('../price-updates.js');
      const { cards } = refuseFaults(await checkedFile(file, withFirstVersion), file);
      const { withLocalApplication } = await import('../local-application.js');
      const { updateCards } = await import('../price-updates.js');
      const changes = await withLocalApplication((application) =>
        updateCards(application, cards, dryRun),
      );
      if (json) return printJson({ dryRun, changes });
      print(changeText(changes));
      if (dryRun) say('Nothing was written.');
    });
}

async function checkedFile(
  file: string,
  prepare: (card: unknown) => unknown = (card) => card,
): Promise<CheckedOverrides> {
  const { readJson } = await import('../json-file.js');
  const { listedCards } = await import('../../pricing/check-overrides.js');
  const { checkedForTenant } =
    await import('../../commands/add-price-cards/add-price-cards.handler.js');
  const { localActor } = await import('../local-actor.js');
  return checkedForTenant(listedCards(await readJson(file)).map(prepare), localActor());
}

function refuseFaults(checked: CheckedOverrides, file: string): CheckedOverrides {
  const { faults } = checked;
  if (faults.length === 0) return checked;
  for (const { at, message } of faults) say(`${at}: ${message}`);
  const problems = faults.length === 1 ? 'a problem' : `${faults.length} problems`;
  throw new CommandLineError(`${file} has ${problems}; nothing was written`, EXIT.usage);
}

function cardTable(cards: readonly PriceCard[]): string {
  const rows = cards.map(({ cardId, version, status, rates, currency, effectiveFrom }) => [
    cardId,
    String(version),
    status === 'override' ? 'own' : 'built-in',
    perMillion(rates.inputFresh),
    perMillion(rates.outputText),
    currency,
    effectiveFrom?.slice(0, 10) ?? '',
  ]);
  const head = ['CARD', 'VERSION', 'FROM', 'INPUT/M', 'OUTPUT/M', '', 'SINCE'];
  return table([head, ...rows], [1, 3, 4]);
}

function perMillion(rate: string | undefined): string {
  return rate === undefined ? '-' : formatPico(BigInt(rate));
}

function changeText(changes: readonly CardChange[]): string {
  const lines = changes
    .filter(({ change }) => change !== 'unchanged')
    .flatMap(({ cardId, change, version, fields }) => [
      `${change}  ${cardId} version ${version}`,
      ...fields.map((field) => `  ${field}`),
    ]);
  const unchanged = changes.length - changes.filter((one) => one.change !== 'unchanged').length;
  return [...lines, `${counted(unchanged, 'card')} unchanged.`].join('\n');
}
