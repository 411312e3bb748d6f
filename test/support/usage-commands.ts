import type { CommandOf, SessionCommandType } from '../../src/domain/commands.js';
import type { Cost } from '../../src/domain/money.js';
import type { Buckets, Usage, UsageState } from '../../src/domain/usage.js';
import { at } from './commands.js';

/** Commands about usage and prices of settled model calls; sane defaults. */

type Given<T extends SessionCommandType> = Partial<Omit<CommandOf<T>, 'type'>>;
type Builder<T extends SessionCommandType> = (given?: Given<T>) => CommandOf<T>;

export function usage(buckets: Buckets, state: UsageState = 'final'): Usage {
  return {
    state,
    buckets,
    counts: {},
    splits: { cacheLife: 'known', reasoning: 'known' },
    flags: [],
    source: 'provider',
  };
}

export function cost(amountPico: string | null): Cost {
  return { amountPico, currency: 'USD', source: 'local' };
}

export const reportModelUsage: Builder<'ReportModelUsage'> = (given) => ({
  type: 'ReportModelUsage',
  commandId: `usage:${JSON.stringify(given?.usage?.buckets ?? {})}:${given?.usage?.state ?? ''}`,
  now: at(60_000),
  modelCallId: 'model-call-1',
  reporter: 'worker-1',
  callKey: 'provider-request-1',
  usage: usage({ inputFresh: 100, outputText: 10 }),
  cost: cost('450'),
  further: [],
  ...given,
});

export const repriceCalls: Builder<'RepriceCalls'> = (given) => ({
  type: 'RepriceCalls',
  commandId: 'repricing-1',
  now: at(60_000),
  repricingId: 'repricing-1',
  reason: 'The contract changed.',
  actor: 'ada',
  calls: [
    {
      modelCallId: 'model-call-1',
      callKey: 'provider-request-1',
      before: { amountPico: '450', currency: 'USD', source: 'local' },
      cost: cost('300'),
    },
  ],
  ...given,
});
