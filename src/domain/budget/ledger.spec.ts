import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { charge, isExhausted, release, reserve } from './decide-ledger.js';
import {
  type LedgerEvent,
  type LedgerState,
  evolveLedger,
  heldPico,
  initialLedger,
} from './ledger.js';

const NOW = '2026-01-05T09:00:00.000Z';
const limits = { amountPico: '100', warnAtPico: '80' };

function reservation(id: string, amount: number) {
  const amountPico = String(amount);
  return { reservationId: id, sessionId: 's1', modelCallId: id, amountPico, reservedAt: NOW };
}

function charged(id: string, amount: number) {
  const amountPico = String(amount);
  const basis = 'settled' as const;
  return { reservationId: id, sessionId: 's1', modelCallId: id, amountPico, basis, now: NOW };
}

const after = (state: LedgerState, events: readonly LedgerEvent[]) =>
  events.reduce(evolveLedger, state);
const holding = (id: string, amount: number, state = initialLedger) =>
  after(state, reserve(reservation(id, amount), state, limits).events);
const spent = (id: string, amount: number, state = initialLedger, before?: string) =>
  after(state, charge(charged(id, amount), state, before, limits));

describe('a ledger', () => {
  it('holds what a call may cost, up to the amount itself', () => {
    const state = holding('a', 60);
    expect(reserve(reservation('b', 40), state, limits).accepted).toBe(true);
    expect(reserve(reservation('b', 41), state, limits).accepted).toBe(false);
    expect(reserve(reservation('a', 60), state, limits)).toEqual({ accepted: true, events: [] });
  });

  it('puts the cost in the place of what was held, once', () => {
    const state = spent('a', 10, holding('a', 60));
    expect(state).toMatchObject({ chargedPico: '10', calls: 1, held: {} });
    expect(charge(charged('a', 10), state, '10', limits)).toEqual([]);
    expect(spent('a', 25, state, '10')).toMatchObject({ chargedPico: '25', calls: 1 });
  });

  it('counts a call whose hold was given up before it came', () => {
    const state = holding('a', 60);
    const released = after(state, release('a', state, NOW));
    expect(released).toMatchObject({ held: {}, chargedPico: '0' });
    expect(release('a', released, NOW)).toEqual([]);
    expect(spent('a', 10, released)).toMatchObject({ chargedPico: '10', calls: 1 });
  });

  it('warns once for a threshold, and again for another one', () => {
    const warned = spent('a', 80);
    expect(warned.crossings.warn).toMatchObject({ limitPico: '80', chargedPico: '80', at: NOW });
    expect(charge(charged('b', 5), warned, undefined, limits)).toHaveLength(1);
    const higher = { amountPico: '200', warnAtPico: '84' };
    expect(charge(charged('b', 5), warned, undefined, higher)).toMatchObject([
      { type: 'CostCharged' },
      { type: 'BudgetExceeded', data: { threshold: 'warn', limitPico: '84' } },
    ]);
  });

  it('says once that it is exceeded: by a refused call, or by one that cost more', () => {
    const state = spent('a', 70);
    const refused = reserve(reservation('b', 40), state, limits);
    expect(refused).toMatchObject({
      accepted: false,
      events: [{ type: 'BudgetExceeded', data: { threshold: 'stop', refusedPico: '40' } }],
    });
    const told = after(state, refused.events);
    expect(reserve(reservation('c', 40), told, limits)).toEqual({ accepted: false, events: [] });
    const over = charge(charged('b', 31), state, undefined, limits);
    expect(over.map(({ data }) => ('threshold' in data ? data.threshold : 'cost'))).toEqual([
      'cost',
      'warn',
      'stop',
    ]);
    expect(isExhausted(spent('a', 99), limits)).toBe(false);
    expect(isExhausted(spent('a', 100), limits)).toBe(true);
  });

  it('never holds and charges more than the amount, but for what calls cost over their hold', () => {
    const step = fc.record({
      id: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
      act: fc.constantFrom('reserve', 'charge', 'release'),
      amount: fc.nat(60),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let state = initialLedger;
        const costs = new Map<string, number>();
        let over = 0;
        for (const { id, act, amount } of steps) {
          const held = Number(state.held[id]?.amountPico ?? 0);
          const known = costs.get(id);
          if (act === 'reserve' && known === undefined) state = holding(id, amount, state);
          if (act === 'release') state = after(state, release(id, state, NOW));
          if (act !== 'charge') continue;
          over += Math.max(0, amount - (known ?? held));
          costs.set(id, amount);
          state = spent(id, amount, state, known?.toString());
        }
        const sum = [...costs.values()].reduce((total, one) => total + one, 0);
        expect(state.chargedPico).toBe(String(sum));
        expect(Number(state.chargedPico) + Number(heldPico(state))).toBeLessThanOrEqual(100 + over);
      }),
    );
  });
});
