import type { ArtifactOwner } from '../artifact-store.js';
import type { ErasedKey, KeptKey, KeyStore } from '../key-store.js';

/**
 * Keys of an installation that has moved to another key store: those of before are still where
 * they were, are taken over when they are needed, and are erased in both.
 */
export class MovedKeyStore implements KeyStore {
  constructor(
    private readonly store: KeyStore,
    private readonly before: KeyStore,
  ) {}

  async find(owner: ArtifactOwner): Promise<KeptKey | undefined> {
    const found = await this.store.find(owner);
    if (found !== undefined) return found;
    const before = await this.before.find(owner);
    if (before === undefined || 'erasedAtMs' in before) return before;
    return this.store.keep(owner, before.keyId, before.wrapped);
  }

  async keep(owner: ArtifactOwner, keyId: string, wrapped: string): Promise<KeptKey> {
    return (await this.find(owner)) ?? this.store.keep(owner, keyId, wrapped);
  }

  async erase(owner: ArtifactOwner, atMs: number): Promise<void> {
    await this.find(owner);
    await this.before.erase(owner, atMs);
    await this.store.erase(owner, atMs);
  }

  erasedAfter(number: number): Promise<readonly ErasedKey[]> {
    return this.store.erasedAfter(number);
  }

  async close(): Promise<void> {
    await this.before.close();
    await this.store.close();
  }
}
