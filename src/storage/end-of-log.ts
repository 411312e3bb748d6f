import type { EventStore } from './event-store.js';

const PAGE_EVENTS = 500;

/** Where the log ends now, streams of every kind counted: at the head, or behind it. */
export async function endOfLog(events: EventStore): Promise<bigint> {
  let position = await events.headPosition();
  for (;;) {
    const page = await events.readAll(position, PAGE_EVENTS);
    position = page.next;
    if (page.caughtUp) return position;
  }
}
