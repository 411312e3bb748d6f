/** Blobs too large for an event, kept once per session, addressed by a keyed hash. */
export interface ArtifactReference {
  /** HMAC-SHA-256 of the content with the session's hash key, hex. */
  readonly hash: string;
  readonly sizeBytes: number;
  readonly mediaType: string;
}

export interface ArtifactOwner {
  readonly tenantId: string;
  readonly sessionId: string;
}

/** All of it, or the pieces as they come: then never more than a few of them are in memory. */
export type ArtifactContent = Uint8Array | AsyncIterable<Uint8Array>;

/** Both ends inclusive, counted from 0. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

export interface StoredArtifact {
  readonly sizeBytes: number;
  /**
   * The bytes in pieces. Without a range the hash is checked before the last piece comes.
   * @throws ArtifactDamagedError when the stored bytes no longer have this hash.
   */
  read(range?: ByteRange): AsyncIterable<Uint8Array>;
}

export interface ArtifactStore {
  /**
   * Durable when the promise resolves. The same content again is stored once; of content that
   * breaks off nothing stays.
   * @throws ArtifactTooLargeError as soon as the limit is passed, and whatever the pieces throw.
   */
  put(
    owner: ArtifactOwner,
    content: ArtifactContent,
    mediaType: string,
  ): Promise<ArtifactReference>;
  /** undefined when this session has no such artifact, or was erased. */
  find(owner: ArtifactOwner, hash: string): Promise<StoredArtifact | undefined>;
  /** Deletes all of a session's; doing it again finds none. Answers how many there were. */
  removeAll(owner: ArtifactOwner): Promise<number>;
}

export const ARTIFACT_BYTES_MAX = 64 * 1024 * 1024;

export class ArtifactTooLargeError extends Error {
  constructor(readonly bytesMax: number = ARTIFACT_BYTES_MAX) {
    super(`an artifact has at most ${bytesMax} bytes; split it`);
    this.name = 'ArtifactTooLargeError';
  }
}

/** Nothing is kept for an erased session any more. */
export class ErasedArtifactsError extends Error {
  constructor({ sessionId }: ArtifactOwner) {
    super(`session ${sessionId} was erased: it keeps no artifacts`);
    this.name = 'ErasedArtifactsError';
  }
}

export class ArtifactDamagedError extends Error {
  constructor(readonly hash: string) {
    super(`artifact ${hash} is damaged: its bytes have another hash; restore it from a backup`);
    this.name = 'ArtifactDamagedError';
  }
}

/** The whole content in memory; undefined when this session has no such artifact. */
export async function readArtifact(
  store: ArtifactStore,
  owner: ArtifactOwner,
  hash: string,
): Promise<Buffer | undefined> {
  const found = await store.find(owner, hash);
  if (found === undefined) return undefined;
  const pieces: Uint8Array[] = [];
  for await (const piece of found.read()) pieces.push(piece);
  return Buffer.concat(pieces);
}
