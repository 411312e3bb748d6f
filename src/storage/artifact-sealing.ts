import type { ArtifactOwner, ByteRange } from './artifact-store.js';

/** HMAC-SHA-256 with the key of the owner's session, fed piece by piece. */
export interface RunningHash {
  update(piece: Uint8Array): unknown;
  digest(encoding: 'hex'): string;
}

/** How the artifacts of one session are addressed and kept. */
export interface ArtifactSeal {
  hash(): RunningHash;
  /** What is stored instead of the content. */
  sealed(pieces: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
  /** Bytes that content of this size takes. */
  storedBytes(sizeBytes: number): number;
  /** The other way round. */
  sizeBytes(storedBytes: number): number;
  /**
   * @param stored gives a range of what is stored.
   * @throws ArtifactDamagedError
   */
  opened(
    stored: (range?: ByteRange) => AsyncIterable<Uint8Array>,
    storedBytes: number,
    hash: string,
    range?: ByteRange,
  ): AsyncIterable<Uint8Array>;
}

/** @throws ErasedArtifactsError */
export type ArtifactSealing = (owner: ArtifactOwner) => Promise<ArtifactSeal>;
