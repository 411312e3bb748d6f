import {
  ARTIFACT_BYTES_MAX,
  type ArtifactContent,
  ArtifactDamagedError,
  type ArtifactHash,
  type ArtifactOwner,
  ArtifactTooLargeError,
} from './artifact-store.js';

/** What an adapter has counted and hashed of the pieces that went through `pieces`. */
export class ArtifactMeter {
  sizeBytes = 0;
  private readonly running: ReturnType<ArtifactHash>;

  constructor(hashOf: ArtifactHash, owner: ArtifactOwner) {
    this.running = hashOf(owner);
  }

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
  running: ReturnType<ArtifactHash>,
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
