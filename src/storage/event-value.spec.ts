import { describe, expect, it, jest } from '@jest/globals';
import type { EventToAppend } from './event-store.js';
import { charactersOf, valueOf, withValue } from './event-value.js';

const envelope = { eventId: 'e', type: 'T', metadata: '{}', recordedAtMs: 1, keys: [] };
const value = { text: 'hello' };

describe('an event whose data is a value', () => {
  it('has the text of it, made when it is first read and once', () => {
    const stringify = jest.spyOn(JSON, 'stringify');
    const event = withValue<EventToAppend>({ ...envelope }, value, 7);
    expect([valueOf(event), charactersOf(event), stringify.mock.calls.length]).toEqual([
      value,
      7,
      0,
    ]);
    expect([event.data, event.data]).toEqual(['{"text":"hello"}', '{"text":"hello"}']);
    expect(stringify).toHaveBeenCalledTimes(1);
    stringify.mockRestore();
  });

  it('is as any other event for whoever copies or compares it', () => {
    const event = withValue<EventToAppend>({ ...envelope }, value);
    const copy = { ...event };
    expect(copy).toEqual({ ...envelope, data: '{"text":"hello"}' });
    expect(event).toEqual({ ...envelope, data: '{"text":"hello"}' });
    expect([valueOf(copy), charactersOf(copy)]).toEqual([undefined, 16]);
  });
});
