/**
 * Documents in memory, and transactions on them as a replica set has them: a transaction reads the
 * state from its beginning, nobody sees what it writes until it commits, and two of them that
 * write one document conflict.
 */
import { BSON } from 'mongodb';
import { valueAt } from './filters.js';
import { ServerError, duplicateKey, writeConflict } from './server-errors.js';
import { keyOf } from './value-order.js';
import type { Fields } from './wire-messages.js';

export const DOCUMENT_BYTES_MAX = 16 * 1024 * 1024;

export interface Index {
  readonly name: string;
  readonly key: Fields;
  readonly unique?: boolean;
}

type Documents = Map<string, Fields>;

export class Collection {
  documents: Documents = new Map();
  readonly indexes: Index[] = [{ name: '_id_', key: { _id: 1 } }];

  constructor(readonly namespace: string) {}
}

export class Transaction {
  readonly changes = new Map<Collection, Map<string, Fields | undefined>>();

  constructor(private readonly snapshot: ReadonlyMap<Collection, Documents>) {}

  original(collection: Collection): Documents {
    return this.snapshot.get(collection) ?? new Map<string, Fields>();
  }
}

export class Collections {
  readonly all = new Map<string, Collection>();
  private readonly open = new Set<Transaction>();

  named(namespace: string): Collection {
    const found = this.all.get(namespace) ?? new Collection(namespace);
    this.all.set(namespace, found);
    return found;
  }

  begin(): Transaction {
    const state = [...this.all.values()].map((one) => [one, one.documents] as const);
    const transaction = new Transaction(new Map(state));
    this.open.add(transaction);
    return transaction;
  }

  abort(transaction: Transaction): void {
    this.open.delete(transaction);
  }

  commit(transaction: Transaction): void {
    this.open.delete(transaction);
    for (const [collection, changes] of transaction.changes) {
      for (const [key, document] of changes) this.store(collection, key, document);
    }
  }

  /** All documents that are visible, or those of some keys. */
  read(
    collection: Collection,
    keys?: readonly string[],
    transaction?: Transaction,
  ): readonly Fields[] {
    const documents = transaction?.original(collection) ?? collection.documents;
    const changes = transaction?.changes.get(collection);
    if (keys !== undefined) {
      return [...new Set(keys)].flatMap((key) => {
        const document = changes?.has(key) ? changes.get(key) : documents.get(key);
        return document === undefined ? [] : [document];
      });
    }
    if (changes === undefined) return [...documents.values()];
    const merged = new Map<string, Fields | undefined>([...documents, ...changes]);
    return [...merged.values()].filter((document) => document !== undefined);
  }

  write(
    collection: Collection,
    key: string,
    document: Fields | undefined,
    transaction?: Transaction,
  ): void {
    if (document !== undefined) this.check(collection, key, document, transaction);
    for (const other of this.open) {
      if (other !== transaction && other.changes.get(collection)?.has(key)) throw writeConflict();
    }
    if (transaction === undefined) return this.store(collection, key, document);
    if (collection.documents.get(key) !== transaction.original(collection).get(key)) {
      throw writeConflict();
    }
    const changes = transaction.changes.get(collection) ?? new Map<string, Fields | undefined>();
    transaction.changes.set(collection, changes.set(key, document));
  }

  insert(collection: Collection, document: Fields, transaction?: Transaction): Fields {
    const whole = '_id' in document ? document : { _id: new BSON.ObjectId(), ...document };
    const key = keyOf(whole['_id']);
    if (this.read(collection, [key], transaction).length > 0) {
      throw duplicateKey(collection.namespace, '_id_');
    }
    this.write(collection, key, whole, transaction);
    return whole;
  }

  private store(collection: Collection, key: string, document: Fields | undefined): void {
    // A transaction that began before goes on reading the old map.
    if (this.open.size > 0) collection.documents = new Map(collection.documents);
    if (document === undefined) collection.documents.delete(key);
    else collection.documents.set(key, document);
  }

  private check(
    collection: Collection,
    key: string,
    document: Fields,
    transaction?: Transaction,
  ): void {
    if (BSON.calculateObjectSize(document) > DOCUMENT_BYTES_MAX) {
      throw new ServerError(10334, 'BSONObjectTooLarge', 'BSONObj size is invalid');
    }
    for (const { name, key: fields, unique } of collection.indexes) {
      if (unique !== true) continue;
      const paths = Object.keys(fields);
      const isTwin = (other: Fields): boolean =>
        keyOf(other['_id']) !== key &&
        paths.every((path) => keyOf(valueAt(other, path)) === keyOf(valueAt(document, path)));
      if (this.read(collection, undefined, transaction).some(isTwin)) {
        throw duplicateKey(collection.namespace, name);
      }
    }
  }
}
