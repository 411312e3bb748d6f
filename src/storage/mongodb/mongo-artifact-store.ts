import { once } from 'node:events';
import { type Collection, type Document, GridFSBucket, MongoError, ObjectId } from 'mongodb';
import { ArtifactMeter, hashOfAll, openedArtifact, undefinedIfErased } from '../artifact-bytes.js';
import type { ArtifactSeal, ArtifactSealing } from '../artifact-sealing.js';
import type {
  ArtifactContent,
  ArtifactOwner,
  ArtifactReference,
  ArtifactStore,
  ByteRange,
  StoredArtifact,
} from '../artifact-store.js';
import { type MongoConnection, QUERY_MS_MAX } from './mongo-connection.js';
import { eachOnMongo, isDuplicateKey, onMongo } from './mongo-error.js';

const BUCKET = 'artifacts';
const CHUNK_BYTES = 255 * 1024;
/** A reader that is slow holds 2 MiB of chunks, not the 16 MiB of a whole answer. */
const CHUNKS_AT_ONCE = 8;
const hexDigest = /^[0-9a-f]{64}$/;
/** What a crash left behind: no upload takes that long. */
const UPLOAD_MS_MAX = 60 * 60 * 1000;

interface StoredFile extends Document {
  readonly _id: ObjectId;
  readonly length: number | bigint;
  readonly chunkSize: number;
}

interface Chunk extends Document {
  readonly n: number;
  readonly data: { readonly buffer: Uint8Array };
}

interface Upload {
  readonly _id: ObjectId;
  readonly startedAt: Date;
}

/**
 * GridFS: content in chunks of 255 KiB, a document per artifact when all of them are there, and a
 * note per upload that is under way, by which the chunks of a broken one are found.
 */
export class MongoArtifactStore implements ArtifactStore {
  private readonly bucket: GridFSBucket;
  private readonly files: Collection<StoredFile>;
  private readonly chunks: Collection<Chunk>;
  private readonly uploads: Collection<Upload>;

  private constructor(
    { data }: MongoConnection,
    private readonly sealing: ArtifactSealing,
  ) {
    this.bucket = new GridFSBucket(data, { bucketName: BUCKET, chunkSizeBytes: CHUNK_BYTES });
    this.files = data.collection<StoredFile>(`${BUCKET}.files`);
    this.chunks = data.collection<Chunk>(`${BUCKET}.chunks`);
    this.uploads = data.collection<Upload>('artifact_uploads');
  }

  static async open(
    connection: MongoConnection,
    sealing: ArtifactSealing,
  ): Promise<MongoArtifactStore> {
    const store = new MongoArtifactStore(connection, sealing);
    await onMongo(async () => {
      const key = { 'metadata.tenantId': 1, 'metadata.sessionId': 1, filename: 1 } as const;
      await store.files.createIndex(key, { unique: true, name: 'owner' });
      await store.chunks.createIndex({ files_id: 1, n: 1 }, { unique: true });
      await store.removeLeftovers();
    });
    return store;
  }

  async put(
    owner: ArtifactOwner,
    content: ArtifactContent,
    mediaType: string,
  ): Promise<ArtifactReference> {
    return onMongo(async () => {
      const seal = await this.sealing(owner);
      if (content instanceof Uint8Array) {
        const [hash, sizeBytes] = [hashOfAll(seal, content), content.byteLength];
        if ((await this.fileOf(owner, hash)) !== null) return { hash, sizeBytes, mediaType };
      }
      return { ...(await this.upload(owner, content, seal)), mediaType };
    });
  }

  async find(owner: ArtifactOwner, hash: string): Promise<StoredArtifact | undefined> {
    if (!hexDigest.test(hash)) return undefined;
    const file = await onMongo(() => this.fileOf(owner, hash));
    if (file === null) return undefined;
    const seal = await this.sealing(owner).catch(undefinedIfErased);
    const stored = (range?: ByteRange) => this.piecesOf(file, range);
    return seal && openedArtifact(seal, hash, Number(file.length), stored);
  }

  async removeAll({ tenantId, sessionId }: ArtifactOwner): Promise<number> {
    return onMongo(async () => {
      const own = { 'metadata.tenantId': tenantId, 'metadata.sessionId': sessionId };
      const found = await this.files.find(own, { maxTimeMS: QUERY_MS_MAX }).toArray();
      for (const { _id } of found) {
        await this.files.deleteOne({ _id });
        await this.chunks.deleteMany({ files_id: _id });
      }
      return found.length;
    });
  }

  private fileOf({ tenantId, sessionId }: ArtifactOwner, hash: string): Promise<StoredFile | null> {
    return this.files.findOne(
      { 'metadata.tenantId': tenantId, 'metadata.sessionId': sessionId, filename: hash },
      { maxTimeMS: QUERY_MS_MAX },
    );
  }

  /** Whoever ends first counts; what was uploaded in vain is taken away again. */
  private async upload(
    owner: ArtifactOwner,
    content: ArtifactContent,
    seal: ArtifactSeal,
  ): Promise<Omit<ArtifactReference, 'mediaType'>> {
    const id = new ObjectId();
    await this.uploads.insertOne({ _id: id, startedAt: new Date() });
    const meter = new ArtifactMeter(seal.hash());
    const stream = this.bucket.openUploadStreamWithId(id, '', { metadata: { ...owner } });
    const failed = once(stream, 'error').then(([error]: unknown[]) => Promise.reject(error));
    failed.catch(() => undefined);
    try {
      for await (const piece of seal.sealed(meter.pieces(content))) {
        // The driver sends all chunks of a piece at once, which may be more than it has connections.
        for (let at = 0; at < piece.byteLength; at += CHUNK_BYTES) {
          const written = stream.write(piece.subarray(at, at + CHUNK_BYTES));
          if (!written) await Promise.race([once(stream, 'drain'), failed]);
        }
      }
      // The name is written last, with the document that makes the artifact visible.
      stream.filename = meter.hash();
      stream.end();
      await Promise.race([once(stream, 'finish'), failed]);
    } catch (error) {
      const isKeptAlready = isDuplicateKey(error);
      // After a broken connection it may be complete all the same: a later start looks.
      if (isKeptAlready || !(error instanceof MongoError)) await this.forget(id);
      if (!isKeptAlready) throw error;
    }
    await this.uploads.deleteOne({ _id: id });
    return { hash: stream.filename, sizeBytes: meter.sizeBytes };
  }

  private piecesOf(file: StoredFile, range?: ByteRange): AsyncIterable<Uint8Array> {
    const { chunkSize } = file;
    const { from, to } = range ?? { from: 0, to: Number(file.length) - 1 };
    const [first, last] = [Math.floor(from / chunkSize), Math.floor(to / chunkSize)];
    const ofRange = {
      $and: [{ files_id: file._id }, { n: { $gte: first } }, { n: { $lte: last } }],
    };
    const options = { maxTimeMS: QUERY_MS_MAX, batchSize: CHUNKS_AT_ONCE };
    const chunks = this.chunks.find(ofRange, options).sort({ n: 1 });
    const cut = async function* (): AsyncIterable<Uint8Array> {
      for await (const { n, data } of chunks) {
        const start = n * chunkSize;
        yield data.buffer.subarray(Math.max(0, from - start), to + 1 - start);
      }
    };
    return eachOnMongo(cut());
  }

  private async forget(id: ObjectId): Promise<void> {
    await this.chunks.deleteMany({ files_id: id });
    await this.uploads.deleteOne({ _id: id });
  }

  private async removeLeftovers(): Promise<void> {
    const old = { startedAt: { $lt: new Date(Date.now() - UPLOAD_MS_MAX) } };
    for (const { _id } of await this.uploads.find(old).toArray()) {
      const isComplete = (await this.files.findOne({ _id })) !== null;
      if (isComplete) await this.uploads.deleteOne({ _id });
      else await this.forget(_id);
    }
  }
}
