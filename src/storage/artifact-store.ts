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

export interface ArtifactStore {
  /**
   * Durable when the promise resolves. The same content again is stored once.
   * @throws ArtifactTooLargeError
   */
  put(owner: ArtifactOwner, content: Uint8Array, mediaType: string): Promise<ArtifactReference>;
  /**
   * undefined when this session has no such artifact.
   * @throws ArtifactDamagedError when the stored bytes no longer have this hash.
   */
  get(owner: ArtifactOwner, hash: string): Promise<Uint8Array | undefined>;
}

/** HMAC-SHA-256 of the content with the key of the owner's session, as 64 hex digits. */
export type ArtifactHash = (owner: ArtifactOwner, content: Uint8Array) => string;

export const ARTIFACT_BYTES_MAX = 64 * 1024 * 1024;

export class ArtifactTooLargeError extends Error {
  constructor(readonly sizeBytes: number) {
    super(`an artifact of ${sizeBytes} bytes is over the limit of ${ARTIFACT_BYTES_MAX}; split it`);
    this.name = 'ArtifactTooLargeError';
  }
}

export class ArtifactDamagedError extends Error {
  constructor(readonly hash: string) {
    super(`artifact ${hash} is damaged: its bytes have another hash; restore it from a backup`);
    this.name = 'ArtifactDamagedError';
  }
}
