import { createHmac } from 'node:crypto';
import type { ArtifactOwner } from '../artifact-store.js';
import type {
  BatchWrite,
  CollectionDefinition,
  DocumentWrite,
  FieldFilter,
  FindPage,
  FindQuery,
  ReadModelDocument,
  ReadModelStore,
  SealedFields,
} from '../read-model-store.js';
import { MissingKeyError } from '../missing-key-error.js';
import type { SessionKeys } from './session-keys.js';
import { opened, sealed } from './session-secret.js';

const NONCE_BYTES = 12;
const SEAL = 'sealed';

/**
 * Any read-model store, with the content of documents under the keys of their sessions. The same
 * document is always sealed to the same bytes, so that a rebuild gives the same ones: the nonce
 * comes of what is sealed. What no key opens any more is left out.
 */
export class SealedReadModelStore implements ReadModelStore {
  private readonly fields = new Map<string, SealedFields>();

  /** @param matchKey makes marks of the fields that are looked for by their whole value. */
  constructor(
    private readonly store: ReadModelStore,
    private readonly keys: SessionKeys,
    private readonly matchKey: Parameters<typeof createHmac>[1],
  ) {}

  async ensureCollections(collections: readonly CollectionDefinition[]): Promise<void> {
    for (const { name, content } of collections) if (content) this.fields.set(name, content);
    await this.store.ensureCollections(collections);
  }

  async get(collection: string, id: string): Promise<ReadModelDocument | undefined> {
    const found = await this.store.get(collection, id);
    return found && this.opened(id, found);
  }

  async getMany(
    collection: string,
    ids: readonly string[],
  ): Promise<Map<string, ReadModelDocument>> {
    const found = await this.store.getMany(collection, ids);
    for (const [id, document] of found) {
      if (SEAL in document) found.set(id, await this.opened(id, document));
    }
    return found;
  }

  async find(collection: string, query: FindQuery): Promise<FindPage> {
    const filters = query.filters.map((filter) => this.marked(filter));
    const page = await this.store.find(collection, { ...query, filters });
    const documents: FindPage['documents'][number][] = [];
    for (const { id, document } of page.documents) {
      documents.push({ id, document: await this.opened(id, document) });
    }
    return { ...page, documents };
  }

  async write(batch: BatchWrite): Promise<void> {
    const writes: DocumentWrite[] = [];
    for (const write of batch.writes) writes.push(await this.sealedWrite(write));
    await this.store.write({ ...batch, writes });
  }

  position(projection: string): Promise<bigint> {
    return this.store.position(projection);
  }

  async dropCollection(collection: string): Promise<void> {
    this.fields.delete(collection);
    await this.store.dropCollection(collection);
  }

  dropPosition(projection: string): Promise<void> {
    return this.store.dropPosition(projection);
  }

  close(): Promise<void> {
    return this.store.close();
  }

  private async sealedWrite(write: DocumentWrite): Promise<DocumentWrite> {
    const { collection, id, document } = write;
    const fields = this.fields.get(collection);
    if (document === undefined || fields === undefined) return write;
    const owner = fields.ownerOf(id, document);
    const access = this.keys.inMemory(owner) ?? (await this.keys.of(owner));
    if (access === undefined || access.kind === 'unsealed') return write;
    const clear: Record<string, unknown> = { ...document };
    const content: Record<string, unknown> = {};
    for (const name of fields.names) {
      if (clear[name] === undefined) continue;
      content[name] = clear[name];
      delete clear[name];
      const isMark = fields.matched?.includes(name) === true && access.kind === 'open';
      if (isMark) clear[name] = this.mark(String(content[name]));
    }
    if (access.kind === 'erased' || Object.keys(content).length === 0) {
      return { ...write, document: clear };
    }
    const { key } = access;
    const text = JSON.stringify(content);
    const bound = boundTo(owner, id, key.keyId);
    const nonce = createHmac('sha256', key.nonce).update(bound).update(text).digest();
    const seal = sealed(key.encryption, text, bound, nonce.subarray(0, NONCE_BYTES));
    const { tenantId, sessionId } = owner;
    return { ...write, document: { ...clear, [SEAL]: { tenantId, sessionId, text: seal } } };
  }

  private async opened(id: string, stored: ReadModelDocument): Promise<ReadModelDocument> {
    const { [SEAL]: seal, ...clear } = stored;
    if (seal === undefined) return stored;
    const { text, ...owner } = seal as ArtifactOwner & { readonly text: string };
    const access = this.keys.inMemory(owner) ?? (await this.accessOf(owner));
    const content =
      access?.kind === 'open'
        ? opened(access.key.encryption, text, boundTo(owner, id, access.key.keyId))
        : undefined;
    if (content !== undefined) return { ...clear, ...(JSON.parse(content) as object) };
    const isMark = (value: unknown) => typeof value === 'string' && value.startsWith(MARK);
    return Object.fromEntries(Object.entries(clear).filter(([, value]) => !isMark(value)));
  }

  private async accessOf(owner: ArtifactOwner) {
    return this.keys.of(owner).catch((error: unknown) => {
      if (error instanceof MissingKeyError) return undefined;
      throw error;
    });
  }

  private marked(filter: FieldFilter): FieldFilter {
    const isMatched = [...this.fields.values()].some(({ matched }) =>
      matched?.includes(filter.field),
    );
    if (!isMatched || !('equals' in filter)) return filter;
    return { ...filter, equals: this.mark(String(filter.equals)) };
  }

  private mark(text: string): string {
    return `${MARK}${createHmac('sha256', this.matchKey).update(text).digest('hex')}`;
  }
}

/** No id of a target begins so. */
const MARK = 'hf-mark:';

function boundTo({ tenantId, sessionId }: ArtifactOwner, id: string, keyId: string): string {
  return JSON.stringify(['document', tenantId, sessionId, id, keyId]);
}
