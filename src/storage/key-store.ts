import type { ArtifactOwner } from './artifact-store.js';

/** What is kept of a session's secret; after an erasure only that there was one. */
export type KeptKey =
  | { readonly keyId: string; readonly wrapped: string }
  | { readonly keyId: string; readonly erasedAtMs: number };

export interface ErasedKey extends ArtifactOwner {
  /** Rises with each erasure of the store, from 1. */
  readonly number: number;
}

/**
 * The port for the wrapped secrets of sessions, which stand apart from everything they open. An
 * erased one leaves no bytes of it in the store's files.
 */
export interface KeyStore {
  find(owner: ArtifactOwner): Promise<KeptKey | undefined>;
  /** Keeps it, durable when the promise resolves, unless there is one; answers what is kept. */
  keep(owner: ArtifactOwner, keyId: string, wrapped: string): Promise<KeptKey>;
  /** Durable when the promise resolves. Doing it again changes nothing. */
  erase(owner: ArtifactOwner, atMs: number): Promise<void>;
  /** Erasures after that number, in order, at most 1,000. */
  erasedAfter(number: number): Promise<readonly ErasedKey[]>;
  close(): Promise<void>;
}

export const ERASED_PAGE = 1_000;
