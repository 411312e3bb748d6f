import type { ArtifactSeal, RunningHash } from './artifact-sealing.js';
import {
  ARTIFACT_BYTES_MAX,
  type ArtifactContent,
  ArtifactDamagedError,
  ArtifactTooLargeError,
  type ByteRange,
  ErasedArtifactsError,
  type StoredArtifact,
} from './artifact-store.js';

/** What an adapter has counted and hashed of the pieces that went through `pieces`. */
export class ArtifactMeter {
  sizeBytes = 0;

  constructor(private readonly running: RunningHash) {}

  /** @throws ArtifactTooLargeError */
  async *pieces(content: ArtifactContent): AsyncIterable<Uint8Array> {
    for await (const piece of content instanceof Uint8Array ? [content] : content) {
      this.sizeBytes += piece.byteLength;
      if (this.sizeBytes > ARTIFACT_BYTES_MAX) throw new ArtifactTooLargeError();
      this.running.update(piece);
      yield piece;
    }
  }

  /** Ends the counting. */
  hash(): string {
    return this.running.digest('hex');
  }
}

/**
 * Passes the pieces on, the last one only when all of them together have this hash: a reader that
 * knows the size never takes damaged content for whole.
 * @throws ArtifactDamagedError
 */
export async function* checkedPieces(
  pieces: AsyncIterable<Uint8Array>,
  expected: string,
  running: RunningHash,
): AsyncIterable<Uint8Array> {
  let held: Uint8Array | undefined;
  for await (const piece of pieces) {
    running.update(piece);
    if (held !== undefined) yield held;
    held = piece;
  }
  if (running.digest('hex') !== expected) throw new ArtifactDamagedError(expected);
  if (held !== undefined) yield held;
}

export function hashOfAll(seal: ArtifactSeal, content: Uint8Array): string {
  const running = seal.hash();
  running.update(content);
  return running.digest('hex');
}

/** @param stored gives what is stored, or a range of it. */
export function openedArtifact(
  seal: ArtifactSeal,
  hash: string,
  storedBytes: number,
  stored: (range?: ByteRange) => AsyncIterable<Uint8Array>,
): StoredArtifact {
  return {
    sizeBytes: seal.sizeBytes(storedBytes),
    read: (range) => seal.opened(stored, storedBytes, hash, range),
  };
}

/** What an erased session had is not there. */
export function undefinedIfErased(error: unknown): undefined {
  if (!(error instanceof ErasedArtifactsError)) throw error;
}
