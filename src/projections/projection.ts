import type { SessionEventRecord, SessionEventType } from '../domain/events.js';
import type { CollectionDefinition, ReadModelDocument } from '../storage/read-model-store.js';

export interface DocumentReference {
  readonly collection: string;
  readonly id: string;
}

/** A document while it is being worked on: the plain JSON one, or its collection's working form. */
export type WorkingDocument = object;

export interface ProjectionCollection extends CollectionDefinition {
  /** How many documents stay in memory between two batches; 0 when absent. */
  readonly keptMax?: number;
  /** A form that is cheaper to change than JSON; it may be changed in place before `set`. */
  readonly workingForm?: {
    readonly open: (stored: ReadModelDocument) => WorkingDocument;
    readonly close: (working: WorkingDocument) => ReadModelDocument;
  };
}

interface ProjectionBase {
  readonly name: string;
  /** Changes with the documents' shape: a new version begins anew, beside the old one. */
  readonly version: number;
  readonly collections: readonly ProjectionCollection[];
  /** Only these events are decoded and folded. All of them when absent. */
  readonly types?: ReadonlySet<SessionEventType>;
  /** The documents that the event touches, as far as the event alone tells: loaded ahead. */
  idsOf(record: SessionEventRecord): Iterable<DocumentReference>;
}

/** Each event changes the documents that it names, one independently of the other. */
export interface DocumentProjection extends ProjectionBase {
  evolve(
    collection: string,
    id: string,
    document: ReadModelDocument | undefined,
    record: SessionEventRecord,
  ): ReadModelDocument | undefined;
}

/**
 * An event that changes documents which only other documents name (a tree of sums). `fold` reads
 * all that it needs before it changes anything: a read of a document that is not in memory ends
 * it, and it is called again when the document is there.
 */
export interface LinkedProjection extends ProjectionBase {
  fold(record: SessionEventRecord, documents: Documents): void;
}

/**
 * A read model as data. Both kinds use no clock and no random, and folding an event a second time
 * changes nothing, so that the same log gives the same documents.
 */
export type Projection = DocumentProjection | LinkedProjection;

export interface Documents {
  get(collection: string, id: string): WorkingDocument | undefined;
  /** undefined deletes it. */
  set(collection: string, id: string, document: WorkingDocument | undefined): void;
}

/** Folds one event into the documents of any projection. */
export function foldRecord(
  projection: Projection,
  record: SessionEventRecord,
  documents: Documents,
): void {
  if ('fold' in projection) return projection.fold(record, documents);
  for (const { collection, id } of projection.idsOf(record)) {
    const before = documents.get(collection, id) as ReadModelDocument | undefined;
    const after = projection.evolve(collection, id, before, record);
    if (after !== before) documents.set(collection, id, after);
  }
}

/** The session that a document belongs to: its id is `sessionDocumentId`. */
export function ownerOfDocument(id: string): {
  readonly tenantId: string;
  readonly sessionId: string;
} {
  const dot = id.indexOf('.');
  return { tenantId: id.slice(0, dot), sessionId: id.slice(dot + 1) };
}

/** The same for an id that ends with what it is of the session, behind the last `:`. */
export function ownerOfPart(id: string): ReturnType<typeof ownerOfDocument> {
  return ownerOfDocument(id.slice(0, id.lastIndexOf(':')));
}

let latest = { tenantId: '', sessionId: '', id: '.' };

/**
 * Id of a document that belongs to one session; a tenant's name holds no dot. An event asks for the
 * same one many times: as the same text it is hashed once.
 */
export function sessionDocumentId(tenantId: string, sessionId: string): string {
  if (latest.sessionId !== sessionId || latest.tenantId !== tenantId) {
    latest = { tenantId, sessionId, id: `${tenantId}.${sessionId}` };
  }
  return latest.id;
}
