import type { PagePlace } from '../find-cursor.js';
import { boundOf } from '../read-model-rules.js';
import type { FieldFilter, FindQuery } from '../read-model-store.js';
import { tableOf, valueOf } from './collection-catalogue.js';

export type SqlValue = string | bigint | number;

export interface FindStatement {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

interface Condition {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

interface Stretch {
  readonly where?: Condition;
  /** All documents of the stretch lack the sort field, so only their ids order them. */
  readonly valueMissing?: boolean;
}

/**
 * Statements to run one after the other until the page is full. More than one when documents
 * without the sort field follow: one statement with OR could not go on in the index.
 */
export function findStatements(
  collection: string,
  query: FindQuery,
  place: PagePlace | undefined,
): readonly FindStatement[] {
  const filters = query.filters.map(filterCondition);
  const direction = query.sort.direction === 'ascending' ? 'ASC' : 'DESC';
  const sortValue = valueOf(query.sort.field);
  return stretchesBehind(query, place).map(({ where, valueMissing }) => {
    const conditions = where === undefined ? filters : [...filters, where];
    const all = conditions.map(({ sql }) => `(${sql})`).join(' AND ');
    const order = valueMissing ? [] : [`${sortValue} ${direction}`];
    return {
      sql:
        `SELECT id, document, ${sortValue} FROM ${tableOf(collection)} ` +
        `${all === '' ? '' : `WHERE ${all}`} ` +
        `ORDER BY ${[...order, `id ${direction}`].join(', ')} LIMIT ?`,
      values: conditions.flatMap(({ values }) => values),
    };
  });
}

function stretchesBehind({ sort }: FindQuery, place: PagePlace | undefined): readonly Stretch[] {
  if (place === undefined) return [{}];
  const ascending = sort.direction === 'ascending';
  const value = valueOf(sort.field);
  const behind = ascending ? '>' : '<';
  if (place.value === null) {
    const where = { sql: `${value} IS NULL AND id ${behind} ?`, values: [place.id] };
    const rest: Stretch = { where, valueMissing: true };
    return ascending ? [rest, { where: { sql: `${value} IS NOT NULL`, values: [] } }] : [rest];
  }
  const bound = sqlValue(place.value);
  const where = {
    sql: `${value} ${behind}= ? AND (${value} ${behind} ? OR id ${behind} ?)`,
    values: [bound, bound, place.id],
  };
  const missing: Stretch = { where: { sql: `${value} IS NULL`, values: [] }, valueMissing: true };
  return ascending ? [{ where }] : [{ where }, missing];
}

function filterCondition(filter: FieldFilter): Condition {
  const value = valueOf(filter.field);
  if ('in' in filter) {
    return {
      sql: `${value} IN (SELECT value FROM json_each(?))`,
      values: [JSON.stringify(filter.in)],
    };
  }
  const bound = boundOf(filter);
  const values = [sqlValue(bound)];
  if ('equals' in filter) return { sql: `${value} = ?`, values };
  const type = typeof bound === 'string' ? "= 'text'" : "IN ('integer', 'real')";
  const operator = 'atLeast' in filter ? '>=' : '<';
  return { sql: `${value} ${operator} ? AND typeof(${value}) ${type}`, values };
}

function sqlValue(value: string | number | boolean): SqlValue {
  if (typeof value === 'string') return value;
  return Number.isInteger(Number(value)) ? BigInt(Number(value)) : Number(value);
}
