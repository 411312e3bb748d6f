/** Days of an IANA zone's calendar over slots of a quarter of an hour. */

export const SLOT_MS = 15 * 60_000;
const DAY_MS = 24 * 60 * 60_000;
/** Local time is at most 14 hours ahead of UTC and 12 behind it. */
const OFFSET_MAX_MS = 15 * 60 * 60_000;

export class UnknownZoneError extends Error {
  constructor(zone: string) {
    super(
      `"${zone.slice(0, 64)}" is no IANA time zone; name one such as UTC, Europe/Berlin or Asia/Kolkata`,
    );
    this.name = 'UnknownZoneError';
  }
}

export class ZoneDays {
  private readonly format: Intl.DateTimeFormat;
  private readonly known = new Map<number, string>();

  /** @throws UnknownZoneError */
  constructor(readonly zone: string) {
    try {
      this.format = new Intl.DateTimeFormat('en-CA', {
        timeZone: zone,
        calendar: 'iso8601',
        numberingSystem: 'latn',
        year: 'numeric',
        month: '2-digit',
        day: '2-digit',
      });
    } catch {
      throw new UnknownZoneError(zone);
    }
  }

  /** Version of the zone data, such as `2025b`. */
  get dataVersion(): string {
    return process.versions.tz ?? 'unknown';
  }

  /** The calendar day, `2026-03-29`, of the slot that begins at `slotMs`. */
  dayOf(slotMs: number): string {
    const known = this.known.get(slotMs);
    if (known !== undefined) return known;
    const parts = new Map(this.format.formatToParts(slotMs).map((part) => [part.type, part.value]));
    const year = parts.get('year')!.padStart(4, '0');
    const day = `${year}-${parts.get('month')}-${parts.get('day')}`;
    this.known.set(slotMs, day);
    return day;
  }

  /**
   * The instant at which a day begins. A day that a zone has left out (Pacific/Apia has none of
   * 2011-12-30) begins where the next one does.
   */
  startMs(day: string): number {
    const midnight = Date.parse(`${day}T00:00:00Z`);
    let before = (midnight - OFFSET_MAX_MS) / SLOT_MS;
    let after = (midnight + OFFSET_MAX_MS) / SLOT_MS;
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2);
      if (this.dayOf(middle * SLOT_MS) < day) before = middle;
      else after = middle;
    }
    return after * SLOT_MS;
  }

  nextDay(day: string): string {
    return new Date(Date.parse(`${day}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10);
  }
}
