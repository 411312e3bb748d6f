import type { SessionEvent } from '../domain/events.js';
import type { SessionState } from '../domain/state.js';
import type { ContextItem } from './history-items.js';
import { type HistoryRecord, placeKey } from './history-record.js';

export const ERASED_PART = '[earlier part was erased]';

/** What a conversation is made of. */
const SPOKEN: ReadonlySet<string> = new Set(['InputDelivered', 'AssistantMessageRecorded']);

/** Whether the content that it had can be read by nobody any more. */
export function isErased({ data }: SessionEvent): boolean {
  return 'erased' in data && data.erased === true;
}

/**
 * The parts of a fork's conversation whose sessions were erased: each is one marker, whatever stood
 * in it. A summary alone can be erased as well; that makes no part of it.
 */
export class ErasedParts {
  readonly markers: ContextItem[] = [];
  private readonly sessions = new Set<string>();
  private isWithin = false;

  constructor(records: readonly HistoryRecord[]) {
    for (const { sessionId, event } of records) {
      if (event.type !== 'Compacted' && isErased(event)) this.sessions.add(sessionId);
    }
  }

  /** Whether the record belongs to such a part; then nothing else is made of it. */
  take({ sessionId, event }: HistoryRecord, place: number): boolean {
    if (!this.sessions.has(sessionId)) {
      this.isWithin = false;
      return false;
    }
    if (!this.isWithin && SPOKEN.has(event.type)) {
      this.isWithin = true;
      const text = ERASED_PART;
      this.markers.push({ kind: 'context', about: 'gap', text, place, from: place, to: place });
    }
    return true;
  }
}

/**
 * Without a summary that is lost with the key of a session whose events it covered: the session's
 * own events stand for themselves again.
 */
export function withoutLostSummary(
  state: SessionState,
  records: readonly HistoryRecord[],
): SessionState {
  if (state.watermark === undefined) return state;
  const place = placeKey(state.watermark.at);
  const compacted = records.find((record) => placeKey(record) === place);
  if (compacted === undefined || !isErased(compacted.event)) return state;
  return { ...state, watermark: undefined };
}
