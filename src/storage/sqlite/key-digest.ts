import { hash } from 'node:crypto';

/** A key is stored as the first half of its SHA-256. */
export const DIGEST_BYTES = 16;
const HASH_BYTES = 6;

const RECENT_MAX = 1_024;
/** Most keys are looked up just before an event is stored under them. */
const recent = new Map<string, string>();

/** As hex: Node makes a short string faster than a buffer. */
export function digestOf(key: string): string {
  const known = recent.get(key);
  if (known !== undefined) return known;
  const digest = hash('sha256', key, 'hex').slice(0, 2 * DIGEST_BYTES);
  if (recent.size >= RECENT_MAX) recent.clear();
  recent.set(key, digest);
  return digest;
}

/** The digests of an event's keys one behind the other; null when it has none. */
export function digestsOf(keys: readonly string[]): Buffer | null {
  if (keys.length === 0) return null;
  let digests = '';
  for (const key of keys) digests += digestOf(key);
  return Buffer.from(digests, 'hex');
}

export function splitDigests(digests: Uint8Array): string[] {
  const bytes = Buffer.from(digests.buffer, digests.byteOffset, digests.byteLength);
  const split: string[] = [];
  for (let offset = 0; offset < bytes.length; offset += DIGEST_BYTES) {
    split.push(bytes.toString('hex', offset, offset + DIGEST_BYTES));
  }
  return split;
}

/** 48 bits of the digest, from 0. */
export function hashOf(digest: string): bigint {
  return BigInt(hashNumberOf(digest));
}

/** The same as a number, which is cheaper to make. */
export function hashNumberOf(digest: string): number {
  return Number.parseInt(digest.slice(0, 2 * HASH_BYTES), 16);
}
