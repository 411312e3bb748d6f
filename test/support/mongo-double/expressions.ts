/** Aggregation expressions: those that leases need, and nothing else. */
import { BSON } from 'mongodb';
import { ServerError, unsupported } from './server-errors.js';
import { compareValues, exact, isNumber } from './value-order.js';
import type { Fields } from './wire-messages.js';

/** @param now the server's clock, `$$NOW`: one value for a whole command */
export function evaluate(expression: unknown, document: Fields, now: Date): unknown {
  if (typeof expression === 'string' && expression.startsWith('$')) {
    if (expression === '$$NOW') return now;
    if (expression.startsWith('$$') || expression.includes('.')) throw unsupported(expression);
    return document[expression.slice(1)];
  }
  if (expression === null || typeof expression !== 'object' || expression instanceof Date) {
    return expression;
  }
  if (isNumber(expression)) return expression;
  const [[operator, operand] = ['']] = Object.entries(expression);
  if (operator === '$literal') return operand;
  const values = (Array.isArray(operand) ? operand : [operand]).map((one) =>
    evaluate(one, document, now),
  );
  return apply(operator, values);
}

function apply(operator: string, values: readonly unknown[]): unknown {
  const [first, second] = values;
  switch (operator) {
    case '$and':
      return values.every(isTrue);
    case '$or':
      return values.some(isTrue);
    case '$not':
      return !isTrue(first);
    case '$eq':
      return (first === undefined) === (second === undefined) && compareValues(first, second) === 0;
    case '$gt':
      return compareValues(first, second) > 0;
    case '$lte':
      return compareValues(first, second) <= 0;
    case '$cond':
      return isTrue(first) ? second : values[2];
    case '$ifNull':
      return first ?? second;
    case '$add':
      return sum(first, second);
    case '$subtract':
      return difference(first, second);
    default:
      throw unsupported(`the expression ${operator}`);
  }
}

function isTrue(value: unknown): boolean {
  return value !== false && value !== undefined && value !== null && !isZero(value);
}

function isZero(value: unknown): boolean {
  return isNumber(value) && Number(exact(value)) === 0;
}

function sum(one: unknown, other: unknown): unknown {
  if (one === undefined || other === undefined) return null;
  if (one instanceof Date) return new Date(one.getTime() + Number(exact(other)));
  if (isNumber(one) && isNumber(other)) return Number(exact(one)) + Number(exact(other));
  throw new ServerError(14, 'TypeMismatch', '$add takes numbers and one date');
}

function difference(one: unknown, other: unknown): unknown {
  if (one === undefined || other === undefined || one === null || other === null) return null;
  if (one instanceof Date && other instanceof Date) {
    return BSON.Long.fromNumber(one.getTime() - other.getTime());
  }
  throw unsupported('$subtract of anything but two dates');
}
