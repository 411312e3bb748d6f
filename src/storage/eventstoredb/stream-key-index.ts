import { CHUNK_REVISIONS, KeyChunk, type KeyEntry, hashOfKey } from './key-chunk.js';

/** The keys of one stream, exact up to `revision`: full chunks, and the open end behind them. */
export class StreamKeyIndex {
  private readonly openRevisions = new Map<number, number[]>();
  private readonly openEntries: KeyEntry[] = [];
  /** The last revision whose keys are in it; -1 when it is empty. */
  revision: number;

  constructor(private readonly chunks: KeyChunk[]) {
    this.revision = chunks.length * CHUNK_REVISIONS - 1;
  }

  /** How much memory it takes, in entries of a chunk. */
  get weight(): number {
    return this.chunks.reduce((sum, { count }) => sum + count, 16 * this.openEntries.length);
  }

  /**
   * Takes the keys of the next revision; any other revision is in it already, or too far ahead.
   * @returns the chunk that this revision filled, with its number.
   */
  add(
    revision: number,
    keys: readonly string[],
  ): { readonly number: number; readonly chunk: KeyChunk } | undefined {
    if (revision !== this.revision + 1) return undefined;
    this.revision = revision;
    const offset = revision % CHUNK_REVISIONS;
    for (const key of new Set(keys)) {
      const entry = { hash: hashOfKey(key), offset };
      this.openEntries.push(entry);
      const known = this.openRevisions.get(entry.hash);
      if (known === undefined) this.openRevisions.set(entry.hash, [revision]);
      else known.push(revision);
    }
    return offset === CHUNK_REVISIONS - 1 ? this.fill() : undefined;
  }

  /** Revisions that may carry one of the keys, rising. */
  find(keys: readonly string[]): readonly number[] {
    const found = new Set<number>();
    for (const hash of new Set(keys.map(hashOfKey))) {
      for (const [number, chunk] of this.chunks.entries()) {
        for (const offset of chunk.find(hash)) found.add(number * CHUNK_REVISIONS + offset);
      }
      for (const revision of this.openRevisions.get(hash) ?? []) found.add(revision);
    }
    return [...found].toSorted((one, other) => one - other);
  }

  private fill(): { number: number; chunk: KeyChunk } {
    const chunk = KeyChunk.of(this.openEntries);
    const number = this.chunks.length;
    this.chunks.push(chunk);
    this.openRevisions.clear();
    this.openEntries.length = 0;
    return { number, chunk };
  }
}
