import type { EventOf, SessionEventRecord } from '../../domain/events.js';
import { type DocumentReference, sessionDocumentId } from '../projection.js';

/** A call whose outcome is final, and since when it is this one. */
export interface OutcomeDocument {
  /** From `placeText`. */
  readonly changedAt: string;
}

/** A call that a fork inherited open: the fork learns its outcome from the origin. */
export interface InheritedCallDocument {
  readonly tenantId: string;
  /** The fork. */
  readonly sessionId: string;
  /** Id of the call's `OutcomeDocument`, once it has one. */
  readonly origin: string;
  /** From `placeText`. */
  readonly forkedAt: string;
}

/** Outcomes that were resolved; a result that came in time is no news to anybody. */
export const OUTCOMES = 'outcomes';
export const INHERITED = 'inherited';

/** A place in the log as text in the order of the log. */
export function placeText(position: bigint): string {
  return position.toString().padStart(20, '0');
}

export function callDocumentId(tenantId: string, sessionId: string, callId: string): string {
  return `${sessionDocumentId(tenantId, sessionId)}:${callId}`;
}

export function inheritedIds(
  { metadata, sessionId }: SessionEventRecord,
  { data }: EventOf<'Forked'>,
): readonly DocumentReference[] {
  return data.inherited.filter(isFollowed).map(({ callId }) => ({
    collection: INHERITED,
    id: callDocumentId(metadata.tenantId, sessionId, callId),
  }));
}

export function inheritedCall(
  id: string,
  { metadata, sessionId, position }: SessionEventRecord,
  { data }: EventOf<'Forked'>,
): InheritedCallDocument | undefined {
  const { tenantId } = metadata;
  const call = data.inherited.find(
    ({ callId }) => callDocumentId(tenantId, sessionId, callId) === id,
  );
  if (call === undefined) return undefined;
  const origin = callDocumentId(tenantId, call.originSessionId, call.callId);
  return { tenantId, sessionId, origin, forkedAt: placeText(position) };
}

export function changedOutcome(
  document: OutcomeDocument | undefined,
  { position }: SessionEventRecord,
): OutcomeDocument {
  const changedAt = placeText(position);
  return document !== undefined && document.changedAt >= changedAt ? document : { changedAt };
}

/** What was only requested at the cut never becomes the fork's. */
function isFollowed({ stateAtCut }: { readonly stateAtCut: string }): boolean {
  return stateAtCut !== 'requested';
}
