import type { ArtifactOwner, ArtifactStore } from '../artifact-store.js';
import type { ErasedKey, KeyStore } from '../key-store.js';
import type { SessionEraser } from '../session-eraser.js';
import type { SessionKeys } from './session-keys.js';

/** Destroying the key destroys events, snapshots and read models with it: they are ciphertext. */
export class SealedSessionEraser implements SessionEraser {
  constructor(
    private readonly keyStore: KeyStore,
    private readonly keys: SessionKeys,
    private readonly artifacts: ArtifactStore,
  ) {}

  async keyIdOf(owner: ArtifactOwner): Promise<string | undefined> {
    return (await this.keyStore.find(owner))?.keyId;
  }

  async erase(owner: ArtifactOwner, atMs: number): Promise<number> {
    await this.keyStore.erase(owner, atMs);
    this.keys.drop(owner);
    return this.artifacts.removeAll(owner);
  }

  forget(owner: ArtifactOwner): void {
    this.keys.drop(owner);
  }

  erasedAfter(number: number): Promise<readonly ErasedKey[]> {
    return this.keyStore.erasedAfter(number);
  }
}
