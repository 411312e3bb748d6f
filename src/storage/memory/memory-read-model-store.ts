import { type SortValue, decodeCursor, encodeCursor } from '../find-cursor.js';
import {
  boundOf,
  checkBatch,
  checkDefinition,
  checkQuery,
  documentText,
} from '../read-model-rules.js';
import {
  type BatchWrite,
  type CollectionDefinition,
  type FieldFilter,
  type FindPage,
  type FindQuery,
  InvalidQueryError,
  PositionMismatchError,
  type ReadModelDocument,
  type ReadModelStore,
  UnknownCollectionError,
} from '../read-model-store.js';

interface Kept {
  readonly text: string;
  /** Only looked at: what is handed out is made of the text. */
  readonly fields: ReadModelDocument;
}

interface Collection {
  readonly definition: CollectionDefinition;
  readonly kept: Map<string, Kept>;
}

interface Candidate extends Kept {
  readonly id: string;
  readonly value: SortValue;
}

/** Everything in this process's memory, found by looking at each document: for tests. */
export class MemoryReadModelStore implements ReadModelStore {
  private readonly collections = new Map<string, Collection>();
  private readonly positions = new Map<string, bigint>();

  async ensureCollections(collections: readonly CollectionDefinition[]): Promise<void> {
    collections.forEach(checkDefinition);
    for (const definition of collections) {
      const twin = [...this.collections.keys()].find(
        (name) => name !== definition.name && sameButCase(name, definition.name),
      );
      if (twin !== undefined) {
        throw new InvalidQueryError(
          `collection ${definition.name} differs from ${twin} by case only`,
        );
      }
      const known = this.collections.get(definition.name);
      const indexes = [...(known?.definition.indexes ?? []), ...definition.indexes];
      const kept = known?.kept ?? new Map<string, Kept>();
      this.collections.set(definition.name, { definition: { ...definition, indexes }, kept });
    }
  }

  async get(collection: string, id: string): Promise<ReadModelDocument | undefined> {
    const found = this.collection(collection).kept.get(id);
    return found && parsed(found.text);
  }

  async getMany(
    collection: string,
    ids: readonly string[],
  ): Promise<Map<string, ReadModelDocument>> {
    const { kept } = this.collection(collection);
    return new Map(
      ids.flatMap((id) => {
        const found = kept.get(id);
        return found === undefined ? [] : [[id, parsed(found.text)] as const];
      }),
    );
  }

  async find(collection: string, query: FindQuery): Promise<FindPage> {
    const { definition, kept } = this.collection(collection);
    checkQuery(definition, query);
    const place = decodeCursor(collection, query);
    const sign = query.sort.direction === 'ascending' ? 1 : -1;
    const candidates = [...kept]
      .filter(([, { fields }]) => query.filters.every((filter) => matches(fields, filter)))
      .map(([id, one]): Candidate => ({
        id,
        ...one,
        value: sortValue(one.fields[query.sort.field]),
      }))
      .filter((one) => place === undefined || sign * compare(one, place) > 0)
      .sort((one, other) => sign * compare(one, other));
    const page = candidates.slice(0, query.limit);
    const last = page.at(-1);
    const documents = page.map(({ id, text }) => ({ id, document: parsed(text) }));
    return candidates.length > page.length && last !== undefined
      ? { documents, cursor: encodeCursor(collection, query, last) }
      : { documents };
  }

  async position(projection: string): Promise<bigint> {
    return this.positions.get(projection) ?? 0n;
  }

  async write(batch: BatchWrite): Promise<void> {
    checkBatch(batch);
    const actual = this.positions.get(batch.projection) ?? 0n;
    if (actual !== batch.expectedPosition) {
      throw new PositionMismatchError(batch.projection, batch.expectedPosition, actual);
    }
    const ready = batch.writes.map(({ collection, id, document }) => ({
      kept: this.collection(collection).kept,
      id,
      text: document && documentText(collection, id, document),
    }));
    for (const { kept, id, text } of ready) {
      if (text === undefined) kept.delete(id);
      else kept.set(id, { text, fields: parsed(text) });
    }
    this.positions.set(batch.projection, batch.nextPosition);
  }

  async dropCollection(collection: string): Promise<void> {
    this.collections.delete(collection);
  }

  async dropPosition(projection: string): Promise<void> {
    this.positions.delete(projection);
  }

  async close(): Promise<void> {
    this.collections.clear();
    this.positions.clear();
  }

  private collection(name: string): Collection {
    const found = this.collections.get(name);
    if (found === undefined) throw new UnknownCollectionError(name);
    return found;
  }
}

function parsed(text: string): ReadModelDocument {
  return JSON.parse(text) as ReadModelDocument;
}

function sameButCase(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function matches(document: ReadModelDocument, filter: FieldFilter): boolean {
  const value = sortValue(document[filter.field]);
  if (value === null) return false;
  if ('in' in filter) return filter.in.includes(value);
  const bound = sortValue(boundOf(filter));
  if (bound === null || typeof value !== typeof bound) return false;
  const order = compareValues(value, bound);
  if ('equals' in filter) return order === 0;
  return 'atLeast' in filter ? order >= 0 : order < 0;
}

/** true and false sort as 1 and 0; lists and objects do not sort. */
function sortValue(value: unknown): SortValue {
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'string' || typeof value === 'number' ? value : null;
}

function compare(
  one: { readonly value: SortValue; readonly id: string },
  other: { readonly value: SortValue; readonly id: string },
): number {
  return compareValues(one.value, other.value) || compareValues(one.id, other.id);
}

/** Missing before numbers before text; text by its UTF-8 bytes. */
function compareValues(one: SortValue, other: SortValue): number {
  if (one === other) return 0;
  if (typeof one === 'string' && typeof other === 'string') {
    return Buffer.compare(Buffer.from(one), Buffer.from(other));
  }
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  return rank(one) - rank(other);
}

function rank(value: SortValue): number {
  if (value === null) return 0;
  return typeof value === 'number' ? 1 : 2;
}
