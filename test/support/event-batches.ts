import { randomUUID } from 'node:crypto';
import type { EventStore, EventToAppend, RecordedEvent } from '../../src/storage/event-store.js';

/** A stream that no other test uses. */
export function newStream(kind = 'session'): string {
  return `${kind}-contract.${randomUUID()}`;
}

export function newEvent(change: Partial<EventToAppend> = {}): EventToAppend {
  return {
    eventId: randomUUID(),
    type: 'InputAccepted',
    data: JSON.stringify({ text: 'hello' }),
    metadata: JSON.stringify({ tenantId: 'contract' }),
    recordedAtMs: 1_790_000_000_123,
    keys: [],
    ...change,
  };
}

export function newBatch(count: number, change: Partial<EventToAppend> = {}): EventToAppend[] {
  return Array.from({ length: count }, () => newEvent(change));
}

export function idsOf(events: readonly { readonly eventId: string }[]): string[] {
  return events.map(({ eventId }) => eventId);
}

export async function wholeStream(
  store: EventStore,
  stream: string,
): Promise<readonly RecordedEvent[]> {
  return store.read(stream, { from: 0, maxCount: 10_000 });
}

/** All events behind a position whose stream is this one, read in small pages. */
export async function allBehind(
  store: EventStore,
  after: bigint,
  stream: string,
): Promise<readonly RecordedEvent[]> {
  const found: RecordedEvent[] = [];
  for (let next = after; ;) {
    const page = await store.readAll(next, 3, { streamPrefix: stream });
    found.push(...page.events);
    if (page.caughtUp) return found;
    next = page.next;
  }
}
