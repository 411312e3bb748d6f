import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { FEEDS_OPEN_MAX, FEED_OPEN_MS_MAX, FeedSlots } from './feed-slots.js';

function asManyAsItGets(feeds: FeedSlots, tenantId: string): (() => void)[] {
  const ends: (() => void)[] = [];
  try {
    for (;;) ends.push(feeds.take(tenantId).end);
  } catch (error) {
    expect(error).toMatchObject({ code: 'limit_exceeded', facts: { limit: 'feedsOpenMax' } });
    return ends;
  }
}

describe('the feeds that are open', () => {
  it('leave some to every tenant that comes, however many the others have taken', () => {
    const feeds = new FeedSlots(FEED_OPEN_MS_MAX);
    const counts = ['a', 'b', 'c', 'd', 'e'].map((one) => asManyAsItGets(feeds, one).length);
    expect(counts).toEqual([2, 4, 8, 16, 32].map((part) => FEEDS_OPEN_MAX / part));
  });

  it('are free again when their time is over, whether somebody reads them or not', async () => {
    const feeds = new FeedSlots(10);
    asManyAsItGets(feeds, 'a');
    await pause(50);
    expect(asManyAsItGets(feeds, 'a')).toHaveLength(FEEDS_OPEN_MAX / 2);
  });

  it('are free again when they have ended, and each once', () => {
    const feeds = new FeedSlots(FEED_OPEN_MS_MAX);
    const ends = asManyAsItGets(feeds, 'a');
    for (const end of [ends[0]!, ends[0]!]) end();
    expect(asManyAsItGets(feeds, 'a')).toHaveLength(1);
    for (const end of ends) end();
    expect(asManyAsItGets(feeds, 'a')).toHaveLength(ends.length - 1);
  });
});
