import type { PriceWindow } from '../domain/price-card.js';

const weekdayNumbers: Readonly<Record<string, number>> = {
  Mon: 1,
  Tue: 2,
  Wed: 3,
  Thu: 4,
  Fri: 5,
  Sat: 6,
  Sun: 7,
};
const formatters = new Map<string, Intl.DateTimeFormat>();

interface LocalTime {
  /** Since midnight. */
  readonly minutes: number;
  /** 1 Monday to 7 Sunday. */
  readonly weekday: number;
}

function formatterOf(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone);
  if (known) return known;
  const formatter = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
  });
  formatters.set(zone, formatter);
  return formatter;
}

function localTime(instant: number, zone: string): LocalTime {
  if (zone === 'UTC') {
    const date = new Date(instant);
    const weekday = date.getUTCDay() === 0 ? 7 : date.getUTCDay();
    return { minutes: date.getUTCHours() * 60 + date.getUTCMinutes(), weekday };
  }
  const parts = new Map(
    formatterOf(zone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, value]),
  );
  return {
    minutes: Number(parts.get('hour')) * 60 + Number(parts.get('minute')),
    weekday: weekdayNumbers[parts.get('weekday') ?? ''] ?? 1,
  };
}

function minutesOf(time: string): number {
  const [hours = '0', minutes = '0'] = time.split(':');
  return Number(hours) * 60 + Number(minutes);
}

/** Whether a call that starts at the instant falls into the window; its begin is included, its
 * end is not. A window over midnight belongs to the weekday on which it begins. */
export function isInWindow(window: PriceWindow, instant: number): boolean {
  const { minutes, weekday } = localTime(instant, window.zone);
  const from = minutesOf(window.from);
  const until = minutesOf(window.until);
  const overMidnight = until <= from;
  const beforeMidnight = minutes >= from && (overMidnight || minutes < until);
  const afterMidnight = overMidnight && minutes < until;
  if (!beforeMidnight && !afterMidnight) return false;
  const begun = beforeMidnight ? weekday : weekday === 1 ? 7 : weekday - 1;
  return window.weekdays === undefined || window.weekdays.includes(begun);
}

export function windowName(window: PriceWindow): string {
  return `${window.from}-${window.until} ${window.zone}`;
}
