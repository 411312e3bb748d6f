import type { TrailEventType } from '../domain/audit/trail-events.js';
import type { SessionCommand } from '../domain/commands.js';
import type { SessionEventType } from '../domain/events.js';
import { SESSION_EVENT_TYPES } from '../domain/events/known-types.js';
import type { TenantCommand, TenantEventType } from '../domain/tenant/tenant.js';

type Commands = SessionCommand['type'] | TenantCommand['type'] | TrailEventType | 'ImportSession';
type Types = SessionEventType | TenantEventType | TrailEventType;

/** Every name that the log of a tenant can hold; the compiler misses one that is left out. */
const TYPES: Readonly<Record<Types, true>> = {
  ...SESSION_EVENT_TYPES,
  AccessDenied: true,
  AccessKeyAdded: true,
  AccessKeyExpiryChanged: true,
  AccessKeyRevoked: true,
  AccessKeyUsed: true,
  AuditExportStarted: true,
  AuditExported: true,
  BudgetRemoved: true,
  BudgetSet: true,
  ConfigurationChanged: true,
  PriceCardAdded: true,
  RedactionPolicySet: true,
  StoreExported: true,
  ToolManifestRegistered: true,
};

const COMMANDS: Readonly<Record<Commands, true>> = {
  AcceptInput: true,
  AccessDenied: true,
  AddAccessKey: true,
  AddPriceCards: true,
  AuditExportStarted: true,
  AuditExported: true,
  ChangeDelivery: true,
  ClaimRun: true,
  ClearRevert: true,
  CommitCompaction: true,
  CompleteErasure: true,
  CompleteRun: true,
  ConfigurationChanged: true,
  ConfirmStopped: true,
  DecideApproval: true,
  DecideEscalation: true,
  EraseSession: true,
  FailCompaction: true,
  FailRun: true,
  ForkSession: true,
  ImportSession: true,
  InterruptRun: true,
  LabelSession: true,
  LowerToolCall: true,
  NoteAccessKeyUse: true,
  QuarantineIdleRun: true,
  ReconcileCall: true,
  RecordAssistantMessage: true,
  RecordFacts: true,
  RecordInheritedOutcome: true,
  RecordProbe: true,
  RecordToolProgress: true,
  RecordToolResult: true,
  RecordVoid: true,
  RegisterTools: true,
  ReleaseRun: true,
  RemoveBudget: true,
  ReportLateResult: true,
  ReportModelUsage: true,
  ReportToolUnknown: true,
  RepriceCalls: true,
  ResumeSession: true,
  RevertSession: true,
  RevokeAccessKey: true,
  RotateAccessKey: true,
  SetBudget: true,
  SetRedactionPolicy: true,
  SettleModelCall: true,
  SkipToolCall: true,
  StartCompaction: true,
  StartModelCall: true,
  StartSession: true,
  StartToolCall: true,
  StopRun: true,
  StoreExported: true,
  WithdrawInput: true,
};

/** What is wrong with a filter; undefined: nothing. */
export function unknownTypes(names: readonly string[]): string | undefined {
  return unknownIn(names, TYPES, 'types of events');
}

export function unknownCommands(names: readonly string[]): string | undefined {
  return unknownIn(names, COMMANDS, 'commands');
}

function unknownIn(
  names: readonly string[],
  known: Readonly<Record<string, true>>,
  what: string,
): string | undefined {
  const unknown = names.filter((name) => !Object.hasOwn(known, name));
  return unknown.length === 0 ? undefined : `there are no such ${what}: ${unknown.join(', ')}`;
}
