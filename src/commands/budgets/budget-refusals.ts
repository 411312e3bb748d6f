import type { Budget } from '../../domain/budget/budget.js';
import { type LedgerState, heldPico } from '../../domain/budget/ledger.js';
import { formatPico } from '../../domain/money.js';
import { Rejection } from '../../domain/rejection.js';

const PERIOD_WORDS = { none: '', day: ' a day', month: ' a month' } as const;
const WAIT_WORDS = {
  none: '',
  day: ', or wait for the next day',
  month: ', or wait for the next month',
};

/** What is spent, held and left of a budget, in units. */
export function standingOf(budget: Budget, ledger: LedgerState) {
  const { budgetId, scope, period, currency, amountPico } = budget;
  const held = heldPico(ledger);
  const left = BigInt(amountPico) - BigInt(ledger.chargedPico) - held;
  return {
    budgetId,
    scope,
    period,
    currency,
    limit: units(amountPico),
    recorded: units(ledger.chargedPico),
    reserved: units(held),
    left: units(left > 0n ? left : 0n),
  };
}

/** The call does not fit. `fitsLater`: it would, once running calls have given back what they hold. */
export function callDoesNotFit(budget: Budget, ledger: LedgerState, wantedPico: string): Rejection {
  const standing = standingOf(budget, ledger);
  const { budgetId, currency, limit, recorded, reserved } = standing;
  const fitsLater = BigInt(ledger.chargedPico) + BigInt(wantedPico) <= BigInt(budget.amountPico);
  const wait = fitsLater ? ', or wait for calls that run' : WAIT_WORDS[budget.period];
  return new Rejection(
    'budget_exhausted',
    `budget ${budgetId} allows ${limit} ${currency}${PERIOD_WORDS[budget.period]}: ${recorded} is ` +
      `spent, ${reserved} is held for calls that run, and this call may cost ` +
      `${units(wantedPico)}. Set a larger amount, ask for less (maxOutputTokens)${wait}`,
    { ...standing, requested: units(wantedPico), fitsLater },
  );
}

export function nothingLeft(budget: Budget, ledger: LedgerState): Rejection {
  const standing = standingOf(budget, ledger);
  const { budgetId, currency, limit, recorded } = standing;
  return new Rejection(
    'budget_exhausted',
    `budget ${budgetId} allows ${limit} ${currency}${PERIOD_WORDS[budget.period]} and ${recorded} ` +
      `is spent. Set a larger amount${WAIT_WORDS[budget.period]}; a quarantined session then goes ` +
      'on with a resume',
    standing,
  );
}

export function noPrice(budget: Budget, reason: string): Rejection {
  const { budgetId, scope, currency } = budget;
  return new Rejection(
    'budget_unpriced',
    `budget ${budgetId} refuses calls whose price in ${currency} is not known (${reason}). Add a ` +
      'price card for the model, or set the budget with onUnpriced: allow',
    { budgetId, scope, currency, reason },
  );
}

function units(pico: string | bigint): string {
  return formatPico(BigInt(pico));
}
