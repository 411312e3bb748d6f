import { describe, expect, it } from '@jest/globals';
import type { RecordedEvent } from '../event-store.js';
import { OpenedEvents } from './opened-events.js';

const event = (position: number, data: string, stream = 'session-t.s'): RecordedEvent => ({
  eventId: `e${position}`,
  stream,
  revision: position,
  position: BigInt(position),
  type: 'InputAccepted',
  data,
  metadata: '',
  recordedAtMs: 0,
});

describe('opened events', () => {
  it('are kept up to so many characters, the newest of them', () => {
    const opened = new OpenedEvents(100);
    const events = [1, 2, 3, 4].map((position) => event(position, 'x'.repeat(40)));
    for (const one of events) opened.keep(one, { ...one });
    expect(events.map((one) => opened.find(one)?.position)).toEqual([undefined, undefined, 3n, 4n]);
    const large = event(5, 'x'.repeat(101));
    opened.keep(large, { ...large });
    expect([...events, large].map((one) => opened.find(one))).toEqual(Array(5).fill(undefined));
  });

  it('are counted once when they are kept again, and not at all when they are forgotten', () => {
    const opened = new OpenedEvents(100);
    const [one, other] = [event(1, 'x'.repeat(40)), event(2, 'x'.repeat(40), 'session-t.other')];
    for (let round = 0; round < 5; round += 1) {
      opened.forget(one.stream);
      opened.keep(other, { ...other });
      opened.keep(one, { ...one });
      opened.keep(one, { ...one });
    }
    expect([opened.find(one), opened.find(other)]).toEqual([one, other]);
    opened.forget(one.stream);
    expect([opened.find(one), opened.find(other)]).toEqual([undefined, other]);
  });
});
