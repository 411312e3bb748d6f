/** Commands about the server, databases, collections and indexes. */
import { BSON } from 'mongodb';
import type { Collections, Index, Transaction } from './collections.js';
import { DOCUMENT_BYTES_MAX } from './collections.js';
import { ServerError } from './server-errors.js';
import type { Fields } from './wire-messages.js';

export interface CommandContext {
  readonly collections: Collections;
  readonly cursors: Map<string, { readonly namespace: string; readonly rest: Fields[] }>;
  readonly transaction: Transaction | undefined;
  readonly now: Date;
  readonly database: string;
  readonly server: { readonly address: () => string; readonly replicaSet: boolean };
}

const FIRST_BATCH = 101;

/** The first documents of a result, and a cursor for the others. */
export function firstBatch(
  { cursors }: CommandContext,
  namespace: string,
  documents: readonly Fields[],
  batchSize = FIRST_BATCH,
): Fields {
  const rest = [...documents];
  const firstDocuments = takeBatch(rest, batchSize);
  let id = BSON.Long.ZERO;
  if (rest.length > 0) {
    id = BSON.Long.fromNumber(cursors.size + 1);
    cursors.set(id.toString(), { namespace, rest });
  }
  return { cursor: { firstBatch: firstDocuments, id, ns: namespace } };
}

/** Takes a batch off the front: at most so many documents, and one answer of the server in bytes. */
export function takeBatch(rest: Fields[], batchSize: number): Fields[] {
  let [count, bytes] = [0, 0];
  while (count < Math.min(batchSize, rest.length)) {
    bytes += BSON.calculateObjectSize(rest[count]!);
    if (count > 0 && bytes > DOCUMENT_BYTES_MAX) break;
    count += 1;
  }
  return rest.splice(0, count);
}

export function namespaceOf({ database }: CommandContext, collection: unknown): string {
  return `${database}.${String(collection)}`;
}

function hello(_command: Fields, { server, now }: CommandContext): Fields {
  const me = server.address();
  const member = {
    setName: 'rs0',
    setVersion: 1,
    hosts: [me],
    me,
    primary: me,
    electionId: new BSON.ObjectId('7fffffff0000000000000001'),
  };
  return {
    isWritablePrimary: true,
    ismaster: true,
    helloOk: true,
    secondary: false,
    readOnly: false,
    ...(server.replicaSet ? member : {}),
    maxBsonObjectSize: DOCUMENT_BYTES_MAX,
    maxMessageSizeBytes: 48_000_000,
    maxWriteBatchSize: 100_000,
    localTime: now,
    logicalSessionTimeoutMinutes: 30,
    connectionId: 1,
    minWireVersion: 0,
    maxWireVersion: 21,
  };
}

function createIndexes(command: Fields, context: CommandContext): Fields {
  const collection = context.collections.named(namespaceOf(context, command['createIndexes']));
  const before = collection.indexes.length;
  for (const index of command['indexes'] as Index[]) {
    if (collection.indexes.every(({ name }) => name !== index.name)) collection.indexes.push(index);
  }
  return { numIndexesBefore: before, numIndexesAfter: collection.indexes.length };
}

function listIndexes(command: Fields, context: CommandContext): Fields {
  const namespace = namespaceOf(context, command['listIndexes']);
  const found = context.collections.all.get(namespace);
  if (found === undefined) {
    throw new ServerError(26, 'NamespaceNotFound', `ns does not exist: ${namespace}`);
  }
  const rows = found.indexes.map((index) => ({ v: 2, ...index }));
  return firstBatch(context, namespace, rows);
}

function listCollections(_command: Fields, context: CommandContext): Fields {
  const prefix = `${context.database}.`;
  const rows = [...context.collections.all.keys()]
    .filter((namespace) => namespace.startsWith(prefix))
    .map((namespace) => ({
      name: namespace.slice(prefix.length),
      type: 'collection',
      options: {},
    }));
  return firstBatch(context, `${prefix}$cmd.listCollections`, rows);
}

function dropDatabase(_command: Fields, { collections, database }: CommandContext): Fields {
  for (const namespace of collections.all.keys()) {
    if (namespace.startsWith(`${database}.`)) collections.all.delete(namespace);
  }
  return {};
}

export const adminCommands = {
  hello,
  isMaster: hello,
  ismaster: hello,
  ping: () => ({}),
  endSessions: () => ({}),
  buildInfo: () => ({ version: '7.0.0', versionArray: [7, 0, 0, 0] }),
  create(command: Fields, context: CommandContext): Fields {
    const namespace = namespaceOf(context, command['create']);
    if (context.collections.all.has(namespace)) {
      throw new ServerError(48, 'NamespaceExists', `Collection ${namespace} already exists.`);
    }
    context.collections.named(namespace);
    return {};
  },
  createIndexes,
  listIndexes,
  listCollections,
  drop(command: Fields, context: CommandContext): Fields {
    context.collections.all.delete(namespaceOf(context, command['drop']));
    return {};
  },
  dropDatabase,
};
