import { BSON } from 'mongodb';
import type { SortValue } from '../find-cursor.js';
import { documentText } from '../read-model-rules.js';
import {
  type CollectionDefinition,
  InvalidQueryError,
  type ReadModelDocument,
} from '../read-model-store.js';

/** The server takes 16 MiB; what is around the content needs a little. */
const STORED_BYTES_MAX = 15.5 * 1024 * 1024;
const ALWAYS_SMALL_CHARACTERS = 1024 * 1024;

/**
 * How a document is kept. Its content is JSON text: it comes back byte for byte, and may hold what
 * BSON refuses (a name with a NUL, more than 100 levels). The fields that queries name stand
 * beside it.
 */
export interface StoredDocument {
  readonly _id: string;
  /** Absent in a mark that a document was deleted. */
  readonly json?: string;
  /** Each field that an index names; null when the document does not have it. */
  readonly fields?: Readonly<Record<string, SortValue>>;
  /** Number of the batch that wrote it, on a server without transactions. */
  readonly sequence?: number;
}

/** @throws InvalidQueryError */
export function storedDocument(
  definition: CollectionDefinition,
  id: string,
  document: ReadModelDocument,
): StoredDocument {
  const json = documentText(definition.name, id, document);
  const fields = fieldsOf(definition.indexes, document);
  const stored = { _id: id, json, fields };
  if (json.length > ALWAYS_SMALL_CHARACTERS) {
    const bytes = BSON.calculateObjectSize(stored);
    if (bytes > STORED_BYTES_MAX) {
      throw new InvalidQueryError(
        `collection ${definition.name}, document ${id}: ${bytes} bytes with its indexed fields are ` +
          `over the limit of ${STORED_BYTES_MAX}; index shorter fields`,
      );
    }
  }
  return stored;
}

export function contentOf({ json }: StoredDocument): ReadModelDocument | undefined {
  return json === undefined ? undefined : (JSON.parse(json) as ReadModelDocument);
}

export function fieldsOf(
  indexes: readonly (readonly string[])[],
  document: ReadModelDocument,
): Record<string, SortValue> {
  const names = [...new Set(indexes.flat())];
  return Object.fromEntries(names.map((name) => [name, sortValue(document[name])]));
}

/** true and false sort as 1 and 0; lists and objects do not sort. */
export function sortValue(value: unknown): SortValue {
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'string' || typeof value === 'number' ? value : null;
}
