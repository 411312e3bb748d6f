import type { SessionCommand } from './commands.js';
import { withOutcomesOfUndoing } from './compensation.js';
import { commitCompaction, failCompaction, startCompaction } from './decide-compaction.js';
import { completeErasure, eraseSession, refuseErased } from './decide-erasure.js';
import { reportLateResult } from './decide-late-result.js';
import { repriceCalls, reportModelUsage } from './decide-usage.js';
import { recordAssistantMessage, settleModelCall, startModelCall } from './decide-model-call.js';
import {
  decideEscalation,
  reconcileCall,
  recordProbe,
  recordVoid,
  lowerToolCall,
} from './decide-outcome.js';
import { decideApproval } from './decide-approval.js';
import { claimRun } from './decide-claim.js';
import {
  completeRun,
  confirmStopped,
  failRun,
  interruptRun,
  releaseRun,
  stopRun,
} from './decide-run.js';
import { clearRevert, revertSession } from './decide-revert.js';
import {
  acceptInput,
  forkSession,
  labelSession,
  recordFacts,
  recordInheritedOutcome,
  resumeSession,
  startSession,
  changeDelivery,
  withdrawInput,
} from './decide-session.js';
import {
  isSpentPermit,
  recordToolProgress,
  recordToolResult,
  reportToolUnknown,
  skipToolCall,
  startToolCall,
} from './decide-tool-call.js';
import type { SessionEvent } from './events.js';
import { quarantineIdleRun } from './quarantine.js';
import { ownedRun, staleEpoch } from './guards.js';
import type { Past, Receipt } from './past.js';
import { Rejection } from './rejection.js';
import { type SessionState, exists } from './state.js';

export type Decision =
  | { readonly kind: 'accepted'; readonly events: readonly SessionEvent[] }
  /** The same command was done before; nothing is appended. */
  | { readonly kind: 'repeated'; readonly receipt?: Receipt; readonly payloadDiffers: boolean };

/**
 * What a command does to a session: events, or nothing because it had been done before.
 * @throws Rejection when the session's state does not allow it; then nothing is appended.
 */
export function decide(command: SessionCommand, state: SessionState, past: Past): Decision {
  const receipt = past.receipt;
  refuseOldPermit(command, state, receipt);
  if (receipt !== undefined) {
    const answered = repeated(command, state, receipt);
    if (command.type !== 'StartToolCall' || !isSpentPermit(command, state)) return answered;
  }
  if (exists(state) === creates(command)) {
    throw exists(state)
      ? new Rejection('id_in_use', `session ${state.sessionId} exists already`)
      : new Rejection('not_found', 'there is no such session');
  }
  refuseErased(command, state);
  const events = withOutcomesOfUndoing(command, eventsOf(command, state, past), state);
  return events.length === 0
    ? { kind: 'repeated', payloadDiffers: false }
    : { kind: 'accepted', events };
}

function creates(command: SessionCommand): boolean {
  return command.type === 'StartSession' || command.type === 'ForkSession';
}

/**
 * A repeated answer is harmless unless it is a permit to act: an old owner gets no permit again,
 * and after a stop nobody does.
 */
function refuseOldPermit(
  command: SessionCommand,
  state: SessionState,
  receipt: Receipt | undefined,
): void {
  if (command.type !== 'StartToolCall' && command.type !== 'StartModelCall') return;
  if (command.fence.epoch < state.epoch) throw staleEpoch(state);
  if (receipt !== undefined) ownedRun(state, command.fence);
}

function repeated(command: SessionCommand, state: SessionState, receipt: Receipt): Decision {
  const payloadDiffers =
    command.payloadHash !== undefined &&
    receipt.payloadHash !== undefined &&
    command.payloadHash !== receipt.payloadHash;
  if (payloadDiffers && command.keyed) {
    // Nothing can be hashed with a key that was destroyed: whether it is the same is not known.
    refuseErased(command, state);
    throw new Rejection(
      'idempotency_key_reused',
      'this Idempotency-Key was used for another request; choose a new key',
    );
  }
  return { kind: 'repeated', receipt, payloadDiffers };
}

function eventsOf(
  command: SessionCommand,
  state: SessionState,
  past: Past,
): readonly SessionEvent[] {
  switch (command.type) {
    case 'StartSession':
      return startSession(command);
    case 'ForkSession':
      return forkSession(command);
    case 'RecordInheritedOutcome':
      return recordInheritedOutcome(command, state);
    case 'EraseSession':
      return eraseSession(command, state);
    case 'CompleteErasure':
      return completeErasure(command, state);
    case 'RecordFacts':
      return recordFacts(command, state);
    case 'LabelSession':
      return labelSession(command, state);
    case 'ResumeSession':
      return resumeSession(command, state);
    case 'RevertSession':
      return revertSession(command, state);
    case 'ClearRevert':
      return clearRevert(command, state);
    case 'AcceptInput':
      return acceptInput(command, state, past);
    case 'ChangeDelivery':
      return changeDelivery(command, state, past);
    case 'WithdrawInput':
      return withdrawInput(command, state, past);
    case 'ClaimRun':
      return claimRun(command, state, past);
    case 'CompleteRun':
      return completeRun(command, state, past);
    case 'FailRun':
      return failRun(command, state, past);
    case 'InterruptRun':
      return interruptRun(command, state, past);
    case 'ReleaseRun':
      return releaseRun(command, state, past);
    case 'StopRun':
      return stopRun(command, state, past);
    case 'ConfirmStopped':
      return confirmStopped(command, state);
    case 'QuarantineIdleRun':
      return quarantineIdleRun(command, state);
    case 'StartModelCall':
      return startModelCall(command, state, past);
    case 'RecordAssistantMessage':
      return recordAssistantMessage(command, state, past);
    case 'SettleModelCall':
      return settleModelCall(command, state);
    case 'ReportModelUsage':
      return reportModelUsage(command, state, past);
    case 'RepriceCalls':
      return repriceCalls(command);
    case 'StartToolCall':
      return startToolCall(command, state, past);
    case 'RecordToolProgress':
      return recordToolProgress(command, state, past);
    case 'RecordToolResult':
      return recordToolResult(command, state, past);
    case 'ReportToolUnknown':
      return reportToolUnknown(command, state, past);
    case 'SkipToolCall':
      return skipToolCall(command, state, past);
    case 'ReportLateResult':
      return reportLateResult(command, state, past);
    case 'RecordProbe':
      return recordProbe(command, state, past);
    case 'DecideApproval':
      return decideApproval(command, state, past);
    case 'LowerToolCall':
      return lowerToolCall(command, state, past);
    case 'RecordVoid':
      return recordVoid(command, state, past);
    case 'DecideEscalation':
      return decideEscalation(command, state, past);
    case 'ReconcileCall':
      return reconcileCall(command, state);
    case 'StartCompaction':
      return startCompaction(command, state, past);
    case 'CommitCompaction':
      return commitCompaction(command, state);
    case 'FailCompaction':
      return failCompaction(command, state);
    default:
      return unreachable(command);
  }
}

function unreachable(command: never): never {
  throw new TypeError(`unknown command ${JSON.stringify(command)}`);
}
