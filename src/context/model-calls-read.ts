import type { Segment } from '../domain/events/positions.js';
import { type HistoryRecord, isHidden, numberOr } from './history-record.js';

/** A model call of the conversation that is in the window and was sent. */
export interface ReadingCall {
  readonly modelCallId: string;
  readonly sessionId: string;
  /** Index of its `ModelCallStarted`. */
  readonly place: number;
  /** Index of the last record that the model has seen; -1 for none. */
  readonly seen: number;
  readonly provider?: string;
  readonly model?: string;
}

/** Names an object of a session: its id is unique there only. */
export function inSession(sessionId: string, id: string): string {
  return `${sessionId}\u0000${id}`;
}

/**
 * The model calls that have read the conversation, in order. A call that was provably not sent has
 * read nothing, and one that a revert hides is no part of the conversation any more.
 */
export function readingCalls(
  records: readonly HistoryRecord[],
  hidden: readonly Segment[],
): readonly ReadingCall[] {
  const notSent = new Set<string>();
  for (const { sessionId, event } of records) {
    if (event.type === 'ModelCallSettled' && event.data.outcome === 'notSent') {
      notSent.add(inSession(sessionId, event.data.modelCallId));
    }
  }
  return records.flatMap((record, place) => {
    const { sessionId, event } = record;
    if (event.type !== 'ModelCallStarted' || event.data.purpose !== 'turn') return [];
    if (isHidden(record, hidden)) return [];
    const { modelCallId, provider, requestedModel, inputRevision } = event.data;
    if (notSent.has(inSession(sessionId, modelCallId))) return [];
    const seen = seenBefore(records, place, numberOr(inputRevision, record.revision - 1));
    return [{ modelCallId, sessionId, place, seen, provider, model: requestedModel }];
  });
}

/** The inputs that are delivered for a model call stand directly before it and are seen as well. */
function seenBefore(
  records: readonly HistoryRecord[],
  place: number,
  inputRevision: number,
): number {
  const { sessionId } = records[place]!;
  let seen = place - 1;
  for (; seen >= 0; seen -= 1) {
    const record = records[seen]!;
    if (record.sessionId !== sessionId || record.revision <= inputRevision) break;
  }
  return seen;
}

/**
 * Where the running prefix period begins: with the first of the model calls that asked the same
 * model since the last compaction (provider rules, §10). Undefined if none was made yet.
 */
export function prefixPeriodStart(
  calls: readonly ReadingCall[],
  compactedPlace: number,
): ReadingCall | undefined {
  let start: ReadingCall | undefined;
  for (const call of calls) {
    if (call.place <= compactedPlace) continue;
    if (start === undefined || isOtherModel(start, call)) start = call;
  }
  return start;
}

export function isOtherModel(
  one: { readonly provider?: string; readonly model?: string },
  other: { readonly provider?: string; readonly model?: string },
): boolean {
  return differs(one.provider, other.provider) || differs(one.model, other.model);
}

function differs(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && one !== other;
}
