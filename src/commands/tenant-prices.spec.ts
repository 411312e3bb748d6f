import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { cardOf } from '../../test/pricing/priced-calls.js';
import type { PriceCard } from '../domain/price-card.js';
import { findCard } from '../pricing/find-card.js';
import { UnreadableEventError } from '../storage/event-codec.js';
import { MemoryEventStore } from '../storage/memory/memory-event-store.js';
import { AddPriceCards, AddPriceCardsHandler } from './add-price-cards/add-price-cards.handler.js';
import { TenantHandling } from './tenant-handling.js';
import { TenantPrices } from './tenant-prices.js';
import { TenantRepository } from './tenant-repository.js';

const jane = { tenantId: 'acme', actor: 'jane' };
const own = cardOf({ cardId: 'own/model' });

afterEach(() => {
  jest.restoreAllMocks();
});

/** One process of several that work on one store. */
function processOn(events: MemoryEventStore) {
  const tenants = new TenantRepository(events);
  const prices = new TenantPrices(tenants);
  const handler = new AddPriceCardsHandler(new TenantHandling(events, () => 0, tenants));
  const add = (...cards: readonly PriceCard[]) => handler.execute(new AddPriceCards(jane, cards));
  const versionFound = async (tenantId = 'acme') =>
    findCard({ provider: 'test', responseModel: 'model' }, await prices.cardsOf(tenantId)).card
      ?.version;
  return { prices, add, versionFound };
}

describe('the prices of a tenant', () => {
  it('follow its stream, also when another process adds a card', async () => {
    const events = new MemoryEventStore();
    const here = processOn(events);
    const there = processOn(events);
    expect(await here.versionFound()).toBeUndefined();
    await there.add(own);
    expect(await here.versionFound()).toBe(1);
    await here.add({ ...own, version: 2, supersedes: 1, currency: 'EUR' });
    expect(await there.versionFound()).toBe(2);
    expect(await there.versionFound('other')).toBeUndefined();
  });

  it('are indexed once, not for every call', async () => {
    const { add, prices } = processOn(new MemoryEventStore());
    await add(own);
    expect(await prices.cardsOf('acme')).toBe(await prices.cardsOf('acme'));
  });

  it('take each card once when several processes add it at the same time', async () => {
    const events = new MemoryEventStore();
    const racers = Array.from({ length: 8 }, () => processOn(events));
    const answers = await Promise.all(racers.map(({ add }) => add(own)));
    expect(answers.map(({ cards }) => cards[0]?.cardId)).toEqual(racers.map(() => 'own/model'));
    expect(await events.read('tenant-acme', { from: 0, maxCount: 10 })).toHaveLength(1);
  });

  it('are not known for recording, and not guessed, when the stream is damaged', async () => {
    const events = new MemoryEventStore();
    await events.append('tenant-acme', 'noStream', [
      {
        eventId: '1f9a6c1e-58f1-5c53-8b68-0f6e1a6d2c01',
        type: 'PriceCardAdded',
        data: '{}',
        metadata: '{}',
        recordedAtMs: 0,
        keys: [],
      },
    ]);
    const told = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const { prices } = processOn(events);
    expect(await prices.cardsForRecording('acme')).toBeUndefined();
    expect(told).toHaveBeenCalledWith(expect.stringContaining('event 0 of tenant-acme'));
    await expect(prices.cardsOf('acme')).rejects.toBeInstanceOf(UnreadableEventError);
    expect(await prices.cardsForRecording('other')).toBeDefined();
  });
});
