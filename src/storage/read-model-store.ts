/** The port for everything that can be rebuilt from events. */

/**
 * A plain JSON document. Numbers are safe integers; positions and money are strings. A field that
 * queries filter or sort by has one type in all documents of its collection.
 */
export type ReadModelDocument = Readonly<Record<string, unknown>>;

/** Top-level fields that hold what people, models and tools said. */
export interface SealedFields {
  readonly names: readonly string[];
  /** Of these: texts that queries filter by, as a whole. */
  readonly matched?: readonly string[];
  /** The session whose content it is. */
  readonly ownerOf: (
    id: string,
    document: ReadModelDocument,
  ) => { readonly tenantId: string; readonly sessionId: string };
}

export interface CollectionDefinition {
  /** A letter, then up to 62 letters, digits, `_` or `-`. Names differ by more than their case. */
  readonly name: string;
  /** Each entry is a list of top-level fields that queries filter and sort by, in this order. */
  readonly indexes: readonly (readonly string[])[];
  /** Stored encrypted with the session's key, and lost with it. */
  readonly content?: SealedFields;
}

export interface DocumentWrite {
  readonly collection: string;
  readonly id: string;
  /** undefined deletes the document. */
  readonly document: ReadModelDocument | undefined;
}

export interface BatchWrite {
  readonly projection: string;
  /** The position this projection must be at; otherwise nothing is written. */
  readonly expectedPosition: bigint;
  readonly nextPosition: bigint;
  readonly writes: readonly DocumentWrite[];
}

export type FieldFilter =
  | { readonly field: string; readonly equals: string | number | boolean }
  | { readonly field: string; readonly in: readonly (string | number)[] }
  | { readonly field: string; readonly atLeast: string | number }
  | { readonly field: string; readonly below: string | number };

export interface FindQuery {
  readonly filters: readonly FieldFilter[];
  /** Sort field; ties are broken by document id in the same direction. */
  readonly sort: { readonly field: string; readonly direction: 'ascending' | 'descending' };
  /** Page size, 1 to 200. */
  readonly limit: number;
  /** From `FindPage.cursor`: continue behind it. Opaque. */
  readonly cursor?: string;
}

export interface FindPage {
  readonly documents: readonly { readonly id: string; readonly document: ReadModelDocument }[];
  /** Present when there is more. */
  readonly cursor?: string;
}

export interface ReadModelStore {
  /** Creates what is missing: collections and their indexes. */
  ensureCollections(collections: readonly CollectionDefinition[]): Promise<void>;

  get(collection: string, id: string): Promise<ReadModelDocument | undefined>;
  getMany(collection: string, ids: readonly string[]): Promise<Map<string, ReadModelDocument>>;
  /**
   * Strings are ordered by their UTF-8 bytes; documents without the sort field come first in
   * ascending order. `atLeast` and `below` match values of the bound's own type only.
   * @throws InvalidQueryError for a field that no index names, or a limit out of range.
   * @throws InvalidCursorError
   */
  find(collection: string, query: FindQuery): Promise<FindPage>;

  /** 0n when the projection has written nothing yet. */
  position(projection: string): Promise<bigint>;

  /**
   * Documents and position, all or nothing.
   * @throws PositionMismatchError when the projection is not at `expectedPosition`.
   */
  write(batch: BatchWrite): Promise<void>;

  /** Removes a collection with its documents; an unknown one is no error. */
  dropCollection(collection: string): Promise<void>;
  /** Forgets a projection's position. */
  dropPosition(projection: string): Promise<void>;

  close(): Promise<void>;
}

export class PositionMismatchError extends Error {
  constructor(
    readonly projection: string,
    readonly expected: bigint,
    readonly actual: bigint,
  ) {
    super(`projection ${projection} is at position ${actual}, not at ${expected}`);
    this.name = 'PositionMismatchError';
  }
}

/** A query, definition or write that breaks a rule of this port. */
export class InvalidQueryError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'InvalidQueryError';
  }
}

/** A collection that nobody declared, or that was dropped. */
export class UnknownCollectionError extends Error {
  constructor(readonly collection: string) {
    super(`collection ${collection} does not exist; declare it with ensureCollections first`);
    this.name = 'UnknownCollectionError';
  }
}

/** A cursor that was not made by this store, or belongs to another query. */
export class InvalidCursorError extends Error {
  constructor() {
    super('the cursor is not valid for this query; begin again without one');
    this.name = 'InvalidCursorError';
  }
}

/** Documents grow by items, not in place: one message, one document (MongoDB's limit is 16 MiB). */
export const DOCUMENT_BYTES_MAX = 15 * 1024 * 1024;
export const FIND_LIMIT_MAX = 200;
