import { createHash, randomBytes } from 'node:crypto';

const SECRET_BYTES = 32;
const ID_BYTES = 8;
const KEY_TEXT = /^hf_(([a-z0-9][a-z0-9-]{0,62})\.[0-9a-f]{16})_([A-Za-z0-9_-]{43})$/;
const TENANT_ID = /^[a-z0-9][a-z0-9-]{0,62}$/;

/** A tenant's id is part of its keys and of stream names. */
export function isTenantId(text: string): boolean {
  return TENANT_ID.test(text);
}

export interface MadeAccessKey {
  readonly keyId: string;
  /** `hf_<keyId>_<secret>`: shown once, kept nowhere. */
  readonly text: string;
  readonly secretHash: string;
}

export function makeAccessKey(tenantId: string): MadeAccessKey {
  const keyId = `${tenantId}.${randomBytes(ID_BYTES).toString('hex')}`;
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  return { keyId, text: `hf_${keyId}_${secret}`, secretHash: secretHashOf(secret) };
}

export interface ReadAccessKey {
  readonly keyId: string;
  readonly tenantId: string;
  readonly secretHash: string;
}

/** Undefined: the text has not the form of a key. */
export function readAccessKey(text: string): ReadAccessKey | undefined {
  const [, keyId, tenantId, secret] = KEY_TEXT.exec(text) ?? [];
  if (keyId === undefined || tenantId === undefined || secret === undefined) return undefined;
  return { keyId, tenantId, secretHash: secretHashOf(secret) };
}

/** SHA-256, hex: enough for a secret of 256 random bits. */
function secretHashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
