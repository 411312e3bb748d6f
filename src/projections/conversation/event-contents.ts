import type { SessionEvent } from '../../domain/events.js';
import { sessionStream } from '../../identity/derived-ids.js';
import type { EventCodec } from '../../storage/event-codec.js';
import type { EventStore } from '../../storage/event-store.js';

/** A gap of so many unneeded events is not read over. */
const GAP_MAX = 16;
const READ_TOGETHER_MAX = 200;

export interface EventPlace {
  readonly sessionId: string;
  readonly revision: number;
}

/** Events by place, for the items of a page. */
export class EventContents {
  private readonly events = new Map<string, SessionEvent>();

  at(sessionId: string, revision: number): SessionEvent | undefined {
    return this.events.get(placeKey(sessionId, revision));
  }

  /** Reads what stands close together at once. A place without an event stays empty. */
  static async read(
    store: EventStore,
    codec: EventCodec,
    tenantId: string,
    places: readonly EventPlace[],
  ): Promise<EventContents> {
    const contents = new EventContents();
    const bySession = new Map<string, Set<number>>();
    for (const { sessionId, revision } of places) {
      const revisions = bySession.get(sessionId) ?? new Set<number>();
      bySession.set(sessionId, revisions.add(revision));
    }
    for (const [sessionId, revisions] of bySession) {
      for (const { from, to } of rangesOf([...revisions])) {
        const maxCount = to - from + 1;
        const stream = sessionStream(tenantId, sessionId);
        for (const stored of await store.read(stream, { from, to, maxCount })) {
          if (!revisions.has(stored.revision)) continue;
          const { event } = codec.decode(stored);
          contents.events.set(placeKey(sessionId, stored.revision), event);
        }
      }
    }
    return contents;
  }
}

function placeKey(sessionId: string, revision: number): string {
  return `${revision}:${sessionId}`;
}

function rangesOf(revisions: readonly number[]): { from: number; to: number }[] {
  const ranges: { from: number; to: number }[] = [];
  for (const revision of [...revisions].sort((one, other) => one - other)) {
    const last = ranges.at(-1);
    const near = last !== undefined && revision - last.to <= GAP_MAX;
    if (near && revision - last.from < READ_TOGETHER_MAX) {
      last.to = revision;
    } else {
      ranges.push({ from: revision, to: revision });
    }
  }
  return ranges;
}
