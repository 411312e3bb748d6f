/** Query filters: the operators that the adapters and the driver's GridFS use. */
import { BSON } from 'mongodb';
import { evaluate } from './expressions.js';
import { unsupported } from './server-errors.js';
import { compareValues, isSameType, keyOf } from './value-order.js';
import type { Fields } from './wire-messages.js';

export function matches(document: Fields, filter: Fields, now: Date): boolean {
  return Object.entries(filter).every(([field, condition]) => {
    switch (field) {
      case '$and':
        return (condition as Fields[]).every((one) => matches(document, one, now));
      case '$or':
        return (condition as Fields[]).some((one) => matches(document, one, now));
      case '$expr':
        return evaluate(condition, document, now) === true;
      default:
        if (field.startsWith('$')) throw unsupported(`the filter ${field}`);
        return matchesValue(valueAt(document, field), condition);
    }
  });
}

export function valueAt(document: Fields, path: string): unknown {
  let value: unknown = document;
  for (const part of path.split('.')) value = (value as Fields | null | undefined)?.[part];
  return value;
}

export function isOperators(value: unknown): value is Fields {
  if (value === null || typeof value !== 'object') return false;
  return Object.keys(value)[0]?.startsWith('$') ?? false;
}

/** The values that `_id` must have, when the filter says so by itself. */
export function idsOf(filter: Fields): readonly string[] | undefined {
  const condition = filter['_id'];
  if (condition === undefined) return undefined;
  if (!isOperators(condition)) return [keyOf(condition)];
  const wanted = condition['$in'];
  return Array.isArray(wanted) ? wanted.map(keyOf) : undefined;
}

function matchesValue(value: unknown, condition: unknown): boolean {
  if (!isOperators(condition)) return isEqual(value, condition);
  return Object.entries(condition).every(([operator, bound]) => holds(value, operator, bound));
}

function holds(value: unknown, operator: string, bound: unknown): boolean {
  switch (operator) {
    case '$eq':
      return isEqual(value, bound);
    case '$in':
      return (bound as unknown[]).some((one) => isEqual(value, one));
    case '$exists':
      return (value !== undefined) === (bound === true);
    case '$ne':
      return !isEqual(value, bound);
    case '$not':
      return !matchesValue(value, bound);
    case '$gt':
      return isSameType(value, bound) && compareValues(value, bound) > 0;
    case '$gte':
      return isSameType(value, bound) && compareValues(value, bound) >= 0;
    case '$lt':
      return isSameType(value, bound) && compareValues(value, bound) < 0;
    case '$lte':
      return isSameType(value, bound) && compareValues(value, bound) <= 0;
    default:
      throw unsupported(`the operator ${operator}`);
  }
}

/** null equals a missing field. */
function isEqual(value: unknown, wanted: unknown): boolean {
  if (Array.isArray(value) || value instanceof BSON.Binary) {
    throw unsupported('filters on lists and bytes');
  }
  return keyOf(value) === keyOf(wanted);
}
