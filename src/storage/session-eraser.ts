import type { ArtifactOwner } from './artifact-store.js';
import type { ErasedKey } from './key-store.js';

/** The port that destroys what a session has said, wherever it is stored. */
export interface SessionEraser {
  /** Undefined: the session was begun without a key, or there is none. */
  keyIdOf(owner: ArtifactOwner): Promise<string | undefined>;
  /** Whether its key is gone for good: a backup can bring one back. */
  isErased(owner: ArtifactOwner): Promise<boolean>;
  /**
   * Destroys the key for good, then snapshots and artifacts. Each step can be repeated.
   * @returns how many artifacts there still were.
   */
  erase(owner: ArtifactOwner, atMs: number): Promise<number>;
  /** Drops the key from this process's memory. */
  forget(owner: ArtifactOwner): void;
  /** Erasures of all processes after that number, in order. */
  erasedAfter(number: number): Promise<readonly ErasedKey[]>;
}
