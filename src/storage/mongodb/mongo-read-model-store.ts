import type { Collection } from 'mongodb';
import { decodeCursor, encodeCursor } from '../find-cursor.js';
import { checkBatch, checkQuery } from '../read-model-rules.js';
import {
  type BatchWrite,
  type CollectionDefinition,
  type DocumentWrite,
  type FindPage,
  type FindQuery,
  PositionMismatchError,
  type ReadModelDocument,
  type ReadModelStore,
} from '../read-model-store.js';
import { JournalWriter } from './journal-writer.js';
import { MongoCatalogue } from './mongo-catalogue.js';
import { type MongoConnection, QUERY_MS_MAX } from './mongo-connection.js';
import { isDuplicateKey, onMongo } from './mongo-error.js';
import { mongoFinds } from './mongo-find.js';
import {
  type BatchWriter,
  type ReadyWrite,
  type StoredPosition,
  readyBatch,
} from './ready-batch.js';
import { type StoredDocument, contentOf, storedDocument } from './stored-document.js';
import { TransactionWriter } from './transaction-writer.js';

const LIMITED = { maxTimeMS: QUERY_MS_MAX };

/** A server collection per collection, and each projection's position beside them. */
export class MongoReadModelStore implements ReadModelStore {
  private constructor(
    private readonly catalogue: MongoCatalogue,
    private readonly positions: Collection<StoredPosition>,
    private readonly writer: BatchWriter,
  ) {}

  static async open(connection: MongoConnection): Promise<MongoReadModelStore> {
    const catalogue = new MongoCatalogue(connection);
    const positions = connection.data.collection<StoredPosition>('positions');
    const journal = new JournalWriter(connection, catalogue, positions);
    await onMongo(async () => {
      await journal.prepare();
      await catalogue.removeLeftovers();
    });
    const writer = connection.transactions
      ? new TransactionWriter(connection, catalogue, positions)
      : journal;
    return new MongoReadModelStore(catalogue, positions, writer);
  }

  async ensureCollections(collections: readonly CollectionDefinition[]): Promise<void> {
    await onMongo(async () => {
      for (const definition of collections) await this.catalogue.ensure(definition);
    });
  }

  async get(collection: string, id: string): Promise<ReadModelDocument | undefined> {
    return (await this.getMany(collection, [id])).get(id);
  }

  async getMany(
    collection: string,
    ids: readonly string[],
  ): Promise<Map<string, ReadModelDocument>> {
    return onMongo(async () => {
      const known = await this.catalogue.get(collection);
      const [first] = ids;
      if (first === undefined) return new Map<string, ReadModelDocument>();
      const filter = { _id: ids.length === 1 ? first : { $in: [...ids] } };
      const stored = await known.documents.find(filter, LIMITED).toArray();
      if (stored.length === 0) await this.catalogue.verify(known);
      const found = new Map(stored.map((one) => [one._id, contentOf(one)]));
      return new Map(
        ids.flatMap((id) => {
          const document = found.get(id);
          return document === undefined ? [] : [[id, document] as const];
        }),
      );
    });
  }

  async find(collection: string, query: FindQuery): Promise<FindPage> {
    return onMongo(async () => {
      const known = await this.catalogue.get(collection);
      const { definition, documents } = known;
      checkQuery(definition, query);
      const place = decodeCursor(collection, query);
      const found: StoredDocument[] = [];
      for (const { filter, sort } of mongoFinds(query, place)) {
        const limit = query.limit + 1 - found.length;
        if (limit === 0) break;
        found.push(...(await documents.find(filter, { ...LIMITED, sort, limit }).toArray()));
      }
      if (found.length === 0) await this.catalogue.verify(known);
      return pageOf(collection, query, found);
    });
  }

  async position(projection: string): Promise<bigint> {
    return onMongo(async () => BigInt((await this.writer.position(projection)) ?? '0'));
  }

  async write(batch: BatchWrite): Promise<void> {
    checkBatch(batch);
    await onMongo(async () => {
      const writes: ReadyWrite[] = [];
      for (const write of batch.writes) writes.push(await this.ready(write));
      if (batch.expectedPosition === 0n) await this.beginPosition(batch.projection);
      if (await this.writer.write(readyBatch(batch, writes))) return;
      const actual = BigInt((await this.writer.position(batch.projection)) ?? '0');
      throw new PositionMismatchError(batch.projection, batch.expectedPosition, actual);
    });
  }

  async dropCollection(collection: string): Promise<void> {
    await onMongo(() => this.catalogue.drop(collection));
  }

  async dropPosition(projection: string): Promise<void> {
    await onMongo(() => this.positions.deleteOne({ _id: projection }));
  }

  /** The connection belongs to whoever opened it. */
  close(): Promise<void> {
    return Promise.resolve();
  }

  private async ready({ collection, id, document }: DocumentWrite): Promise<ReadyWrite> {
    const { definition, documents } = await this.catalogue.get(collection);
    const stored = document && storedDocument(definition, id, document);
    return { place: documents.collectionName, id, stored };
  }

  /** So that moving on from the beginning is a change of a document like any other move. */
  private async beginPosition(projection: string): Promise<void> {
    try {
      await this.positions.insertOne({ _id: projection, position: '0', pending: null });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  }
}

function pageOf(collection: string, query: FindQuery, found: readonly StoredDocument[]): FindPage {
  const page = found.slice(0, query.limit);
  const documents = page.map((one) => ({ id: one._id, document: contentOf(one) ?? {} }));
  const last = page.at(-1);
  if (found.length <= query.limit || last === undefined) return { documents };
  const value = last.fields?.[query.sort.field] ?? null;
  return { documents, cursor: encodeCursor(collection, query, { id: last._id, value }) };
}
