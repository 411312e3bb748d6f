import { type Command, Option } from 'commander';
import type { ParentEdge } from '../../domain/events/session-events.js';
import { costText, seriesText } from '../cost-text.js';
import { CommandLineError, EXIT } from '../failure.js';
import type { LocalApplication } from '../local-application.js';
import { print, printJson, say } from '../output.js';

interface Options {
  readonly by?: string;
  readonly label?: string;
  readonly edges?: string;
  readonly asOf?: string;
  readonly user?: string;
  readonly model?: string;
  readonly from?: string;
  readonly to?: string;
  readonly zone?: string;
  readonly csv?: boolean;
  readonly json?: boolean;
}

const EDGES: readonly string[] = ['subagent', 'continuation', 'fork'];

export function addCost(program: Command): void {
  program
    .command('cost')
    .description(
      'what a session and everything below it has cost; without one, all sessions by day',
    )
    .argument('[session]', 'id of the session')
    .option(
      '--by <what>',
      'of a session: model, purpose, kind, run, user, label or day; of all sessions: day, model, ' +
        'user, label, session, day and one of these with a comma, or total',
    )
    .option('--label <label>', 'name of the label to split by; without a session also name=value')
    .option('--edges <kinds>', 'which children count: subagent, continuation, fork, with commas')
    .option('--as-of <moment>', 'as it was: version:<revision>, position:<position> or a time')
    .option('--user <user>', 'without a session: only what this user has caused')
    .option('--model <model>', 'without a session: only calls that this model answered')
    .option('--from <time>', 'first day, or an instant; included')
    .option('--to <time>', 'the day or instant at which to end; not included')
    .option('--zone <zone>', 'IANA time zone of days (default: UTC)')
    .addOption(new Option('--csv', 'a table for spreadsheets on stdout').conflicts('json'))
    .option('--json', 'one JSON object on stdout')
    .action(async (sessionId: string | undefined, options: Options) => {
      const { withExistingStore } = await import('../local-application.js');
      await withExistingStore((application) =>
        sessionId === undefined
          ? showSeries(application, options)
          : showSession(application, sessionId, options),
      );
    });
}

async function showSession(
  application: LocalApplication,
  sessionId: string,
  options: Options,
): Promise<void> {
  const { GetSessionCost } = await import('../../projections/cost-tree/cost-tree.query.js');
  const { groupsCsv } = await import('../../projections/cost-series/series-csv.js');
  refuse(options, ['user', 'model'], 'goes with all sessions, not with one');
  if (options.csv && options.by === undefined) throw usage('--csv needs --by');
  const { label, asOf, from, to, zone } = options;
  const by = await checkedSplit(options.by);
  const scope = { edges: checkedEdges(options.edges), by, label, asOf, from, to, zone };
  const { tenantId } = application.scope(sessionId);
  const { cost } = await application.queries.execute(
    new GetSessionCost(tenantId, sessionId, scope, await current(application)),
  );
  if (cost === undefined) {
    const then = asOf === undefined ? '' : ` at ${asOf}`;
    throw new CommandLineError(`there is no session ${sessionId}${then}`, EXIT.notFound);
  }
  if (options.json) return printJson(cost);
  if (options.csv) process.stdout.write(groupsCsv(cost.groups ?? []));
  else print(costText(cost));
  sayStale(cost.asOf);
}

async function showSeries(application: LocalApplication, options: Options): Promise<void> {
  const { GetCostSeries } = await import('../../projections/cost-series/cost-series.query.js');
  const { seriesWishOf, isGroupBy } = await import('../../projections/cost-series/series-wish.js');
  const { seriesCsv } = await import('../../projections/cost-series/series-csv.js');
  refuse(options, ['edges', 'asOf'], 'goes with a session: holdfast cost <session>');
  const { by: groupBy = 'day' } = options;
  if (!isGroupBy(groupBy)) {
    throw usage('without a session --by is day, model, user, label, session, day,<one>, or total');
  }
  const wish = seriesWishOf({ ...options, groupBy });
  const { tenantId } = application.scope('');
  const series = await application.queries.execute(
    new GetCostSeries(tenantId, wish, await current(application)),
  );
  if (options.json) return printJson(series);
  if (options.csv) process.stdout.write(seriesCsv(series.rows, wish));
  else print(seriesText(series));
  sayStale(series.asOf);
}

async function current(application: LocalApplication) {
  const { currentPosition } = await import('../local-application.js');
  return { atLeast: await currentPosition(application), waitMs: 5_000 };
}

async function checkedSplit(text: string | undefined) {
  if (text === undefined) return undefined;
  const { SPLITS } = await import('../../projections/cost-tree/cost-groups.js');
  const known = SPLITS.find((split) => split === text);
  if (known !== undefined) return known;
  throw usage(`--by of a session is one of ${SPLITS.join(', ')}, not "${text}"`);
}

function checkedEdges(text: string | undefined): readonly ParentEdge[] | undefined {
  const edges = text?.split(',');
  const wrong = edges?.find((edge) => !EDGES.includes(edge));
  if (wrong === undefined) return edges as readonly ParentEdge[] | undefined;
  throw usage(`--edges are some of ${EDGES.join(', ')}, not "${wrong}"`);
}

function refuse(options: Options, names: readonly (keyof Options)[], why: string): void {
  const given = names.find((name) => options[name] !== undefined);
  if (given !== undefined) throw usage(`--${given === 'asOf' ? 'as-of' : given} ${why}`);
}

function usage(message: string): CommandLineError {
  return new CommandLineError(message, EXIT.usage);
}

function sayStale({ stale }: { readonly stale: boolean }): void {
  if (stale) say('The read model has not caught up: ask again for newer figures.');
}
