import {
  type CallState,
  type SessionState,
  callsOf,
  isImportedUnknown,
  isOpen,
  waitsFor,
} from '../../domain/state.js';
import { own } from '../../domain/own.js';

/** A tool call that is not settled: what is known of it, and who has to decide what by when. */
export interface OpenCallDocument extends Pick<
  CallState,
  | 'callId'
  | 'tool'
  | 'effect'
  | 'opKey'
  | 'externalRef'
  | 'unknownReason'
  | 'probes'
  | 'lastProbe'
  | 'originSessionId'
  | 'compensates'
> {
  readonly tenantId: string;
  readonly sessionId: string;
  readonly state: CallState['status'];
  readonly attempts: number;
  /** What a person is asked: how it ended, or whether it may start. */
  readonly question?: 'outcome' | 'approval';
  readonly asked?: string;
  /** ISO 8601: until when that person has time. */
  readonly decisionDueAt?: string;
  readonly escalationId?: string;
  /** The event that it is so since; ISO 8601. */
  readonly since: string;
}

type Place = Pick<OpenCallDocument, 'tenantId' | 'sessionId' | 'since'>;

/** Calls whose document changes from one state to the next; undefined: it is settled. */
export function changedOpenCalls(
  before: SessionState,
  after: SessionState,
  place: Place,
): ReadonlyMap<string, OpenCallDocument | undefined> {
  const changed = new Map<string, OpenCallDocument | undefined>();
  for (const call of callsOf(after)) {
    if (own(before.calls, call.callId) !== call) changed.set(call.callId, documentOf(call, place));
  }
  for (const { callId } of callsOf(before)) {
    if (!Object.hasOwn(after.calls, callId)) changed.set(callId, undefined);
  }
  return changed;
}

function documentOf(call: CallState, place: Place): OpenCallDocument | undefined {
  if (!isOpen(call) || isImportedUnknown(call)) return undefined;
  const { callId, tool, effect, status: state, opKey, externalRef, unknownReason } = call;
  const { attempts, probes, lastProbe, originSessionId, compensates } = call;
  return {
    ...place,
    callId,
    tool,
    effect,
    state,
    opKey,
    externalRef,
    unknownReason,
    attempts: attempts.length,
    probes,
    lastProbe,
    originSessionId,
    compensates,
    ...questionOf(call),
  };
}

function questionOf(call: CallState): Partial<OpenCallDocument> | undefined {
  const { status, escalation } = call;
  if (status === 'awaitingHuman' && escalation !== undefined) {
    const { to, dueAt, escalationId } = escalation;
    return { question: 'outcome', asked: to, decisionDueAt: dueAt, escalationId };
  }
  const waits = status === 'requested' ? waitsFor(call) : undefined;
  return waits && { question: 'approval', asked: waits.who, decisionDueAt: waits.dueAt };
}
