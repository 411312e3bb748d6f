import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { CLOCK, type Clock } from '../../tokens.js';
import type { Budget } from '../../domain/budget/budget.js';
import { type BudgetCrossing, type LedgerState, heldPico } from '../../domain/budget/ledger.js';
import { formatPico } from '../../domain/money.js';
import { Rejection } from '../../domain/rejection.js';
import { BudgetLedgers } from '../budgets/budget-ledgers.js';
import { ledgerOf, periodOf } from '../budgets/budget-period.js';
import { TenantRepository } from '../tenant-repository.js';

/** A budget and how it stands; amounts in units of its currency, exact. */
export interface BudgetStanding extends Omit<Budget, 'amountPico' | 'warnAtPico'> {
  readonly amount: string;
  readonly warnAt?: string;
  /** `2026-03-29` or `2026-03`; absent without a period. */
  readonly current?: string;
  readonly spent: string;
  /** Held for calls that run. */
  readonly reserved: string;
  readonly left: string;
  readonly calls: number;
  readonly unpricedCalls: number;
  readonly runningCalls: number;
  readonly exceeded: readonly ShownCrossing[];
}

export interface ShownCrossing {
  readonly threshold: 'warn' | 'stop';
  readonly limit: string;
  readonly spent: string;
  readonly at: string;
  readonly sessionId?: string;
  readonly modelCallId?: string;
  /** What a refused call might have cost; absent when a cost crossed the threshold. */
  readonly refused?: string;
}

export class ReadBudgets extends Query<readonly BudgetStanding[]> {
  constructor(
    readonly tenantId: string,
    /** One, or all of the tenant in the order in which they were set. */
    readonly budgetId?: string,
  ) {
    super();
  }
}

@QueryHandler(ReadBudgets)
export class ReadBudgetsHandler implements IQueryHandler<ReadBudgets, readonly BudgetStanding[]> {
  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly tenants: TenantRepository,
    private readonly ledgers: BudgetLedgers,
  ) {}

  /** @throws Rejection `not_found`. */
  async execute({ tenantId, budgetId }: ReadBudgets): Promise<readonly BudgetStanding[]> {
    const { budgets } = await this.tenants.current(tenantId);
    const wanted = budgets.filter((one) => budgetId === undefined || one.budgetId === budgetId);
    if (budgetId !== undefined && wanted.length === 0) {
      throw new Rejection('not_found', `there is no budget ${budgetId}`);
    }
    const now = this.clock();
    const standings: BudgetStanding[] = [];
    for (const budget of wanted) {
      const ledger = await this.ledgers.current(tenantId, ledgerOf(budget, now));
      standings.push(standingOf(budget, ledger, periodOf(budget, now)));
    }
    return standings;
  }
}

function standingOf(
  { amountPico, warnAtPico, ...budget }: Budget,
  ledger: LedgerState,
  current: string | undefined,
): BudgetStanding {
  const reserved = heldPico(ledger);
  const left = BigInt(amountPico) - BigInt(ledger.chargedPico) - reserved;
  const crossings = [ledger.crossings.warn, ledger.crossings.stop];
  return {
    ...budget,
    amount: units(amountPico),
    ...(warnAtPico === undefined ? {} : { warnAt: units(warnAtPico) }),
    ...(current === undefined ? {} : { current }),
    spent: units(ledger.chargedPico),
    reserved: units(reserved),
    left: units(left > 0n ? left : 0n),
    calls: ledger.calls,
    unpricedCalls: ledger.unpricedCalls,
    runningCalls: Object.keys(ledger.held).length,
    exceeded: crossings.flatMap((one) => (one === undefined ? [] : [shown(one)])),
  };
}

function shown(crossing: BudgetCrossing): ShownCrossing {
  const { threshold, limitPico, chargedPico, refusedPico, sessionId, modelCallId, at } = crossing;
  const refused = refusedPico === undefined ? {} : { refused: units(refusedPico) };
  const by = { sessionId, modelCallId, ...refused };
  return { threshold, limit: units(limitPico), spent: units(chargedPico), at, ...by };
}

function units(pico: string | bigint): string {
  return formatPico(BigInt(pico));
}
