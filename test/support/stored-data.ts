/** What is stored of a folder's Holdfast, in whichever stores STORES_UNDER_TEST names. */
import { cpSync, existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Document } from 'mongodb';
import { eventStoreDoubleOf, mongoUrlOf } from './stores-under-test.js';
import { type TemporaryFolder, temporaryFolder } from './temporary-folder.js';

/** The names of what holds this text in clear: files, documents, events. */
export async function placesWith(folder: TemporaryFolder, text: string): Promise<string[]> {
  const places = await storedBytes(folder);
  return places.filter(({ bytes }) => bytes.includes(text)).map(({ place }) => place);
}

/** Every file, every document and every event, as it is stored. */
export async function storedBytes(
  folder: TemporaryFolder,
): Promise<readonly { readonly place: string; readonly bytes: Buffer }[]> {
  const files = readdirSync(folder.path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({ place: file, bytes: readFileSync(file) }));
  const log = (await eventStoreDoubleOf(folder.path))?.log.records ?? [];
  const events = log.map(({ stream, revision, data, metadata }) => ({
    place: `event ${revision} of ${stream}`,
    bytes: Buffer.concat([data, metadata]),
  }));
  const documents = await mongoDocuments(folder, ['', '_keys']);
  return [
    ...files,
    ...events,
    ...documents.map(({ collection, bytes }) => ({ place: collection, bytes })),
  ];
}

export interface StoredCopy {
  /** Where it was, or where another folder has it. Nothing may have it open: it is replaced. */
  restore(to?: TemporaryFolder): Promise<void>;
}

/** Events, read models, leases and artifacts, without the keys; nothing may have them open. */
export function copyOfData(folder: TemporaryFolder): Promise<StoredCopy> {
  return copyOf(folder, 'data', '');
}

/** The keys alone; nothing may have them open. */
export function copyOfKeys(folder: TemporaryFolder): Promise<StoredCopy> {
  return copyOf(folder, 'data-keys', '_keys');
}

async function copyOf(
  folder: TemporaryFolder,
  part: 'data' | 'data-keys',
  suffix: '' | '_keys',
): Promise<StoredCopy> {
  const there = join(folder.path, part);
  const kept = temporaryFolder();
  if (existsSync(there)) cpSync(there, kept.path, { recursive: true });
  const log = (await eventStoreDoubleOf(folder.path))?.log;
  const events = part === 'data' ? log && [...log.records] : undefined;
  const documents = await mongoDocuments(folder, [suffix]);
  return {
    async restore(to = folder) {
      const target = join(to.path, part);
      rmSync(target, { recursive: true, force: true });
      cpSync(kept.path, target, { recursive: true });
      kept.remove();
      if (events !== undefined) (await eventStoreDoubleOf(to.path))?.log.replaceAll(events);
      await replaceDocuments(to, suffix, documents);
    },
  };
}

interface StoredDocument {
  readonly collection: string;
  readonly document: Document;
  readonly bytes: Buffer;
}

/** Of the folder's database, and of those beside it whose names end so. */
async function mongoDocuments(
  folder: TemporaryFolder,
  suffixes: readonly string[],
): Promise<readonly StoredDocument[]> {
  const url = await mongoUrlOf(folder.path);
  if (url === undefined) return [];
  const { BSON, MongoClient } = await import('mongodb');
  const client = await MongoClient.connect(url, { useBigInt64: true });
  const found: StoredDocument[] = [];
  for (const suffix of suffixes) {
    const database = client.db(`${client.options.dbName}${suffix}`);
    for (const { name } of await database.listCollections().toArray()) {
      for (const document of await database.collection(name).find().toArray()) {
        found.push({ collection: name, document, bytes: Buffer.from(BSON.serialize(document)) });
      }
    }
  }
  await client.close();
  return found;
}

async function replaceDocuments(
  folder: TemporaryFolder,
  suffix: string,
  documents: readonly StoredDocument[],
): Promise<void> {
  const url = await mongoUrlOf(folder.path);
  if (url === undefined) return;
  const { MongoClient } = await import('mongodb');
  const client = await MongoClient.connect(url, { useBigInt64: true });
  const database = client.db(`${client.options.dbName}${suffix}`);
  const there = await database.listCollections().toArray();
  const names = [...there.map(({ name }) => name), ...documents.map((one) => one.collection)];
  for (const name of new Set(names)) {
    await database.collection(name).deleteMany({});
    const its = documents.filter(({ collection }) => collection === name);
    if (its.length > 0) await database.collection(name).insertMany(its.map((one) => one.document));
  }
  await client.close();
}
