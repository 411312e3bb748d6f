import { AccessKeys } from './access-keys/access-keys.js';
import {
  AddAccessKeyHandler,
  ListAccessKeysHandler,
  RevokeAccessKeyHandler,
  RotateAccessKeyHandler,
} from './access-keys/access-keys.handlers.js';
import type { Provider } from '@nestjs/common';
import { AcceptInputHandler } from './accept-input/accept-input.handler.js';
import { AddPriceCardsHandler } from './add-price-cards/add-price-cards.handler.js';
import { BudgetLedgers } from './budgets/budget-ledgers.js';
import { ReserveForCalls } from './budgets/reserve-for-calls.js';
import { SettleReservations } from './budgets/settle-reservations.js';
import { ClaimRunHandler } from './claim-run/claim-run.handler.js';
import {
  CommitCompactionHandler,
  FailCompactionHandler,
  StartCompactionHandler,
} from './compact/compact.handler.js';
import { DecideApprovalHandler } from './decide-approval/decide-approval.handler.js';
import { DecideEscalationHandler } from './decide-escalation/decide-escalation.handler.js';
import {
  CompleteRunHandler,
  FailRunHandler,
  InterruptRunHandler,
  ReleaseRunHandler,
} from './end-run/end-run.handler.js';
import { ForkSessionHandler } from './fork-session/fork-session.handler.js';
import { FindCut } from './find-cut.js';
import { CommandHandling } from './handle-command.js';
import { HeartbeatHandler } from './heartbeat/heartbeat.handler.js';
import { LabelSessionHandler } from './label-session/label-session.handler.js';
import { KeepArtifactHandler } from './keep-artifact/keep-artifact.handler.js';
import { InheritOutcomes } from './inherit-outcomes.js';
import { ListPriceCardsHandler } from './list-price-cards/list-price-cards.query.js';
import { LowerToolCallHandler } from './lower-tool-call/lower-tool-call.handler.js';
import { ManifestCheck } from './manifest-check.js';
import { QuotePricesHandler } from './quote-prices/quote-prices.query.js';
import { ReadBudgetsHandler } from './read-budgets/read-budgets.query.js';
import { RemoveBudgetHandler, SetBudgetHandler } from './set-budget/set-budget.handler.js';
import { RecordAssistantMessageHandler } from './record-assistant-message/record-assistant-message.handler.js';
import { RecordFactsHandler } from './record-facts/record-facts.handler.js';
import { RecordProbeHandler } from './record-probe/record-probe.handler.js';
import { RecordStepHandler } from './record-step/record-step.handler.js';
import {
  RecordToolResultHandler,
  ReportLateResultHandler,
} from './record-tool-result/record-tool-result.handler.js';
import { ReportModelUsageHandler } from './report-model-usage/report-model-usage.handler.js';
import { RepriceCallsHandler } from './reprice-calls/reprice-calls.handler.js';
import { ReportToolUnknownHandler } from './report-tool-unknown/report-tool-unknown.handler.js';
import { RestoreSessionHandler } from './restore-session/restore-session.handler.js';
import { ResumeSessionHandler } from './resume-session/resume-session.handler.js';
import {
  ClearRevertHandler,
  RevertSessionHandler,
} from './revert-session/revert-session.handler.js';
import { SessionRepository } from './session-repository.js';
import { SetupCheck } from './setup-check.js';
import { ParentStop } from './parent-stop.js';
import { SettleCalls } from './settle-calls.js';
import { SettleModelCallHandler } from './settle-model-call/settle-model-call.handler.js';
import { SteadyTimes } from './steady-times.js';
import { StartModelCallHandler } from './start-model-call/start-model-call.handler.js';
import { StartSessionHandler } from './start-session/start-session.handler.js';
import {
  RecordToolProgressHandler,
  SkipToolCallHandler,
  StartToolCallHandler,
} from './start-tool-call/start-tool-call.handler.js';
import { ConfirmStoppedHandler, StopRunHandler } from './stop-run/stop-run.handler.js';
import { ListToolsHandler } from './register-tools/list-tools.query.js';
import {
  ReadRedactionPolicyHandler,
  SetRedactionPolicyHandler,
} from './redaction/redaction-policy.handlers.js';
import { TenantRedaction } from './redaction/tenant-redaction.js';
import { RegisterToolsHandler } from './register-tools/register-tools.handler.js';
import { TenantFactsReader } from './tenant-facts.js';
import { TenantHandling } from './tenant-handling.js';
import { TenantPrices } from './tenant-prices.js';
import { TenantRepository } from './tenant-repository.js';
import { ChangeDeliveryHandler } from './change-delivery/change-delivery.handler.js';
import { WithdrawInputHandler } from './withdraw-input/withdraw-input.handler.js';

/** What the CommandBus dispatches to, and what the handlers share. */
export const COMMAND_PROVIDERS: Provider[] = [
  SessionRepository,
  CommandHandling,
  FindCut,
  InheritOutcomes,
  ParentStop,
  SettleCalls,
  SetupCheck,
  SteadyTimes,
  ManifestCheck,
  TenantHandling,
  AccessKeys,
  TenantFactsReader,
  TenantRepository,
  BudgetLedgers,
  SettleReservations,
  ReserveForCalls,
  TenantPrices,
  TenantRedaction,
  ReadRedactionPolicyHandler,
  SetRedactionPolicyHandler,
  AcceptInputHandler,
  AddAccessKeyHandler,
  AddPriceCardsHandler,
  ClaimRunHandler,
  ClearRevertHandler,
  CommitCompactionHandler,
  CompleteRunHandler,
  ConfirmStoppedHandler,
  DecideApprovalHandler,
  DecideEscalationHandler,
  FailCompactionHandler,
  FailRunHandler,
  ForkSessionHandler,
  HeartbeatHandler,
  LabelSessionHandler,
  KeepArtifactHandler,
  ListAccessKeysHandler,
  ListPriceCardsHandler,
  QuotePricesHandler,
  InterruptRunHandler,
  RegisterToolsHandler,
  ListToolsHandler,
  LowerToolCallHandler,
  RecordAssistantMessageHandler,
  RecordFactsHandler,
  RecordProbeHandler,
  RecordStepHandler,
  RecordToolProgressHandler,
  RecordToolResultHandler,
  ReleaseRunHandler,
  ReportLateResultHandler,
  ReportModelUsageHandler,
  ReportToolUnknownHandler,
  RepriceCallsHandler,
  RestoreSessionHandler,
  ReadBudgetsHandler,
  RemoveBudgetHandler,
  SetBudgetHandler,
  ResumeSessionHandler,
  RevertSessionHandler,
  RevokeAccessKeyHandler,
  RotateAccessKeyHandler,
  SettleModelCallHandler,
  SkipToolCallHandler,
  StartCompactionHandler,
  StartModelCallHandler,
  StartSessionHandler,
  StartToolCallHandler,
  StopRunHandler,
  ChangeDeliveryHandler,
  WithdrawInputHandler,
];
