import type { KeyObject } from 'node:crypto';
import type { ArtifactOwner } from '../artifact-store.js';
import type { KeptKey, KeyStore } from '../key-store.js';
import { MissingKeyError } from '../missing-key-error.js';
import {
  type SessionKey,
  newKeyId,
  newSecret,
  sessionKey,
  unwrapped,
  wrapped,
} from './session-secret.js';

const KEYS_KEPT_MAX = 10_000;
const CANDIDATES_MAX = 1_000;

/** How a session's content is kept. */
export type SessionAccess =
  | { readonly kind: 'open'; readonly key: SessionKey }
  | { readonly kind: 'erased'; readonly keyId: string }
  /** Begun before sessions had keys of their own: it stays as it was. */
  | { readonly kind: 'unsealed' };

/** What the session's first event tells of its key. */
export type SessionBeginning = 'none' | 'unsealed' | 'sealed';

export interface SessionKeysOptions {
  readonly store: KeyStore;
  /** The key that wraps the secrets of this tenant's sessions. */
  readonly wrapping: (tenantId: string) => KeyObject;
  readonly beginningOf: (owner: ArtifactOwner) => Promise<SessionBeginning>;
}

/** The keys of sessions, those in use in memory until they are dropped. */
export class SessionKeys {
  private readonly known = new Map<string, SessionAccess>();
  /** Keys of sessions that are about to begin, and may never do. */
  private readonly candidates = new Map<string, SessionKey>();
  private readonly dropListeners: ((owner: ArtifactOwner) => void)[] = [];

  constructor(private readonly options: SessionKeysOptions) {}

  /** What is in memory. */
  inMemory(owner: ArtifactOwner): SessionAccess | undefined {
    return this.known.get(nameOf(owner));
  }

  /**
   * Undefined when there is no such session yet.
   * @throws MissingKeyError
   */
  async of(owner: ArtifactOwner): Promise<SessionAccess | undefined> {
    const known = this.inMemory(owner);
    if (known !== undefined) return known;
    const kept = await this.options.store.find(owner);
    if (kept !== undefined) return this.remember(owner, this.accessBy(owner, kept));
    const beginning = await this.options.beginningOf(owner);
    if (beginning === 'sealed') throw new MissingKeyError(owner);
    return beginning === 'none' ? undefined : this.remember(owner, { kind: 'unsealed' });
  }

  /** As `of`; of a session that has not begun, the key that it would have. */
  async expected(owner: ArtifactOwner): Promise<SessionAccess> {
    const access = await this.of(owner);
    return access ?? { kind: 'open', key: this.candidate(owner) };
  }

  /** As `of`; a session without a key that has not begun gets one, durably. */
  async ensured(owner: ArtifactOwner): Promise<SessionAccess> {
    const access = await this.of(owner);
    if (access !== undefined) return access;
    const key = this.candidate(owner);
    const text = wrapped(this.options.wrapping(owner.tenantId), owner, key);
    const kept = await this.options.store.keep(owner, key.keyId, text);
    return this.remember(owner, this.accessBy(owner, kept));
  }

  /**
   * As `ensured`, for the append that begins the session.
   * @returns also whether another process has given it another key than `expected` told.
   */
  async begun(
    owner: ArtifactOwner,
  ): Promise<{ readonly access: SessionAccess; readonly isOther: boolean }> {
    const access = await this.ensured(owner);
    const candidate = this.candidates.get(nameOf(owner));
    this.candidates.delete(nameOf(owner));
    const keyId = access.kind === 'open' ? access.key.keyId : undefined;
    return { access, isOther: candidate !== undefined && candidate.keyId !== keyId };
  }

  /** Whoever keeps what these keys have opened drops it with them. */
  whenDropped(listener: (owner: ArtifactOwner) => void): void {
    this.dropListeners.push(listener);
  }

  drop(owner: ArtifactOwner): void {
    this.known.delete(nameOf(owner));
    this.candidates.delete(nameOf(owner));
    for (const listener of this.dropListeners) listener(owner);
  }

  private candidate(owner: ArtifactOwner): SessionKey {
    const name = nameOf(owner);
    const key = this.candidates.get(name) ?? sessionKey(newKeyId(), newSecret());
    this.candidates.set(name, key);
    forgetOldest(this.candidates, CANDIDATES_MAX);
    return key;
  }

  private remember(owner: ArtifactOwner, access: SessionAccess): SessionAccess {
    this.known.set(nameOf(owner), access);
    forgetOldest(this.known, KEYS_KEPT_MAX);
    return access;
  }

  private accessBy(owner: ArtifactOwner, kept: KeptKey): SessionAccess {
    const { keyId } = kept;
    if ('erasedAtMs' in kept) return { kind: 'erased', keyId };
    const wrapping = this.options.wrapping(owner.tenantId);
    const key = unwrapped(wrapping, owner, keyId, kept.wrapped);
    if (key === undefined) throw new MissingKeyError(owner);
    return { kind: 'open', key };
  }
}

function nameOf({ tenantId, sessionId }: ArtifactOwner): string {
  return `${tenantId}.${sessionId}`;
}

function forgetOldest(map: Map<string, unknown>, max: number): void {
  const [oldest] = map.keys();
  if (map.size > max && oldest !== undefined) map.delete(oldest);
}
