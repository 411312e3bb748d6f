import {
  type BatchWrite,
  type CollectionDefinition,
  DOCUMENT_BYTES_MAX,
  FIND_LIMIT_MAX,
  type FieldFilter,
  type FindQuery,
  InvalidQueryError,
  type ReadModelDocument,
} from './read-model-store.js';

const collectionName = /^[A-Za-z][A-Za-z0-9_-]{0,62}$/;
const fieldName = /^[A-Za-z_][A-Za-z0-9_]{0,62}$/;
const INDEXES_MAX = 32;
const IN_VALUES_MAX = 1_000;

/** @throws InvalidQueryError */
export function checkDefinition({ name, indexes }: CollectionDefinition): void {
  if (!collectionName.test(name)) {
    throw new InvalidQueryError(
      `collection name ${JSON.stringify(name)} is not a letter and up to 62 letters, digits, _ or -`,
    );
  }
  if (indexes.length > INDEXES_MAX) {
    throw new InvalidQueryError(
      `collection ${name}: ${indexes.length} indexes are over the limit of ${INDEXES_MAX}`,
    );
  }
  for (const fields of indexes) {
    const wrong = fields.find((field) => !fieldName.test(field));
    if (wrong !== undefined || fields.length === 0 || new Set(fields).size < fields.length) {
      throw new InvalidQueryError(
        `collection ${name}: an index names one or more different top-level fields, not ` +
          JSON.stringify(fields),
      );
    }
  }
}

/** @throws InvalidQueryError */
export function checkQuery(definition: CollectionDefinition, query: FindQuery): void {
  const { name, indexes } = definition;
  if (!Number.isInteger(query.limit) || query.limit < 1 || query.limit > FIND_LIMIT_MAX) {
    throw new InvalidQueryError(
      `limit ${query.limit} is no whole number from 1 to ${FIND_LIMIT_MAX}`,
    );
  }
  for (const field of [...query.filters.map((filter) => filter.field), query.sort.field]) {
    if (!indexes.some((fields) => fields.includes(field))) {
      const declared = [...new Set(indexes.flat())].sort().join(', ');
      throw new InvalidQueryError(
        `collection ${name} has no index on ${JSON.stringify(field)}; filter and sort by one of: ` +
          (declared || 'none declared'),
      );
    }
  }
  for (const filter of query.filters) checkFilter(name, filter);
}

function checkFilter(collection: string, filter: FieldFilter): void {
  const values = 'in' in filter ? filter.in : [boundOf(filter)];
  if (values.length > IN_VALUES_MAX) {
    throw new InvalidQueryError(
      `collection ${collection}, field ${filter.field}: ${values.length} values are over the limit ` +
        `of ${IN_VALUES_MAX}`,
    );
  }
  for (const value of values) {
    const usable =
      typeof value === 'string' || typeof value === 'boolean' || Number.isSafeInteger(value);
    if (!usable) {
      throw new InvalidQueryError(
        `collection ${collection}, field ${filter.field}: ${String(value)} is neither text, true, ` +
          'false nor a safe whole number',
      );
    }
  }
}

export function boundOf(filter: Exclude<FieldFilter, { in: unknown }>): string | number | boolean {
  if ('equals' in filter) return filter.equals;
  return 'atLeast' in filter ? filter.atLeast : filter.below;
}

/** @throws InvalidQueryError */
export function checkBatch({ projection, expectedPosition, nextPosition }: BatchWrite): void {
  if (nextPosition < expectedPosition) {
    throw new InvalidQueryError(
      `projection ${projection} cannot go back from ${expectedPosition} to ${nextPosition}; drop its ` +
        'position to begin again',
    );
  }
}

/**
 * The document as JSON text.
 * @throws InvalidQueryError when it is too large or holds what JSON has no form for.
 */
export function documentText(collection: string, id: string, document: ReadModelDocument): string {
  if (id === '') throw new InvalidQueryError(`collection ${collection}: a document has no id`);
  let text: string;
  try {
    text = JSON.stringify(document);
  } catch (error) {
    throw new InvalidQueryError(
      `collection ${collection}, document ${id} is not JSON: ${String(error)}`,
    );
  }
  const bytes = 3 * text.length > DOCUMENT_BYTES_MAX ? Buffer.byteLength(text) : 0;
  if (bytes > DOCUMENT_BYTES_MAX) {
    throw new InvalidQueryError(
      `collection ${collection}, document ${id}: ${bytes} bytes are over the limit of ${DOCUMENT_BYTES_MAX}; use one document per item`,
    );
  }
  return text;
}
