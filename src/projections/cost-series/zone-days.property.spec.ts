import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CostWorld, picoOf } from '../../../test/projections/cost-world.js';
import { sessionStarted } from '../../../test/projections/session-events.js';
import { SLOT_MS, ZoneDays } from './zone-days.js';

const ZONES = [...Intl.supportedValuesOf('timeZone'), 'UTC'];
const HOUR_MS = 3_600_000;
const YEAR = { from: Date.UTC(2026, 0, 1), to: Date.UTC(2027, 0, 1) };

/** The hours in which a zone's clock is put forward or back. */
function clockChanges(zone: string): readonly number[] {
  const shown = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  const offset = (ms: number): string =>
    shown.formatToParts(ms).find(({ type }) => type === 'timeZoneName')!.value;
  const changes: number[] = [];
  for (let day = YEAR.from; day < YEAR.to; day += 24 * HOUR_MS) {
    if (offset(day) === offset(day + 24 * HOUR_MS)) continue;
    for (let hour = day; hour < day + 24 * HOUR_MS; hour += HOUR_MS) {
      if (offset(hour) !== offset(hour + HOUR_MS)) changes.push(hour);
    }
  }
  return changes;
}

const zone = fc.constantFrom(...ZONES);

describe('U31: days', () => {
  it('of a zone begin at its midnight, at clock changes too', () => {
    fc.assert(
      fc.property(zone, fc.integer({ min: YEAR.from, max: YEAR.to }), (name, ms) => {
        const days = new ZoneDays(name);
        const day = days.dayOf(Math.floor(ms / SLOT_MS) * SLOT_MS);
        const start = days.startMs(day);
        expect(days.dayOf(start)).toBe(day);
        expect(days.dayOf(start - SLOT_MS) < day).toBe(true);
        expect(start).toBeLessThanOrEqual(ms);
        expect(days.startMs(days.nextDay(day))).toBeGreaterThan(ms);
        // A quarter of an hour never holds two days: its first and last millisecond agree.
        const slot = Math.floor(ms / SLOT_MS) * SLOT_MS;
        const text = new Intl.DateTimeFormat('en-CA', { timeZone: name }).format(
          slot + SLOT_MS - 1,
        );
        expect(text).toBe(day);
      }),
      { numRuns: 200 },
    );
  });

  it.each([
    'Europe/Berlin',
    'America/New_York',
    'Australia/Lord_Howe',
    'Africa/Cairo',
    'America/Santiago',
  ])('have 23, 23.5, 24.5 or 25 hours where the clock is changed: %s', (name) => {
    const changes = clockChanges(name);
    expect(changes.length).toBeGreaterThanOrEqual(2);
    const days = new ZoneDays(name);
    for (const change of changes) {
      const day = days.dayOf(change);
      const hours = (days.startMs(days.nextDay(day)) - days.startMs(day)) / HOUR_MS;
      expect([23, 23.5, 24, 24.5, 25]).toContain(hours);
    }
    const lengths = changes.flatMap((change) =>
      [days.dayOf(change), days.nextDay(days.dayOf(change))].map(
        (day) => (days.startMs(days.nextDay(day)) - days.startMs(day)) / HOUR_MS,
      ),
    );
    expect(lengths.some((hours) => hours !== 24)).toBe(true);
  });

  it('add up to the range, call by call, in every zone and around every clock change', async () => {
    const around = fc.oneof(
      fc.integer({ min: YEAR.from, max: YEAR.to - 1 }),
      fc
        .tuple(
          fc.constantFrom(...clockChanges('Europe/Berlin'), ...clockChanges('Australia/Lord_Howe')),
          fc.integer({ min: -3 * HOUR_MS, max: 3 * HOUR_MS }),
        )
        .map(([change, offset]) => change + offset),
    );
    const call = fc.record({ ms: fc.option(around, { freq: 8 }), pico: fc.bigInt(0n, 10n ** 19n) });
    const calls = fc.array(call, { minLength: 1, maxLength: 30 });
    const range = fc
      .tuple(around, around)
      .map((ends) => ends.toSorted((one, other) => one - other));
    await fc.assert(
      fc.asyncProperty(
        calls,
        fc.array(zone, { minLength: 3, maxLength: 3 }),
        range,
        async (all, zones, [from, to]) => {
          const world = new CostWorld();
          const settledCalls = all.map(({ ms, pico }) =>
            world.call(pico, { startedAt: ms === null ? undefined : new Date(ms).toISOString() }),
          );
          await world.append('s1', [sessionStarted('s1'), ...settledCalls]);
          const everything = all.reduce((sum, { pico }) => sum + pico, 0n);
          for (const name of zones) {
            const whole = await world.series({ zone: name });
            expect(BigInt(picoOf(whole.total))).toBe(everything);
            expect(whole.rows.reduce((sum, row) => sum + BigInt(picoOf(row)), 0n)).toBe(everything);
            for (const row of whole.rows) {
              const shown = new Intl.DateTimeFormat('en-CA', { timeZone: name });
              const mine = all.filter(
                ({ ms }) => (ms === null ? null : shown.format(ms)) === row.day,
              );
              expect(BigInt(picoOf(row))).toBe(mine.reduce((sum, { pico }) => sum + pico, 0n));
            }
            const days = new ZoneDays(name);
            const [first, last] = [from!, to!].map((ms) =>
              days.dayOf(Math.floor(ms / SLOT_MS) * SLOT_MS),
            );
            const wish = { zone: name, from: first, to: days.nextDay(last!) };
            const part = await world.series(wish);
            const total = await world.series({ ...wish, groupBy: 'total' });
            const summed = part.rows.reduce((sum, row) => sum + BigInt(picoOf(row)), 0n);
            expect(BigInt(picoOf(total.total) || 0)).toBe(summed);
          }
        },
      ),
      { numRuns: 15 },
    );
  });
});
