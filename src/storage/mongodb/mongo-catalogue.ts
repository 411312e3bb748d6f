import { randomBytes } from 'node:crypto';
import type { Collection } from 'mongodb';
import { checkDefinition } from '../read-model-rules.js';
import {
  type CollectionDefinition,
  InvalidQueryError,
  UnknownCollectionError,
} from '../read-model-store.js';
import type { MongoConnection } from './mongo-connection.js';
import { isDuplicateKey } from './mongo-error.js';
import { type StoredDocument, contentOf, fieldsOf } from './stored-document.js';

interface Entry {
  /** The name in lower case: two names never differ by their case only. */
  readonly _id: string;
  readonly name: string;
  /** The fields of each, with dots between. */
  readonly indexes: readonly string[];
  /** The server's collection; a collection that is declared anew gets another one. */
  readonly place: string;
}

export interface KnownCollection {
  readonly definition: CollectionDefinition;
  readonly documents: Collection<StoredDocument>;
}

const PLACE_PREFIX = 'documents.';

/** Which collections exist, with the fields that are indexed, and where their documents are. */
export class MongoCatalogue {
  private readonly entries: Collection<Entry>;
  private readonly known = new Map<string, Entry>();

  constructor(private readonly connection: MongoConnection) {
    this.entries = connection.data.collection<Entry>('collections');
  }

  /** @throws UnknownCollectionError */
  async get(name: string): Promise<KnownCollection> {
    const entry = this.known.get(name) ?? (await this.stored(name));
    if (entry === undefined || entry.name !== name) throw new UnknownCollectionError(name);
    this.known.set(name, entry);
    const definition = { name, indexes: entry.indexes.map(fieldsIn) };
    return { definition, documents: this.documentsAt(entry.place) };
  }

  /**
   * Looks again: another process may have dropped what this one knows. An empty answer must not
   * stand for that.
   * @throws UnknownCollectionError
   */
  async verify({ definition: { name }, documents }: KnownCollection): Promise<void> {
    const entry = await this.stored(name);
    if (entry?.name === name && entry.place === documents.collectionName) return;
    this.known.delete(name);
    throw new UnknownCollectionError(name);
  }

  async ensure(wanted: CollectionDefinition): Promise<void> {
    checkDefinition(wanted);
    const { name } = wanted;
    const entry = (await this.stored(name)) ?? (await this.create(wanted));
    if (entry.name !== name) {
      throw new InvalidQueryError(`collection ${name} differs from ${entry.name} by case only`);
    }
    const declared = wanted.indexes.map((fields) => fields.join('.'));
    const added = declared.filter((index) => !entry.indexes.includes(index));
    const indexes = [...entry.indexes, ...added];
    if (added.length > 0) await this.entries.updateOne({ _id: entry._id }, { $set: { indexes } });
    await this.createIndexes(entry.place, indexes);
    if (added.length > 0) await this.fillFields(entry.place, indexes);
    this.known.set(name, { ...entry, indexes });
  }

  async drop(name: string): Promise<void> {
    const entry = await this.stored(name);
    this.known.delete(name);
    if (entry === undefined || entry.name !== name) return;
    await this.entries.deleteOne({ _id: entry._id, place: entry.place });
    await this.documentsAt(entry.place).drop();
  }

  /** A write that came after a drop leaves documents at a place that nobody knows any more. */
  async removeLeftovers(): Promise<void> {
    const { data } = this.connection;
    const places = await data.listCollections({}, { nameOnly: true }).toArray();
    const entries = await this.entries.find().toArray();
    const inUse = new Set(entries.map(({ place }) => place));
    for (const { name } of places) {
      if (name.startsWith(PLACE_PREFIX) && !inUse.has(name)) await this.documentsAt(name).drop();
    }
  }

  documentsAt(place: string): Collection<StoredDocument> {
    return this.connection.data.collection<StoredDocument>(place);
  }

  private async stored(name: string): Promise<Entry | undefined> {
    return (await this.entries.findOne({ _id: name.toLowerCase() })) ?? undefined;
  }

  /** The entry comes first: a place without one is a leftover. */
  private async create({ name }: CollectionDefinition): Promise<Entry> {
    const place = `${PLACE_PREFIX}${name}.${randomBytes(4).toString('hex')}`;
    const entry: Entry = { _id: name.toLowerCase(), name, indexes: [], place };
    try {
      await this.entries.insertOne(entry);
      return entry;
    } catch (error) {
      const other = isDuplicateKey(error) ? await this.stored(name) : undefined;
      if (other === undefined) throw error;
      return other;
    }
  }

  private async createIndexes(place: string, indexes: Entry['indexes']): Promise<void> {
    const keys = indexes.map((index) => [
      ...fieldsIn(index).map((field) => `fields.${field}`),
      '_id',
    ]);
    if (keys.length === 0) return;
    await this.documentsAt(place).createIndexes(
      keys.map((fields) => ({ key: Object.fromEntries(fields.map((field) => [field, 1])) })),
    );
  }

  /** Documents from before an index was declared. */
  private async fillFields(place: string, indexes: Entry['indexes']): Promise<void> {
    const documents = this.documentsAt(place);
    const lists = indexes.map(fieldsIn);
    for await (const stored of documents.find()) {
      const content = contentOf(stored);
      if (content === undefined) continue;
      for (const [field, value] of Object.entries(fieldsOf(lists, content))) {
        if (stored.fields?.[field] !== undefined) continue;
        const path = `fields.${field}`;
        const missing = { _id: stored._id, [path]: { $exists: false } };
        await documents.updateOne(missing, { $set: { [path]: value } });
      }
    }
  }
}

function fieldsIn(index: string): readonly string[] {
  return index.split('.');
}
