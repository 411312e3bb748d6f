import { ApiProperty } from '@nestjs/swagger';
import { BUDGET_PERIODS } from '../../domain/budget/budget.js';

export class BudgetCrossingView {
  @ApiProperty({ enum: ['warn', 'stop'] })
  threshold: 'warn' | 'stop';

  @ApiProperty({ description: 'The threshold as it was set.' })
  limit: string;

  @ApiProperty({ description: 'What was spent then.' })
  spent: string;

  @ApiProperty({ format: 'date-time' })
  at: string;

  @ApiProperty({ required: false })
  sessionId?: string;

  @ApiProperty({ required: false })
  modelCallId?: string;

  @ApiProperty({ required: false, description: 'What a refused call might have cost.' })
  refused?: string;
}

/** Amounts are exact decimals in units of the currency, as text. */
export class BudgetView {
  @ApiProperty()
  budgetId: string;

  @ApiProperty({ type: Object, description: 'Whose model calls count: {kind, …}.' })
  scope: object;

  @ApiProperty({ enum: [...BUDGET_PERIODS] })
  period: string;

  @ApiProperty({ description: 'IANA time zone.' })
  zone: string;

  @ApiProperty()
  currency: string;

  @ApiProperty()
  amount: string;

  @ApiProperty({ required: false })
  warnAt?: string;

  @ApiProperty({ enum: ['deny', 'allow'] })
  onUnpriced: string;

  @ApiProperty()
  setBy: string;

  @ApiProperty({ required: false, description: 'The day or month that the figures are of.' })
  current?: string;

  @ApiProperty()
  spent: string;

  @ApiProperty({ description: 'Held for calls that run.' })
  reserved: string;

  @ApiProperty()
  left: string;

  @ApiProperty({ description: 'Calls that are charged.' })
  calls: number;

  @ApiProperty({ description: 'Of these: without a price, counted with what is certain.' })
  unpricedCalls: number;

  @ApiProperty()
  runningCalls: number;

  @ApiProperty({ type: [BudgetCrossingView], description: 'Thresholds that were reached.' })
  exceeded: readonly BudgetCrossingView[];
}

export class BudgetListView {
  @ApiProperty({ type: [BudgetView] })
  budgets: readonly BudgetView[];
}
