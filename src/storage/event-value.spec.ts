import { describe, expect, it, jest } from '@jest/globals';
import type { EventToAppend } from './event-store.js';
import { charactersOf, valueOf, withSealed, withValue } from './event-value.js';

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

describe('an event whose data are sealed', () => {
  it.each([
    [() => value, value, '{"text":"hello"}'],
    [() => 'no JSON', undefined, 'no JSON'],
  ])('is opened once, when somebody wants to know what is in it', (open, found, text) => {
    const opening = jest.fn(open);
    const event = withSealed<EventToAppend>({ ...envelope }, opening, 7);
    expect([event.type, charactersOf(event), opening.mock.calls.length]).toEqual(['T', 7, 0]);
    expect([valueOf(event), event.data, valueOf(event)]).toEqual([found, text, found]);
    expect({ ...event }.data).toBe(text);
    expect(opening).toHaveBeenCalledTimes(1);
  });
});
