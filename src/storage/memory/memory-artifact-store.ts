import { ArtifactMeter, openedArtifact, undefinedIfErased } from '../artifact-bytes.js';
import type { ArtifactSealing } from '../artifact-sealing.js';
import type {
  ArtifactContent,
  ArtifactOwner,
  ArtifactReference,
  ArtifactStore,
  ByteRange,
  StoredArtifact,
} from '../artifact-store.js';

export class MemoryArtifactStore implements ArtifactStore {
  private readonly contents = new Map<string, Map<string, Buffer>>();

  constructor(private readonly sealing: ArtifactSealing) {}

  async put(
    owner: ArtifactOwner,
    content: ArtifactContent,
    mediaType: string,
  ): Promise<ArtifactReference> {
    const seal = await this.sealing(owner);
    const meter = new ArtifactMeter(seal.hash());
    const pieces: Uint8Array[] = [];
    for await (const piece of seal.sealed(meter.pieces(content))) pieces.push(piece);
    const hash = meter.hash();
    const own = this.contents.get(nameOf(owner)) ?? new Map<string, Buffer>();
    this.contents.set(nameOf(owner), own.set(hash, Buffer.concat(pieces)));
    return { hash, sizeBytes: meter.sizeBytes, mediaType };
  }

  async find(owner: ArtifactOwner, hash: string): Promise<StoredArtifact | undefined> {
    const content = this.contents.get(nameOf(owner))?.get(hash);
    if (content === undefined) return undefined;
    const seal = await this.sealing(owner).catch(undefinedIfErased);
    return (
      seal && openedArtifact(seal, hash, content.byteLength, (range) => copyOf(content, range))
    );
  }

  async removeAll(owner: ArtifactOwner): Promise<number> {
    const count = this.contents.get(nameOf(owner))?.size ?? 0;
    this.contents.delete(nameOf(owner));
    return count;
  }
}

async function* copyOf(content: Buffer, range?: ByteRange): AsyncIterable<Uint8Array> {
  const { from, to } = range ?? { from: 0, to: content.byteLength - 1 };
  yield Uint8Array.from(content.subarray(from, to + 1));
}

function nameOf({ tenantId, sessionId }: ArtifactOwner): string {
  return JSON.stringify([tenantId, sessionId]);
}
