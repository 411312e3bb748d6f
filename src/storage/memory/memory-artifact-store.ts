import {
  ARTIFACT_BYTES_MAX,
  type ArtifactHash,
  type ArtifactOwner,
  type ArtifactReference,
  type ArtifactStore,
  ArtifactTooLargeError,
} from '../artifact-store.js';

export class MemoryArtifactStore implements ArtifactStore {
  private readonly contents = new Map<string, Uint8Array>();

  constructor(private readonly hashOf: ArtifactHash) {}

  async put(
    owner: ArtifactOwner,
    content: Uint8Array,
    mediaType: string,
  ): Promise<ArtifactReference> {
    if (content.byteLength > ARTIFACT_BYTES_MAX) {
      throw new ArtifactTooLargeError(content.byteLength);
    }
    const hash = this.hashOf(owner, content);
    this.contents.set(keyOf(owner, hash), Uint8Array.from(content));
    return { hash, sizeBytes: content.byteLength, mediaType };
  }

  async get(owner: ArtifactOwner, hash: string): Promise<Uint8Array | undefined> {
    const content = this.contents.get(keyOf(owner, hash));
    return content && Uint8Array.from(content);
  }
}

function keyOf({ tenantId, sessionId }: ArtifactOwner, hash: string): string {
  return JSON.stringify([tenantId, sessionId, hash]);
}
