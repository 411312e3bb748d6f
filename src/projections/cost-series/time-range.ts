import { Rejection } from '../../domain/rejection.js';
import { SLOT_MS, UnknownZoneError, ZoneDays } from './zone-days.js';

/** Which calls a report is about, by the instant at which they began. */
export interface RangeWish {
  /** A day of the zone, `2026-01-31`, or an instant; included. */
  readonly from?: string;
  /** The same; not included. */
  readonly to?: string;
  /** IANA zone of days; UTC when absent. */
  readonly zone?: string;
}

/**
 * In whole quarters of an hour: an instant within one takes all of it. Calls of which nobody said
 * when they began are in no range that has a beginning or an end.
 */
export interface TimeRange {
  readonly fromMs: number;
  readonly toMs: number;
  readonly isOpen: boolean;
  readonly days: ZoneDays;
}

const dayPattern = /^\d{4}-\d{2}-\d{2}$/;
const instantPattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;

/** @throws Rejection */
export function timeRangeOf({ from, to, zone = 'UTC' }: RangeWish): TimeRange {
  const days = zoneDays(zone);
  const fromMs =
    from === undefined ? Number.NEGATIVE_INFINITY : placeOf('from', from, days, Math.floor);
  const toMs = to === undefined ? Number.POSITIVE_INFINITY : placeOf('to', to, days, Math.ceil);
  if (fromMs >= toMs) {
    throw new Rejection('invalid_request', `from (${from}) must lie before to (${to})`, {
      parameter: 'from',
    });
  }
  return { fromMs, toMs, isOpen: from === undefined && to === undefined, days };
}

export function isInRange(range: TimeRange, startedAt: string | undefined): boolean {
  if (range.isOpen) return true;
  const startMs = Date.parse(startedAt ?? '');
  return startMs >= range.fromMs && startMs < range.toMs;
}

/** The calendar day that the call began on; null when nobody said when that was. */
export function dayIn({ days }: TimeRange, startedAt: string | undefined): string | null {
  const startMs = Date.parse(startedAt ?? '');
  return Number.isNaN(startMs) ? null : days.dayOf(Math.floor(startMs / SLOT_MS) * SLOT_MS);
}

function zoneDays(zone: string): ZoneDays {
  try {
    return new ZoneDays(zone);
  } catch (error) {
    if (!(error instanceof UnknownZoneError)) throw error;
    throw new Rejection('invalid_request', error.message, { parameter: 'zone' });
  }
}

function placeOf(
  parameter: 'from' | 'to',
  text: string,
  days: ZoneDays,
  round: (value: number) => number,
): number {
  const isDay = dayPattern.test(text);
  const ms = isDay || instantPattern.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(ms) || (isDay && new Date(ms).toISOString().slice(0, 10) !== text)) {
    throw new Rejection(
      'invalid_request',
      `${parameter} is a day such as 2026-01-31 or a time such as 2026-01-31T12:00:00Z, not ` +
        `"${text.slice(0, 64)}"`,
      { parameter },
    );
  }
  return isDay ? days.startMs(text) : round(ms / SLOT_MS) * SLOT_MS;
}
