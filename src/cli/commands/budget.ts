import type { Command } from 'commander';
import type { BudgetStanding } from '../../commands/read-budgets/read-budgets.query.js';
import type { SetBudgetBody } from '../../commands/set-budget/set-budget.dto.js';
import { CommandLineError, EXIT } from '../failure.js';
import { print, printJson, say, table } from '../output.js';

interface SetOptions {
  readonly amount: string;
  readonly warnAt?: string;
  readonly tenant?: boolean;
  readonly tree?: string;
  readonly session?: string;
  readonly run?: string;
  readonly user?: string;
  readonly label?: string;
  readonly period?: string;
  readonly zone?: string;
  readonly currency?: string;
  readonly onUnpriced?: string;
  readonly json?: boolean;
}

interface JsonOption {
  readonly json?: boolean;
}

export function addBudget(program: Command): void {
  const budget = program
    .command('budget')
    .description('budgets: how much model calls may cost; set, show, list, remove');
  addSet(budget);
  addShow(budget);
  addList(budget);
  addRemove(budget);
}

function addSet(budget: Command): void {
  budget
    .command('set')
    .description('set a budget, or other amounts of it; calls count from then on')
    .argument('<id>', 'a name for it: letters, digits, - and _')
    .requiredOption('--amount <amount>', 'what may be spent, such as 25.00')
    .option('--warn-at <amount>', 'an event is written when so much is spent; nothing stops')
    .option('--tenant', 'every model call counts')
    .option('--tree <session>', 'calls of this session and of all below it count')
    .option('--session <session>', 'calls of this session count')
    .option('--run <run>', 'with --session: calls of this run count')
    .option('--user <name>', 'calls count that this author’s inputs caused')
    .option('--label <name=value>', 'calls of sessions with this label count')
    .option('--period <period>', 'none, day or month', 'none')
    .option('--zone <zone>', 'time zone in which days and months begin', 'UTC')
    .option('--currency <code>', 'only costs in this currency count', 'USD')
    .option('--on-unpriced <how>', 'a call whose price is not known: deny or allow', 'deny')
    .option('--json', 'one JSON object on stdout')
    .action(async (budgetId: string, options: SetOptions) => {
      const body = await checkedBody(options);
      const { withLocalApplication } = await import('../local-application.js');
      const { SetBudget } = await import('../../commands/set-budget/set-budget.handler.js');
      await withLocalApplication(async ({ commands, scope }) => {
        const { tenantId, actor } = scope('');
        const { changed } = await commands.execute(
          new SetBudget({ tenantId, actor }, budgetId, body),
        );
        if (!changed) say(`Budget ${budgetId} was so already.`);
      });
      await show(budgetId, options);
    });
}

async function checkedBody(options: SetOptions): Promise<SetBudgetBody> {
  const { plainToInstance } = await import('class-transformer');
  const { validate } = await import('class-validator');
  const { SetBudgetBody } = await import('../../commands/set-budget/set-budget.dto.js');
  const { amount, warnAt, period, zone, currency, onUnpriced } = options;
  const given = { scope: scopeOf(options), amount, warnAt, period, zone, currency, onUnpriced };
  const body = plainToInstance(SetBudgetBody, given);
  const faults = (await validate(body)).flatMap(({ constraints }) =>
    Object.values(constraints ?? {}),
  );
  if (faults.length > 0) throw new CommandLineError(faults.join('; '), EXIT.usage);
  return body;
}

function scopeOf({ tenant, tree, session, run, user, label }: SetOptions): object {
  const scopes: object[] = [];
  if (tenant === true) scopes.push({ kind: 'tenant' });
  if (tree !== undefined) scopes.push({ kind: 'tree', sessionId: tree });
  if (session !== undefined) {
    const ofRun = run === undefined ? { kind: 'session' } : { kind: 'run', runId: run };
    scopes.push({ ...ofRun, sessionId: session });
  }
  if (user !== undefined) scopes.push({ kind: 'user', user });
  if (label !== undefined) {
    const [name = '', ...value] = label.split('=');
    scopes.push({ kind: 'label', name, value: value.join('=') });
  }
  const isRunAlone = run !== undefined && session === undefined;
  if (scopes.length === 1 && !isRunAlone) return scopes[0]!;
  throw new CommandLineError(
    'say whose calls count: one of --tenant, --tree, --session (with or without ' +
      '--run), --user, --label',
    EXIT.usage,
  );
}

function addShow(budget: Command): void {
  budget
    .command('show')
    .description('what is spent, held and left of a budget')
    .argument('<id>', 'its name')
    .option('--json', 'one JSON object on stdout')
    .action(show);
}

async function show(budgetId: string, { json }: JsonOption): Promise<void> {
  const [standing] = await standings(budgetId);
  if (json) return printJson(standing);
  print(budgetText(standing!));
}

function addList(budget: Command): void {
  budget
    .command('list')
    .description('all budgets, and what is left of each')
    .option('--json', 'one JSON object on stdout')
    .action(async ({ json }: JsonOption) => {
      const budgets = await standings();
      if (json) return printJson({ budgets });
      if (budgets.length === 0) return say('No budget is set: model calls may cost anything.');
      const rows = budgets.map((one) => [
        one.budgetId,
        scopeText(one),
        `${one.spent} of ${one.amount} ${one.currency}`,
        one.left,
        one.current ?? '',
        one.exceeded.map(({ threshold }) => threshold).join(' '),
      ]);
      print(table([['BUDGET', 'FOR', 'SPENT', 'LEFT', 'IN', 'REACHED'], ...rows], [3]));
    });
}

function addRemove(budget: Command): void {
  budget
    .command('remove')
    .description('remove a budget; what was spent of it stays in the log')
    .argument('<id>', 'its name')
    .action(async (budgetId: string) => {
      const { withLocalApplication } = await import('../local-application.js');
      const { RemoveBudget } = await import('../../commands/set-budget/set-budget.handler.js');
      await withLocalApplication(async ({ commands, scope }) => {
        const { tenantId, actor } = scope('');
        await commands.execute(new RemoveBudget({ tenantId, actor }, budgetId));
      });
      print(`removed  ${budgetId}`);
    });
}

async function standings(budgetId?: string): Promise<readonly BudgetStanding[]> {
  const { withLocalApplication } = await import('../local-application.js');
  const { ReadBudgets } = await import('../../commands/read-budgets/read-budgets.query.js');
  return withLocalApplication(({ queries, scope }) =>
    queries.execute(new ReadBudgets(scope('').tenantId, budgetId)),
  );
}

function budgetText(one: BudgetStanding): string {
  const period = one.period === 'none' ? '' : ` a ${one.period} (${one.zone}), now ${one.current}`;
  const lines = [
    `${one.budgetId}  ${scopeText(one)}`,
    `${one.amount} ${one.currency}${period}`,
    `spent ${one.spent} in ${one.calls} calls, held ${one.reserved} for ${one.runningCalls}, left ${one.left}`,
    one.warnAt === undefined ? '' : `warns at ${one.warnAt}`,
    one.onUnpriced === 'allow' ? `lets calls without a price through: ${one.unpricedCalls}` : '',
    ...one.exceeded.map(
      ({ threshold, limit, at, refused }) =>
        `${threshold} at ${limit} reached ${at}${refused === undefined ? '' : ` by a call of up to ${refused}, refused`}`,
    ),
  ];
  return lines.filter((line) => line !== '').join('\n');
}

function scopeText({ scope }: BudgetStanding): string {
  switch (scope.kind) {
    case 'tenant':
      return 'everything';
    case 'tree':
    case 'session':
      return `${scope.kind} ${scope.sessionId}`;
    case 'run':
      return `run ${scope.runId} of session ${scope.sessionId}`;
    case 'user':
      return `user ${scope.user}`;
    case 'label':
      return `label ${scope.name}=${scope.value}`;
  }
}
