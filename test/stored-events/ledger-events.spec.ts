import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import {
  type LedgerEvent,
  type LedgerEventType,
  evolveLedger,
  initialLedger,
} from '../../src/domain/budget/ledger.js';
import type { EventMetadata } from '../../src/domain/events.js';
import { ledgerStream } from '../../src/identity/derived-ids.js';
import type { RecordedEvent } from '../../src/storage/event-store.js';
import { decodeLedgerEvent, encodeLedgerEvent } from '../../src/storage/ledger-event-codec.js';

/** Every event of a budget's ledger: a new one is missing here until it has its file. */
const CURRENT: Readonly<Record<LedgerEventType, true>> = {
  CostReserved: true,
  CostCharged: true,
  ReservationReleased: true,
  BudgetExceeded: true,
};

interface Golden {
  readonly type: string;
  readonly data: LedgerEvent['data'];
  readonly metadata: EventMetadata;
}

const folder = new URL('./ledger/', import.meta.url);

function golden(storedName: string): Golden {
  return JSON.parse(readFileSync(new URL(`${storedName}.json`, folder), 'utf8')) as Golden;
}

function recorded(storedName: string): RecordedEvent {
  const { type, data, metadata } = golden(storedName);
  return {
    eventId: '1f9a6c1e-58f1-5c53-8b68-0f6e1a6d2c03',
    stream: ledgerStream('acme', 'team.2026-01'),
    revision: 0,
    position: 7n,
    type,
    data: JSON.stringify(data),
    metadata: JSON.stringify(metadata),
    recordedAtMs: Date.parse('2026-01-05T09:00:00.000Z'),
  };
}

describe("stored events of a budget's ledger", () => {
  it('are all here, each under the name of its file', () => {
    const stored = readdirSync(folder).map((file) => file.replace(/\.json$/, ''));
    expect(stored).toEqual(expect.arrayContaining(Object.keys(CURRENT)));
    for (const name of stored) expect(golden(name).type).toBe(name);
  });

  it.each(Object.keys(CURRENT))('%s is read and written with the same bytes', (type) => {
    const before = recorded(type);
    const { eventId, recordedAtMs } = before;
    const event = decodeLedgerEvent(before);
    const { metadata } = golden(type);
    const after = encodeLedgerEvent({ eventId, event, metadata, recordedAtMs });
    expect(after).toMatchObject({ type, data: before.data, metadata: before.metadata });
  });

  it('tell what is held, what is spent, and what was exceeded', () => {
    const after = (...types: LedgerEventType[]) =>
      types.map((type) => decodeLedgerEvent(recorded(type))).reduce(evolveLedger, initialLedger);
    expect(after('CostReserved').held).toMatchObject({ r1: { amountPico: '73440000000' } });
    expect(after('CostReserved', 'CostCharged')).toMatchObject({
      held: {},
      chargedPico: String(8_274_000_000n - 3_609_000_000n),
    });
    expect(after('CostReserved', 'ReservationReleased').held).toEqual({});
    expect(after('BudgetExceeded').crossings.stop).toMatchObject({ refusedPico: '73440000000' });
  });

  it('are passed over when a later release wrote them, and refused when they are damaged', () => {
    const later = { ...recorded('CostReserved'), type: 'SomethingNew' };
    expect(evolveLedger(initialLedger, decodeLedgerEvent(later))).toEqual({
      ...initialLedger,
      revision: 0,
    });
    const damaged = { ...recorded('CostReserved'), data: '[]' };
    expect(() => decodeLedgerEvent(damaged)).toThrow('cannot be read');
  });
});
