import { ApiProperty } from '@nestjs/swagger';
import type { Repricing } from '../../commands/reprice-calls/reprice-calls.handler.js';
import { type Amount, formatPico } from '../../domain/money.js';

export class AmountView {
  @ApiProperty()
  currency: string;

  @ApiProperty({ description: 'Whole pico-units, as text.' })
  amountPico: string;

  @ApiProperty({ description: 'The same in units: exact.' })
  amount: string;
}

export class RepricedCallView {
  @ApiProperty()
  sessionId: string;

  @ApiProperty()
  modelCallId: string;

  @ApiProperty({
    type: Object,
    description: '{amountPico, currency, source, cardId?, cardVersion?}: what it cost until now.',
  })
  before: object;

  @ApiProperty({ type: Object, description: 'What it costs now, with card and rates.' })
  cost: object;
}

export class RepricingView {
  @ApiProperty()
  repricingId: string;

  @ApiProperty({ description: 'True: nothing was written.' })
  dryRun: boolean;

  @ApiProperty({ description: 'Calls that changed, or would change.' })
  calls: number;

  @ApiProperty({ description: 'Sessions that they are in.' })
  sessions: number;

  @ApiProperty({ type: [AmountView], description: 'What these calls cost before.' })
  before: readonly AmountView[];

  @ApiProperty({ description: 'Of these calls: those that had no price.' })
  unpricedBefore: number;

  @ApiProperty({ type: [AmountView], description: 'What they cost after.' })
  after: readonly AmountView[];

  @ApiProperty({ description: 'Other calls in this part of the log: still without a price.' })
  leftUnpriced: number;

  @ApiProperty({ type: [RepricedCallView], description: 'The first of them.' })
  changes: readonly RepricedCallView[];

  @ApiProperty({ required: false, description: 'There is more: send this as `after`.' })
  next?: string;
}

export function repricingView(repricing: Repricing): RepricingView {
  const { before, after, changes } = repricing;
  return {
    ...repricing,
    before: before.map(amountView),
    after: after.map(amountView),
    changes: changes.map(({ callKey: _callKey, ...change }) => change),
  };
}

function amountView({ currency, amountPico }: Amount): AmountView {
  return { currency, amountPico, amount: formatPico(BigInt(amountPico)) };
}
