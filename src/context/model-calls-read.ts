import type { Segment } from '../domain/events/positions.js';
import { isHidden } from '../domain/shown.js';
import { type HistoryRecord, numberOr } from './history-record.js';

/** A model call of the conversation that is in the window and was sent. */
export interface ReadingCall {
  readonly sessionId: string;
  /** Index of its `ModelCallStarted`. */
  readonly place: number;
  /** Index of the last record that the model has seen; -1 for none. */
  readonly seen: number;
  readonly provider?: string;
  readonly model?: string;
  /** The model's name in the provider's answer, which can be more exact. */
  readonly answeredBy?: string;
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
  const answeredBy = new Map<string, string>();
  for (const { sessionId, event } of records) {
    if (event.type !== 'ModelCallSettled') continue;
    const { modelCallId, outcome, responseModel } = event.data;
    const key = inSession(sessionId, modelCallId);
    if (outcome === 'notSent') notSent.add(key);
    if (responseModel !== undefined) answeredBy.set(key, responseModel);
  }
  return records.flatMap((record, place) => {
    const { sessionId, event } = record;
    if (event.type !== 'ModelCallStarted' || event.data.purpose !== 'turn') return [];
    if (isHidden(record, hidden)) return [];
    const { modelCallId, provider, requestedModel, inputRevision } = event.data;
    const key = inSession(sessionId, modelCallId);
    if (notSent.has(key)) return [];
    const seen = seenBefore(records, place, numberOr(inputRevision, record.revision - 1));
    const model = requestedModel;
    return [{ sessionId, place, seen, provider, model, answeredBy: answeredBy.get(key) }];
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

/** True if a request for this model cannot go on with what the last model call has read. */
export function asksOther(last: ReadingCall, asked: Asked): boolean {
  const isModel = last.answeredBy !== undefined && last.answeredBy === asked.model;
  return isOtherModel(last, isModel ? { provider: asked.provider } : asked);
}

export interface Asked {
  readonly provider?: string;
  readonly model?: string;
}

function isOtherModel(one: Asked, other: Asked): boolean {
  return differs(one.provider, other.provider) || differs(one.model, other.model);
}

function differs(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && one !== other;
}
