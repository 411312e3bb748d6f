import type { Document, Filter, Sort } from 'mongodb';
import type { PagePlace, SortValue } from '../find-cursor.js';
import { boundOf } from '../read-model-rules.js';
import type { FieldFilter, FindQuery } from '../read-model-store.js';
import { type StoredDocument, sortValue } from './stored-document.js';

export interface MongoFind {
  readonly filter: Filter<StoredDocument>;
  readonly sort: Sort;
}

/**
 * Queries to run one after the other until the page is full. More than one when documents without
 * the sort field follow: each goes on in the index by itself.
 */
export function mongoFinds(query: FindQuery, place: PagePlace | undefined): readonly MongoFind[] {
  const filters = query.filters.map(filterCondition);
  const direction = query.sort.direction === 'ascending' ? 1 : -1;
  const sort: Sort = { [`fields.${query.sort.field}`]: direction, _id: direction };
  return stretchesBehind(query, place).map((stretch) => ({
    filter: { $and: [{ json: { $exists: true } }, ...filters, ...stretch] },
    sort,
  }));
}

/** Conditions of each stretch of documents that comes behind the place. */
function stretchesBehind(
  { sort }: FindQuery,
  place: PagePlace | undefined,
): readonly (readonly Document[])[] {
  if (place === undefined) return [[]];
  const ascending = sort.direction === 'ascending';
  const field = `fields.${sort.field}`;
  const behind = ascending ? '$gt' : '$lt';
  const behindId = { _id: { [behind]: place.id } };
  if (place.value === null) {
    const rest = [{ [field]: null }, behindId];
    return ascending ? [rest, [{ [field]: { $ne: null } }]] : [rest];
  }
  const here = [
    { [field]: { [`${behind}e`]: place.value } },
    { $or: [{ [field]: { [behind]: place.value } }, behindId] },
  ];
  return ascending ? [here] : [here, [{ [field]: null }]];
}

function filterCondition(filter: FieldFilter): Document {
  const field = `fields.${filter.field}`;
  if ('in' in filter) return { [field]: { $in: filter.in } };
  const bound: SortValue = sortValue(boundOf(filter));
  if ('equals' in filter) return { [field]: { $eq: bound } };
  return { [field]: 'atLeast' in filter ? { $gte: bound } : { $lt: bound } };
}
