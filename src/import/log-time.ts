const withZone = /(?:[zZ]|[+-]\d{2}:?\d{2})$/;
const startsAsDate = /^\d{4}-\d{2}-\d{2}/;

/**
 * A time of a log as ISO 8601 in UTC; epoch milliseconds are read too. A time without a zone is read
 * as UTC and flagged. Undefined for what is no time.
 */
export function normalTime(
  value: unknown,
): { readonly iso: string; readonly zoneAssumed: boolean } | undefined {
  if (typeof value === 'number') return timeOf(value, false);
  if (typeof value !== 'string' || !startsAsDate.test(value)) return undefined;
  const text = value.trim();
  const zoned = withZone.test(text.slice(10));
  const isDay = text.length === 10;
  return timeOf(Date.parse(zoned || isDay ? text : `${text.replace(' ', 'T')}Z`), !zoned);
}

function timeOf(
  instant: number,
  zoneAssumed: boolean,
): { readonly iso: string; readonly zoneAssumed: boolean } | undefined {
  const date = new Date(instant);
  return Number.isNaN(date.getTime()) ? undefined : { iso: date.toISOString(), zoneAssumed };
}
