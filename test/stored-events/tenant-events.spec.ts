import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { EventMetadata } from '../../src/domain/events.js';
import {
  type TenantEvent,
  type TenantEventType,
  evolveTenant,
  initialTenantState,
} from '../../src/domain/tenant/tenant.js';
import type { PriceCard } from '../../src/domain/price-card.js';
import { tenantStream } from '../../src/identity/derived-ids.js';
import { checkPriceCard } from '../../src/pricing/check-price-card.js';
import type { RecordedEvent } from '../../src/storage/event-store.js';
import { decodeTenantEvent, encodeTenantEvent } from '../../src/storage/tenant-event-codec.js';

/** Every event of a tenant that there is: a new one is missing here until it has its file. */
const CURRENT: Readonly<Record<TenantEventType, true>> = {
  PriceCardAdded: true,
  ToolManifestRegistered: true,
  BudgetSet: true,
  BudgetRemoved: true,
  AccessKeyAdded: true,
  AccessKeyRevoked: true,
  AccessKeyExpiryChanged: true,
  AccessKeyUsed: true,
  RedactionPolicySet: true,
};

interface Golden {
  readonly type: string;
  readonly data: TenantEvent['data'];
  readonly metadata: EventMetadata;
}

const folder = new URL('./tenant/', import.meta.url);
/** By event, and further examples of one: what it holds in some cases only. */
const stored = readdirSync(folder).map((file) => file.slice(0, -'.json'.length));

function golden(storedName: string): Golden {
  return JSON.parse(readFileSync(new URL(`${storedName}.json`, folder), 'utf8')) as Golden;
}

function recorded(storedName: string): RecordedEvent {
  const { type, data, metadata } = golden(storedName);
  return {
    eventId: '1f9a6c1e-58f1-5c53-8b68-0f6e1a6d2c02',
    stream: tenantStream('acme'),
    revision: 0,
    position: 7n,
    type,
    data: JSON.stringify(data),
    metadata: JSON.stringify(metadata),
    recordedAtMs: Date.parse('2026-01-05T09:00:00.000Z'),
  };
}

describe('stored events of a tenant', () => {
  it('are all here, each under the name of its file', () => {
    expect(stored).toEqual(expect.arrayContaining(Object.keys(CURRENT)));
    for (const name of stored) expect(golden(name).type).toBe(name.split('.')[0]);
  });

  it.each(stored)('%s is read and written with the same bytes', (name) => {
    const before = recorded(name);
    const { eventId, recordedAtMs } = before;
    const { metadata, type } = golden(name);
    const event = decodeTenantEvent(before);
    const after = encodeTenantEvent({ eventId, event, metadata, recordedAtMs });
    expect(after).toMatchObject({ type, data: before.data, metadata: before.metadata });
  });

  it('PriceCardAdded holds a card that is still accepted, and becomes one of the tenant', () => {
    const event = decodeTenantEvent(recorded('PriceCardAdded'));
    const { card } = golden('PriceCardAdded').data as { readonly card: PriceCard };
    expect(checkPriceCard(card)).toEqual({ card });
    expect(evolveTenant(initialTenantState, event)).toEqual({
      ...initialTenantState,
      revision: 0,
      cards: [card],
    });
  });

  it('BudgetSet becomes a budget, BudgetRemoved takes it away', () => {
    const set = evolveTenant(initialTenantState, decodeTenantEvent(recorded('BudgetSet')));
    expect(set.budgets).toEqual([(golden('BudgetSet').data as { budget: object }).budget]);
    const removed = evolveTenant(set, decodeTenantEvent(recorded('BudgetRemoved')));
    expect(removed.budgets).toEqual([]);
  });

  it('are passed over when a later release wrote them, and refused when they are damaged', () => {
    const later = { ...recorded('PriceCardAdded'), type: 'SomethingNew', data: '{}' };
    expect(evolveTenant(initialTenantState, decodeTenantEvent(later))).toEqual({
      ...initialTenantState,
      revision: 0,
    });
    for (const data of ['{"card"', '[]', '{}']) {
      const damaged = { ...recorded('PriceCardAdded'), data };
      expect(() => decodeTenantEvent(damaged)).toThrow('tenant-acme cannot be read');
    }
  });
});
