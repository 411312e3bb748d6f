import type { Budget } from '../budget/budget.js';
import { Rejection } from '../rejection.js';
import { sameContent } from './same-content.js';

export type BudgetEvent =
  | { readonly type: 'BudgetSet'; readonly data: { readonly budget: Budget } }
  | { readonly type: 'BudgetRemoved'; readonly data: { readonly budgetId: string } };

export const BUDGETS_MAX = 10_000;

/**
 * Sets or changes a budget; the same again changes nothing. What it is about stays: its ledger was
 * kept for that.
 * @throws Rejection `id_in_use`, `invalid_request`, `limit_exceeded`.
 */
export function setBudget(budget: Budget, budgets: readonly Budget[]): readonly BudgetEvent[] {
  const { budgetId, currency, scope } = budget;
  refuseWrongAmounts(budget);
  const known = budgets.find((one) => one.budgetId === budgetId);
  if (known === undefined) {
    if (budgets.length >= BUDGETS_MAX) {
      throw new Rejection('limit_exceeded', `a tenant has at most ${BUDGETS_MAX} budgets`, {
        limit: 'budgetsMax',
      });
    }
    return [{ type: 'BudgetSet', data: { budget } }];
  }
  if (known.currency !== currency || !sameContent(known.scope, scope)) {
    throw new Rejection(
      'id_in_use',
      `budget ${budgetId} is about something else; take another id, or remove it first`,
      { budgetId, scope: known.scope, currency: known.currency },
    );
  }
  const { setBy: _by, ...content } = budget;
  const { setBy: _before, ...knownContent } = known;
  return sameContent(content, knownContent) ? [] : [{ type: 'BudgetSet', data: { budget } }];
}

function refuseWrongAmounts({ budgetId, amountPico, warnAtPico }: Budget): void {
  if (BigInt(amountPico) >= 0n && BigInt(warnAtPico ?? 0) <= BigInt(amountPico)) return;
  throw new Rejection('invalid_request', 'warnAt is above the amount: it would never be reached', {
    budgetId,
  });
}

export function removeBudget(budgetId: string, budgets: readonly Budget[]): readonly BudgetEvent[] {
  if (!budgets.some((budget) => budget.budgetId === budgetId)) {
    throw new Rejection('not_found', `there is no budget ${budgetId}`);
  }
  return [{ type: 'BudgetRemoved', data: { budgetId } }];
}
