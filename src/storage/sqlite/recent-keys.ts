/** A key is stored as the first half of its SHA-256. */
export const DIGEST_BYTES = 16;
const KEYS_IN_MEMORY_MAX = 200_000;

interface Tail {
  /** Revision behind which the tail begins. */
  readonly behind: number;
  head: number;
  readonly revisions: Map<string, number[]>;
}

export type KeyRowsBehind = (
  stream: bigint,
  behind: number,
  to: number,
) => readonly [revision: bigint, keys: Uint8Array][];

/** Keys of each stream's newest events, those that the index on disk does not have yet. */
export class RecentKeys {
  private readonly tails = new Map<bigint, Tail>();
  private keyCount = 0;

  constructor(private readonly read: KeyRowsBehind) {}

  /** Adds the revisions behind `indexed`, up to `head`, that carry the key. */
  addTo(
    found: Set<number>,
    stream: bigint,
    indexed: number,
    head: number,
    digest: Buffer,
  ): void {
    const tail = this.tailOf(stream, indexed, head);
    for (const revision of tail.revisions.get(digest.latin1Slice()) ?? []) found.add(revision);
  }

  private tailOf(stream: bigint, indexed: number, head: number): Tail {
    const known = this.tails.get(stream);
    if (known?.behind === indexed && known.head === head) return known;
    let tail = known;
    this.drop(stream);
    if (tail?.behind !== indexed || tail.head > head) {
      tail = { behind: indexed, head: indexed, revisions: new Map() };
    }
    for (const [revision, keys] of this.read(stream, tail.head, head)) add(tail, revision, keys);
    tail.head = head;
    this.keep(stream, tail);
    return tail;
  }

  private keep(stream: bigint, tail: Tail): void {
    this.tails.set(stream, tail);
    this.keyCount += tail.revisions.size;
    for (const oldest of this.tails.keys()) {
      if (this.keyCount <= KEYS_IN_MEMORY_MAX || oldest === stream) return;
      this.drop(oldest);
    }
  }

  private drop(stream: bigint): void {
    this.keyCount -= this.tails.get(stream)?.revisions.size ?? 0;
    this.tails.delete(stream);
  }
}

function add(tail: Tail, revision: bigint, keys: Uint8Array): void {
  const bytes = Buffer.from(keys.buffer, keys.byteOffset, keys.byteLength);
  for (let offset = 0; offset < bytes.length; offset += DIGEST_BYTES) {
    const key = bytes.latin1Slice(offset, offset + DIGEST_BYTES);
    const revisions = tail.revisions.get(key);
    if (revisions === undefined) tail.revisions.set(key, [Number(revision)]);
    else revisions.push(Number(revision));
  }
}
