import { ArtifactMeter, checkedPieces } from '../artifact-bytes.js';
import type {
  ArtifactContent,
  ArtifactHash,
  ArtifactOwner,
  ArtifactReference,
  ArtifactStore,
  ByteRange,
  StoredArtifact,
} from '../artifact-store.js';

export class MemoryArtifactStore implements ArtifactStore {
  private readonly contents = new Map<string, Buffer>();

  constructor(private readonly hashOf: ArtifactHash) {}

  async put(
    owner: ArtifactOwner,
    content: ArtifactContent,
    mediaType: string,
  ): Promise<ArtifactReference> {
    const meter = new ArtifactMeter(this.hashOf, owner);
    const pieces: Uint8Array[] = [];
    for await (const piece of meter.pieces(content)) pieces.push(piece);
    const hash = meter.hash();
    this.contents.set(keyOf(owner, hash), Buffer.concat(pieces));
    return { hash, sizeBytes: meter.sizeBytes, mediaType };
  }

  async find(owner: ArtifactOwner, hash: string): Promise<StoredArtifact | undefined> {
    const content = this.contents.get(keyOf(owner, hash));
    if (content === undefined) return undefined;
    return {
      sizeBytes: content.byteLength,
      read: (range) =>
        range === undefined
          ? checkedPieces(copyOf(content), hash, this.hashOf(owner))
          : copyOf(content, range),
    };
  }
}

async function* copyOf(content: Buffer, range?: ByteRange): AsyncIterable<Uint8Array> {
  const { from, to } = range ?? { from: 0, to: content.byteLength - 1 };
  yield Uint8Array.from(content.subarray(from, to + 1));
}

function keyOf({ tenantId, sessionId }: ArtifactOwner, hash: string): string {
  return JSON.stringify([tenantId, sessionId, hash]);
}
