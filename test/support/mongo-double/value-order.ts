/** How MongoDB compares values: by type first, text by its UTF-8 bytes. */
import { BSON } from 'mongodb';
import { unsupported } from './server-errors.js';

const { Long, ObjectId, Binary } = BSON;

/** Missing and null sort alike, before everything else. */
export function compareValues(one: unknown, other: unknown): number {
  const rank = rankOf(one) - rankOf(other);
  if (rank !== 0) return rank;
  if (one === undefined || one === null) return 0;
  if (typeof one === 'string') return Buffer.compare(Buffer.from(one), Buffer.from(String(other)));
  if (one instanceof Date) return one.getTime() - (other as Date).getTime();
  if (one instanceof ObjectId) {
    return Buffer.compare(one.id as Buffer, (other as typeof one).id as Buffer);
  }
  const [left, right] = [exact(one), exact(other)];
  if (left < right) return -1;
  return left > right ? 1 : 0;
}

/** Range operators match values of the bound's own type only. */
export function isSameType(one: unknown, other: unknown): boolean {
  return rankOf(one) === rankOf(other);
}

/** A text that two values share exactly when they are the same to the server. */
export function keyOf(value: unknown): string {
  if (typeof value === 'string') return `s:${value}`;
  if (isNumber(value)) return `n:${exact(value)}`;
  return BSON.EJSON.stringify(value ?? null, { relaxed: false });
}

export function isNumber(value: unknown): boolean {
  return typeof value === 'number' || value instanceof Long;
}

export function exact(value: unknown): number | bigint {
  if (value instanceof Long) return value.toBigInt();
  return typeof value === 'boolean' ? Number(value) : (value as number);
}

function rankOf(value: unknown): number {
  if (value === undefined || value === null) return 0;
  if (isNumber(value)) return 1;
  if (typeof value === 'string') return 2;
  if (value instanceof Binary) return 4;
  if (value instanceof ObjectId) return 5;
  if (typeof value === 'boolean') return 6;
  if (value instanceof Date) return 7;
  throw unsupported(`the order of ${BSON.EJSON.stringify(value)}`);
}
