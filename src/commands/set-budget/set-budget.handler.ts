import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Budget } from '../../domain/budget/budget.js';
import { parsePico } from '../../domain/money.js';
import { Rejection } from '../../domain/rejection.js';
import { TenantHandling, type TenantSender } from '../tenant-handling.js';
import type { SetBudgetBody } from './set-budget.dto.js';

/** Part of a stream's name, and no dot in it: a period follows behind one. */
const BUDGET_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

export class SetBudget extends Command<{ readonly changed: boolean }> {
  constructor(
    readonly sender: TenantSender,
    readonly budgetId: string,
    readonly body: SetBudgetBody,
  ) {
    super();
  }
}

export class RemoveBudget extends Command<void> {
  constructor(
    readonly sender: TenantSender,
    readonly budgetId: string,
  ) {
    super();
  }
}

@CommandHandler(SetBudget)
export class SetBudgetHandler implements ICommandHandler<SetBudget, { readonly changed: boolean }> {
  constructor(private readonly tenants: TenantHandling) {}

  async execute({ sender, budgetId, body }: SetBudget): Promise<{ readonly changed: boolean }> {
    if (!BUDGET_ID.test(budgetId)) {
      throw new Rejection(
        'invalid_request',
        "a budget's id has 1 to 64 letters, digits, - and _, and begins with a letter or digit",
        { budgetId },
      );
    }
    const { scope, amount, warnAt, currency, period, zone, onUnpriced } = body;
    const budget: Budget = {
      budgetId,
      scope,
      period,
      zone,
      currency,
      amountPico: pico(amount),
      ...(warnAt === undefined ? {} : { warnAtPico: pico(warnAt) }),
      onUnpriced,
      setBy: sender.actor,
    };
    const { events } = await this.tenants.handle(sender, { type: 'SetBudget', budget });
    return { changed: events.length > 0 };
  }
}

@CommandHandler(RemoveBudget)
export class RemoveBudgetHandler implements ICommandHandler<RemoveBudget, void> {
  constructor(private readonly tenants: TenantHandling) {}

  async execute({ sender, budgetId }: RemoveBudget): Promise<void> {
    await this.tenants.handle(sender, { type: 'RemoveBudget', budgetId });
  }
}

function pico(amount: string): string {
  return String(parsePico(amount)!.pico);
}
