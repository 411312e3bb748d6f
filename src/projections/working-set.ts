import type {
  DocumentWrite,
  ReadModelDocument,
  ReadModelStore,
} from '../storage/read-model-store.js';
import type { Generation } from './generation.js';
import type {
  DocumentReference,
  Documents,
  Projection,
  ProjectionCollection,
  WorkingDocument,
} from './projection.js';

/** Documents asked for in one call to the store. */
const LOADED_TOGETHER_MAX = 500;

/** Thrown out of `fold`; the projector loads the document and folds the event again. */
export class DocumentNotLoaded extends Error {
  constructor(readonly reference: DocumentReference) {
    super(`document ${reference.id} of ${reference.collection} is not loaded`);
    this.name = 'DocumentNotLoaded';
  }
}

/** The documents of one generation that are in memory, and which of them are not written yet. */
export class WorkingSet implements Documents {
  private readonly collections: ReadonlyMap<string, WorkingCollection>;

  constructor(
    private readonly store: ReadModelStore,
    private readonly generation: Generation,
    projection: Projection,
  ) {
    this.collections = new Map(
      projection.collections.map((definition) => [
        definition.name,
        new WorkingCollection(definition),
      ]),
    );
  }

  get(collection: string, id: string): WorkingDocument | undefined {
    const found = this.of(collection).find(id);
    if (found === undefined) throw new DocumentNotLoaded({ collection, id });
    return found.document;
  }

  set(collection: string, id: string, document: WorkingDocument | undefined): void {
    this.of(collection).change(id, document);
  }

  async load(references: Iterable<DocumentReference>): Promise<void> {
    const missing = new Map<string, Set<string>>();
    for (const { collection, id } of references) {
      if (this.of(collection).find(id) !== undefined) continue;
      const ids = missing.get(collection) ?? new Set<string>();
      missing.set(collection, ids.add(id));
    }
    for (const [collection, ids] of missing) await this.loadFrom(collection, [...ids]);
  }

  changes(): DocumentWrite[] {
    return [...this.collections.values()].flatMap((collection) =>
      collection.changes(this.generation.collection(collection.definition.name)),
    );
  }

  /** The changes are in the store: what need not stay in memory goes. */
  written(): void {
    for (const collection of this.collections.values()) collection.written();
  }

  /** Forgets everything, changes too. */
  reset(): void {
    for (const collection of this.collections.values()) collection.reset();
  }

  private async loadFrom(collection: string, ids: readonly string[]): Promise<void> {
    const name = this.generation.collection(collection);
    for (let start = 0; start < ids.length; start += LOADED_TOGETHER_MAX) {
      const some = ids.slice(start, start + LOADED_TOGETHER_MAX);
      const found = await this.store.getMany(name, some);
      for (const id of some) this.of(collection).loaded(id, found.get(id));
    }
  }

  private of(collection: string): WorkingCollection {
    const found = this.collections.get(collection);
    if (found === undefined) throw new TypeError(`the projection has no collection ${collection}`);
    return found;
  }
}

interface Held {
  /** undefined: the store has no such document. */
  document: WorkingDocument | undefined;
}

/** Two generations of memory: what was not touched while the younger one filled up is dropped. */
class WorkingCollection {
  private young = new Map<string, Held>();
  private old = new Map<string, Held>();
  private changed = new Map<string, Held>();

  constructor(readonly definition: ProjectionCollection) {}

  find(id: string): Held | undefined {
    const found = this.young.get(id);
    if (found !== undefined) return found;
    const older = this.old.get(id);
    if (older !== undefined) this.young.set(id, older);
    return older;
  }

  loaded(id: string, stored: ReadModelDocument | undefined): void {
    const { workingForm } = this.definition;
    const document = stored && workingForm ? workingForm.open(stored) : stored;
    this.young.set(id, { document });
  }

  change(id: string, document: WorkingDocument | undefined): void {
    let held = this.find(id);
    if (held === undefined) {
      this.young.set(id, (held = { document }));
    } else {
      held.document = document;
    }
    this.changed.set(id, held);
  }

  changes(collection: string): DocumentWrite[] {
    const close = this.definition.workingForm?.close;
    const writes: DocumentWrite[] = [];
    for (const [id, { document }] of this.changed) {
      const plain = document && close ? close(document) : (document as ReadModelDocument);
      writes.push({ collection, id, document: plain });
    }
    return writes;
  }

  written(): void {
    this.changed = new Map();
    const keptMax = this.definition.keptMax ?? 0;
    if (this.young.size <= keptMax / 2) return;
    this.old = keptMax === 0 ? new Map() : this.young;
    this.young = new Map();
  }

  reset(): void {
    this.changed = new Map();
    this.young = new Map();
    this.old = new Map();
  }
}
