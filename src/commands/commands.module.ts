import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { HISTORY_PROVIDERS } from '../history/history-queries.js';
import { HistoryReader } from '../history/history-reader.js';
import { NewEvents } from '../history/new-events.js';
import { ReadContextHandler } from '../history/read-context.js';
import { AccessKeys } from './access-keys/access-keys.js';
import { BudgetLedgers } from './budgets/budget-ledgers.js';
import { SettleReservations } from './budgets/settle-reservations.js';
import { COMMAND_PROVIDERS } from './command-handlers.js';
import { CommandHandling } from './handle-command.js';
import { InheritOutcomes } from './inherit-outcomes.js';
import { ParentStop } from './parent-stop.js';
import { SessionRepository } from './session-repository.js';
import { SettleCalls } from './settle-calls.js';
import { SteadyTimes } from './steady-times.js';
import { TenantPrices } from './tenant-prices.js';
import { TenantRedaction } from './redaction/tenant-redaction.js';
import { TenantRepository } from './tenant-repository.js';

/** The commands, and the queries that are answered from a session's own stream. */
@Module({
  imports: [CqrsModule],
  providers: [...COMMAND_PROVIDERS, ...HISTORY_PROVIDERS],
  exports: [
    AccessKeys,
    BudgetLedgers,
    CommandHandling,
    HistoryReader,
    InheritOutcomes,
    NewEvents,
    ParentStop,
    ReadContextHandler,
    SessionRepository,
    SettleCalls,
    SettleReservations,
    SteadyTimes,
    TenantPrices,
    TenantRedaction,
    TenantRepository,
  ],
})
export class CommandsModule {}
