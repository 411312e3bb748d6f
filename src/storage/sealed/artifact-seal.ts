import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { checkedPieces } from '../artifact-bytes.js';
import type { ArtifactSeal, ArtifactSealing } from '../artifact-sealing.js';
import {
  ArtifactDamagedError,
  type ArtifactOwner,
  type ByteRange,
  ErasedArtifactsError,
} from '../artifact-store.js';
import { plainSeal } from './plain-seal.js';
import type { SessionKeys } from './session-keys.js';
import type { SessionKey } from './session-secret.js';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const BLOCK_BYTES = 16;
const ADDED_BYTES = NONCE_BYTES + TAG_BYTES;
/** GCM counts the tag's block as 1 (NIST SP 800-38D). */
const FIRST_COUNTER = 2;

/** Hashes artifacts of sessions that have no key of their own. */
export interface CommonHashes {
  runningHmac(tenantId: string, sessionId: string): ReturnType<typeof createHmac>;
}

/** Artifacts under the keys of their sessions: nonce, ciphertext, tag. */
export function artifactSealing(keys: SessionKeys, common: CommonHashes): ArtifactSealing {
  return async (owner) => {
    const { tenantId, sessionId } = owner;
    const access = await keys.ensured(owner);
    if (access.kind === 'erased') throw new ErasedArtifactsError(owner);
    if (access.kind === 'open') return sealOf(access.key, owner);
    return plainSeal(() => common.runningHmac(tenantId, sessionId));
  };
}

function sealOf(key: SessionKey, { tenantId, sessionId }: ArtifactOwner): ArtifactSeal {
  const bound = Buffer.from(JSON.stringify(['artifact', tenantId, sessionId, key.keyId]));
  const hash = () => createHmac('sha256', key.hash);
  return {
    hash,
    sealed: (pieces) => sealedPieces(key, bound, pieces),
    storedBytes: (sizeBytes) => sizeBytes + ADDED_BYTES,
    sizeBytes: (storedBytes) => storedBytes - ADDED_BYTES,
    opened: (stored, storedBytes, name, range) =>
      range === undefined
        ? checkedPieces(openedPieces(key, bound, stored(), storedBytes, name), name, hash())
        : openedRange(key, stored, range),
  };
}

async function* sealedPieces(
  { encryption }: SessionKey,
  bound: Buffer,
  pieces: AsyncIterable<Uint8Array>,
): AsyncIterable<Uint8Array> {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', encryption, nonce);
  cipher.setAAD(bound);
  yield nonce;
  for await (const piece of pieces) yield cipher.update(piece);
  cipher.final();
  yield cipher.getAuthTag();
}

async function* openedPieces(
  { encryption }: SessionKey,
  bound: Buffer,
  pieces: AsyncIterable<Uint8Array>,
  storedBytes: number,
  name: string,
): AsyncIterable<Uint8Array> {
  const parts = partsOf(pieces, storedBytes);
  const nonce = (await parts.next()).value as Buffer;
  if (nonce.byteLength !== NONCE_BYTES) throw new ArtifactDamagedError(name);
  const decipher = createDecipheriv('aes-256-gcm', encryption, nonce, {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(bound);
  let tag = Buffer.alloc(0);
  for await (const part of parts) {
    if ('tag' in part) tag = part.tag;
    else if (part.byteLength > 0) yield decipher.update(part);
  }
  if (tag.byteLength !== TAG_BYTES) throw new ArtifactDamagedError(name);
  decipher.setAuthTag(tag);
  try {
    decipher.final();
  } catch {
    throw new ArtifactDamagedError(name);
  }
}

/** The nonce, the ciphertext in pieces, the tag. */
async function* partsOf(
  pieces: AsyncIterable<Uint8Array>,
  storedBytes: number,
): AsyncGenerator<Buffer | { readonly tag: Buffer<ArrayBuffer> }, void, void> {
  const end = storedBytes - TAG_BYTES;
  const edges: { nonce: Uint8Array[]; tag: Uint8Array[] } = { nonce: [], tag: [] };
  let at = 0;
  let isOpen = false;
  for await (const piece of pieces) {
    const cut = (from: number, to: number) =>
      Buffer.from(piece.subarray(Math.max(0, from - at), Math.max(0, to - at)));
    if (at < NONCE_BYTES) edges.nonce.push(cut(0, NONCE_BYTES));
    if (!isOpen && at + piece.byteLength >= NONCE_BYTES) {
      isOpen = true;
      yield Buffer.concat(edges.nonce);
    }
    if (isOpen) yield cut(NONCE_BYTES, end);
    if (at + piece.byteLength > end) edges.tag.push(cut(end, storedBytes));
    at += piece.byteLength;
  }
  if (!isOpen) yield Buffer.concat(edges.nonce);
  yield { tag: Buffer.concat(edges.tag) };
}

/** The same cipher without its tag: a part of it is checked by nobody, as of any artifact. */
async function* openedRange(
  { encryption }: SessionKey,
  stored: (range: ByteRange) => AsyncIterable<Uint8Array>,
  { from, to }: ByteRange,
): AsyncIterable<Uint8Array> {
  const nonce: Uint8Array[] = [];
  for await (const piece of stored({ from: 0, to: NONCE_BYTES - 1 })) nonce.push(piece);
  const block = Math.floor(from / BLOCK_BYTES);
  const counter = Buffer.alloc(BLOCK_BYTES - NONCE_BYTES);
  counter.writeUInt32BE(FIRST_COUNTER + block);
  const decipher = createDecipheriv('aes-256-ctr', encryption, Buffer.concat([...nonce, counter]));
  let skip = from - block * BLOCK_BYTES;
  const range = { from: NONCE_BYTES + block * BLOCK_BYTES, to: NONCE_BYTES + to };
  for await (const piece of stored(range)) {
    const opened = decipher.update(piece);
    yield opened.subarray(skip);
    skip = Math.max(0, skip - opened.byteLength);
  }
}
