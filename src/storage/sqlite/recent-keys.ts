import { splitDigests } from './key-digest.js';

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
) => readonly [revision: bigint, digests: Uint8Array][];

/** Keys of each stream's newest events, those that the index on disk does not have yet. */
export class RecentKeys {
  private readonly tails = new Map<bigint, Tail>();
  private keyCount = 0;

  constructor(private readonly read: KeyRowsBehind) {}

  /** Revisions behind `indexed`, up to `head`, that carry the key. */
  revisionsWith(stream: bigint, indexed: number, head: number, digest: string): readonly number[] {
    return this.tailOf(stream, indexed, head).revisions.get(digest) ?? [];
  }

  private tailOf(stream: bigint, indexed: number, head: number): Tail {
    const known = this.tails.get(stream);
    if (known?.behind === indexed && known.head === head) return known;
    let tail = known;
    this.drop(stream);
    if (tail?.behind !== indexed || tail.head > head) {
      tail = { behind: indexed, head: indexed, revisions: new Map() };
    }
    for (const [revision, digests] of this.read(stream, tail.head, head)) {
      for (const digest of splitDigests(digests)) add(tail, digest, Number(revision));
    }
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

function add(tail: Tail, digest: string, revision: number): void {
  const revisions = tail.revisions.get(digest);
  if (revisions === undefined) tail.revisions.set(digest, [revision]);
  else revisions.push(revision);
}
