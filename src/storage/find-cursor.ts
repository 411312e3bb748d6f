import { createHash } from 'node:crypto';
import { type FindQuery, InvalidCursorError } from './read-model-store.js';

/** What a field can be sorted by; null when the document does not have it. */
export type SortValue = string | number | null;

/** The last document of a page: the next page begins behind it. */
export interface PagePlace {
  readonly value: SortValue;
  readonly id: string;
}

export function encodeCursor(collection: string, query: FindQuery, place: PagePlace): string {
  const content = [queryMark(collection, query), place.value, place.id];
  return Buffer.from(JSON.stringify(content)).toString('base64url');
}

/** @throws InvalidCursorError */
export function decodeCursor(collection: string, query: FindQuery): PagePlace | undefined {
  if (query.cursor === undefined) return undefined;
  const [mark, value, id] = contentOf(query.cursor);
  const sortable = value === null || typeof value === 'string' || Number.isFinite(value);
  if (mark !== queryMark(collection, query) || !sortable || typeof id !== 'string') {
    throw new InvalidCursorError();
  }
  return { value: value as SortValue, id };
}

function contentOf(cursor: string): readonly unknown[] {
  try {
    const content: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (Array.isArray(content) && content.length === 3) return content as unknown[];
  } catch {
    // Answered below, like any other text that is no cursor.
  }
  throw new InvalidCursorError();
}

/** A cursor belongs to a collection, its filters and its sort; the page size may change. */
function queryMark(collection: string, { filters, sort }: FindQuery): string {
  const text = JSON.stringify([collection, filters, sort.field, sort.direction]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 11);
}
