import type { CommandOf } from './commands.js';
import type { SessionEvent } from './events.js';
import { callNamed, inherited, invalidState } from './guards.js';
import type { Past } from './past.js';
import { Rejection } from './rejection.js';
import type { PromisesNow } from './run-setup.js';
import { type CallState, type SessionState, callsOf } from './state.js';
import type { ToolManifest } from './tool-manifest.js';
import { own } from './own.js';

/** Asked in the append that requests the call, so that no attempt can come before it. */
export function approvalRequested(
  callId: string,
  manifest: ToolManifest,
  now: string,
): readonly SessionEvent[] {
  if (manifest.approval === undefined) return [];
  const dueAt = new Date(Date.parse(now) + manifest.escalationDueMs).toISOString();
  return [{ type: 'ToolApprovalRequested', data: { callId, to: manifest.approval, dueAt } }];
}

/** A permission that was not needed when the call was requested, and is needed now. */
export function approvalsNow(
  state: SessionState,
  promises: PromisesNow,
  now: string,
): readonly SessionEvent[] {
  return callsOf(state).flatMap(({ callId, tool, status, approval, compensates }) => {
    const manifest = own(promises, tool);
    const isOpen = status === 'requested' && approval === undefined && compensates === undefined;
    return isOpen && manifest !== undefined ? approvalRequested(callId, manifest, now) : [];
  });
}

/** Nobody has allowed the call yet. */
export function refuseUnapproved({ callId, approval }: CallState): void {
  if (approval === undefined || approval.decision === 'allow') return;
  throw new Rejection('approval_pending', `${approval.to} has to allow this call first`, {
    callId,
    asked: approval.to,
    dueAt: approval.dueAt,
  });
}

/** A person allows a call, or denies it: then it never starts. */
export function decideApproval(
  command: CommandOf<'DecideApproval'>,
  state: SessionState,
  past: Past,
): readonly SessionEvent[] {
  const call = callNamed(state, command.callId, past);
  if (call.status === 'inherited') throw inherited(call);
  const { callId, approval } = call;
  if (approval === undefined) throw invalidState(call, state, 'nobody was asked to allow it');
  if (approval.decision !== undefined || call.status !== 'requested') {
    throw new Rejection('already_decided', `this call is ${approval.decision ?? call.status}`, {
      callId,
      state: call.status,
      decision: approval.decision,
    });
  }
  if (command.now > approval.dueAt) {
    throw new Rejection('already_decided', `the time to decide was over at ${approval.dueAt}`, {
      callId,
      dueAt: approval.dueAt,
    });
  }
  const { decision, note } = command;
  const decided: SessionEvent = { type: 'ToolApprovalDecided', data: { callId, decision, note } };
  return decision === 'allow'
    ? [decided]
    : [decided, { type: 'ToolCallSkipped', data: { callId, reason: 'denied' } }];
}

/** Nobody has decided in time: the call never starts. */
export function approvalExpired(call: CallState, now: string): SessionEvent | undefined {
  const { callId, approval } = call;
  if (approval === undefined || approval.decision !== undefined) return undefined;
  if (now <= approval.dueAt) return undefined;
  return { type: 'ToolCallSkipped', data: { callId, reason: 'approvalExpired' } };
}
