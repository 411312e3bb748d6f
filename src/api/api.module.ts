import { Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE, DiscoveryModule } from '@nestjs/core';
import { CqrsModule } from '@nestjs/cqrs';
import { AuditModule } from '../audit/audit.module.js';
import { CommandsModule } from '../commands/commands.module.js';
import { HealthModule } from '../health/health.module.js';
import { AccessGuard } from './access.guard.js';
import { Authentication } from './authentication.js';
import { CredentialWatch } from './credential-watch.js';
import { ProblemFilter } from './problem.filter.js';
import { AuditController } from './rest/audit.controller.js';
import { ArtifactsController } from './rest/artifacts.controller.js';
import { CompactionsController } from './rest/compactions.controller.js';
import { ContextController } from './rest/context.controller.js';
import { EventsController } from './rest/events.controller.js';
import { FactsController } from './rest/facts.controller.js';
import { ErasuresController } from './rest/erasures.controller.js';
import { ForksController } from './rest/forks.controller.js';
import { FoundCallsController } from './rest/found-calls.controller.js';
import { CostsController } from './rest/costs.controller.js';
import { HealthController } from './rest/health.controller.js';
import { HistoryController } from './rest/history.controller.js';
import { InputsController } from './rest/inputs.controller.js';
import { KeysController } from './rest/keys.controller.js';
import { MetricsController } from './rest/metrics.controller.js';
import { ModelCallsController } from './rest/model-calls.controller.js';
import { BudgetsController } from './rest/budgets.controller.js';
import { PricesController } from './rest/prices.controller.js';
import { ReconciliationsController } from './rest/reconciliations.controller.js';
import { RedactionController } from './rest/redaction.controller.js';
import { RunsController } from './rest/runs.controller.js';
import { SessionsController } from './rest/sessions.controller.js';
import { ToolsController } from './rest/tools.controller.js';
import { ToolCallsController } from './rest/tool-calls.controller.js';
import { WorkController } from './rest/work.controller.js';
import { TokenVerifier } from './token-verifier.js';
import { requestValidation } from './validation.js';

@Module({
  imports: [CqrsModule, DiscoveryModule, AuditModule, CommandsModule, HealthModule],
  controllers: [
    ArtifactsController,
    AuditController,
    CompactionsController,
    ContextController,
    EventsController,
    FactsController,
    ErasuresController,
    ForksController,
    FoundCallsController,
    CostsController,
    HealthController,
    HistoryController,
    InputsController,
    MetricsController,
    KeysController,
    ModelCallsController,
    PricesController,
    ReconciliationsController,
    BudgetsController,
    RedactionController,
    RunsController,
    SessionsController,
    ToolCallsController,
    ToolsController,
    WorkController,
  ],
  providers: [
    { provide: APP_FILTER, useClass: ProblemFilter },
    { provide: APP_GUARD, useClass: AccessGuard },
    Authentication,
    CredentialWatch,
    TokenVerifier,
    { provide: APP_PIPE, useFactory: requestValidation },
  ],
})
export class ApiModule {}
