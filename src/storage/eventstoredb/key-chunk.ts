import { hash } from 'node:crypto';

/** Revisions whose keys one chunk holds: chunk 0 those of revisions 0 to 511, and so on. */
export const CHUNK_REVISIONS = 512;
const HASH_BYTES = 6;
const ENTRY_BYTES = HASH_BYTES + 2;

export interface KeyEntry {
  /** 48 bits of the key's SHA-256. */
  readonly hash: number;
  /** Revision within the chunk. */
  readonly offset: number;
}

export function hashOfKey(key: string): number {
  return Number.parseInt(hash('sha256', key, 'hex').slice(0, 2 * HASH_BYTES), 16);
}

/** Which keys stand at which revisions of one part of a stream: entries of 8 bytes, sorted. */
export class KeyChunk {
  private constructor(readonly bytes: Buffer) {}

  static of(entries: readonly KeyEntry[]): KeyChunk {
    const sorted = entries.toSorted(
      (one, other) => one.hash - other.hash || one.offset - other.offset,
    );
    const bytes = Buffer.alloc(sorted.length * ENTRY_BYTES);
    for (const [index, entry] of sorted.entries()) {
      bytes.writeUIntBE(entry.hash, index * ENTRY_BYTES, HASH_BYTES);
      bytes.writeUInt16BE(entry.offset, index * ENTRY_BYTES + HASH_BYTES);
    }
    return new KeyChunk(bytes);
  }

  /** Undefined for bytes that are no chunk. */
  static from(bytes: Uint8Array): KeyChunk | undefined {
    return bytes.byteLength % ENTRY_BYTES === 0 ? new KeyChunk(Buffer.from(bytes)) : undefined;
  }

  /** Revisions within the chunk that may carry the key: another key can have the same hash. */
  find(hashOf: number): readonly number[] {
    const found: number[] = [];
    for (let at = this.firstOf(hashOf); at < this.count && this.hashAt(at) === hashOf; at += 1) {
      found.push(this.bytes.readUInt16BE(at * ENTRY_BYTES + HASH_BYTES));
    }
    return found;
  }

  get count(): number {
    return this.bytes.length / ENTRY_BYTES;
  }

  private firstOf(hashOf: number): number {
    let [low, high] = [0, this.count];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.hashAt(middle) < hashOf) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private hashAt(index: number): number {
    return this.bytes.readUIntBE(index * ENTRY_BYTES, HASH_BYTES);
  }
}
