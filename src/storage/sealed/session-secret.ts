import {
  type KeyObject,
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  randomBytes,
  randomFillSync,
} from 'node:crypto';
import type { ArtifactOwner } from '../artifact-store.js';

const SECRET_BYTES = 32;
const KEY_ID_BYTES = 8;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const CIPHER = 'aes-256-gcm';

/** The keys that come of one session's secret, or of the secrets of several sessions. */
export interface SessionKey {
  readonly keyId: string;
  readonly secret: Uint8Array;
  readonly encryption: KeyObject;
  readonly hash: KeyObject;
  /** Makes nonces of documents that are sealed the same each time. */
  readonly nonce: KeyObject;
}

export function newKeyId(): string {
  return randomBytes(KEY_ID_BYTES).toString('hex');
}

export function newSecret(): Uint8Array {
  return randomBytes(SECRET_BYTES);
}

export function sessionKey(keyId: string, secret: Uint8Array): SessionKey {
  return {
    keyId,
    secret,
    encryption: derived(secret, 'encryption'),
    hash: derived(secret, 'hash'),
    nonce: derived(secret, 'nonce'),
  };
}

/** A key that is lost with any one of the secrets. */
export function combinedKey(keys: readonly SessionKey[]): SessionKey {
  const [first] = keys;
  if (keys.length === 1 && first !== undefined) return first;
  const secrets = Buffer.concat(keys.map(({ secret }) => secret));
  return sessionKey(
    keys.map(({ keyId }) => keyId).join('+'),
    derived(secrets, 'combined').export(),
  );
}

/**
 * @param bound what the text belongs to: elsewhere it does not open.
 * @param nonce 96 bits that no other text has under this key; random when absent.
 * @returns nonce, ciphertext and tag as base64url.
 */
export function sealed(
  key: KeyObject,
  text: string,
  bound: string,
  nonce: Uint8Array = newNonce(),
): string {
  const cipher = createCipheriv(CIPHER, key, nonce);
  cipher.setAAD(Buffer.from(bound));
  const body = cipher.update(text, 'utf8');
  cipher.final();
  return Buffer.concat([nonce, body, cipher.getAuthTag()]).toString('base64url');
}

/** Asking for random bytes costs more than encrypting a message does, so they come by the dozen. */
const nonces = Buffer.alloc(64 * NONCE_BYTES);
let noncesUsed = nonces.length;

function newNonce(): Uint8Array {
  if (noncesUsed === nonces.length) {
    randomFillSync(nonces);
    noncesUsed = 0;
  }
  noncesUsed += NONCE_BYTES;
  return nonces.subarray(noncesUsed - NONCE_BYTES, noncesUsed);
}

/** Undefined when it was not sealed with this key and for this place, or was changed since. */
export function opened(key: KeyObject, text: string, bound: string): string | undefined {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.byteLength < NONCE_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(Buffer.from(bound));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    const body = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
    decipher.final();
    return body.toString('utf8');
  } catch {
    return undefined;
  }
}

/** A secret as it may lie on a disk. */
export function wrapped(wrapping: KeyObject, owner: ArtifactOwner, key: SessionKey): string {
  const secret = Buffer.from(key.secret).toString('base64url');
  return sealed(wrapping, secret, wrappedFor(owner, key.keyId));
}

/** Undefined when this is not the key that it was wrapped with. */
export function unwrapped(
  wrapping: KeyObject,
  owner: ArtifactOwner,
  keyId: string,
  text: string,
): SessionKey | undefined {
  const secret = opened(wrapping, text, wrappedFor(owner, keyId));
  return secret === undefined ? undefined : sessionKey(keyId, Buffer.from(secret, 'base64url'));
}

function wrappedFor({ tenantId, sessionId }: ArtifactOwner, keyId: string): string {
  return JSON.stringify(['session secret', tenantId, sessionId, keyId]);
}

function derived(secret: Uint8Array, label: string): KeyObject {
  const info = `holdfast session ${label} 1`;
  return createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', info, SECRET_BYTES)));
}
