import { STATE_SCHEMA_VERSION } from '../../domain/state.js';
import { sessionStream } from '../../identity/derived-ids.js';
import type { ArtifactOwner, ArtifactStore } from '../artifact-store.js';
import type { EventStore } from '../event-store.js';
import type { ErasedKey, KeyStore } from '../key-store.js';
import type { SessionEraser } from '../session-eraser.js';
import type { SessionKeys } from './session-keys.js';

/** Destroying the key destroys events, snapshots and read models with it: they are ciphertext. */
export class SealedSessionEraser implements SessionEraser {
  constructor(
    private readonly keyStore: KeyStore,
    private readonly keys: SessionKeys,
    private readonly artifacts: ArtifactStore,
    private readonly events: EventStore,
  ) {}

  async keyIdOf(owner: ArtifactOwner): Promise<string | undefined> {
    return (await this.keyStore.find(owner))?.keyId;
  }

  async isErased(owner: ArtifactOwner): Promise<boolean> {
    const kept = await this.keyStore.find(owner);
    return kept === undefined || 'erasedAtMs' in kept;
  }

  async erase(owner: ArtifactOwner, atMs: number): Promise<number> {
    await this.keyStore.erase(owner, atMs);
    this.keys.drop(owner);
    const stream = sessionStream(owner.tenantId, owner.sessionId);
    await this.events.dropSnapshots(stream, STATE_SCHEMA_VERSION);
    return this.artifacts.removeAll(owner);
  }

  forget(owner: ArtifactOwner): void {
    this.keys.drop(owner);
  }

  erasedAfter(number: number): Promise<readonly ErasedKey[]> {
    return this.keyStore.erasedAfter(number);
  }
}
