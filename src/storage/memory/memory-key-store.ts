import type { ArtifactOwner } from '../artifact-store.js';
import { ERASED_PAGE, type ErasedKey, type KeptKey, type KeyStore } from '../key-store.js';

export class MemoryKeyStore implements KeyStore {
  private readonly keys = new Map<string, KeptKey>();
  private readonly erased: ErasedKey[] = [];

  async find(owner: ArtifactOwner): Promise<KeptKey | undefined> {
    return this.keys.get(nameOf(owner));
  }

  async keep(owner: ArtifactOwner, keyId: string, wrapped: string): Promise<KeptKey> {
    const known = this.keys.get(nameOf(owner));
    if (known !== undefined) return known;
    const kept = { keyId, wrapped };
    this.keys.set(nameOf(owner), kept);
    return kept;
  }

  async erase({ tenantId, sessionId }: ArtifactOwner, atMs: number): Promise<void> {
    const name = nameOf({ tenantId, sessionId });
    const known = this.keys.get(name);
    if (known === undefined || 'erasedAtMs' in known) return;
    this.keys.set(name, { keyId: known.keyId, erasedAtMs: atMs });
    this.erased.push({ tenantId, sessionId, number: this.erased.length + 1 });
  }

  async erasedAfter(number: number): Promise<readonly ErasedKey[]> {
    return this.erased.slice(number, number + ERASED_PAGE);
  }

  async close(): Promise<void> {}
}

function nameOf({ tenantId, sessionId }: ArtifactOwner): string {
  return JSON.stringify([tenantId, sessionId]);
}
