import type { BatchWrite } from '../read-model-store.js';
import type { StoredDocument } from './stored-document.js';

/** A batch that was checked: at most one write per document, each with the place it goes to. */
export interface ReadyBatch {
  readonly projection: string;
  /** Decimal digits: 64 bits, only ever compared for equality. */
  readonly from: string;
  readonly to: string;
  readonly writes: readonly ReadyWrite[];
}

export interface ReadyWrite {
  readonly place: string;
  readonly id: string;
  /** undefined deletes it. */
  readonly stored: StoredDocument | undefined;
}

export interface StoredPosition {
  readonly _id: string;
  readonly position: string;
  /** Number and id of the batch that led here, while its documents are being written. */
  readonly pending?: { readonly batch: string; readonly sequence: number } | null;
}

/** How a batch reaches the server. */
export interface BatchWriter {
  /** Where the projection is, with all documents up to there written; undefined: nowhere yet. */
  position(projection: string): Promise<string | undefined>;
  /** @returns false when the projection is at another position: nothing was written. */
  write(batch: ReadyBatch): Promise<boolean>;
}

export function readyBatch(batch: BatchWrite, writes: readonly ReadyWrite[]): ReadyBatch {
  // Several writes to one document: the last one counts.
  const last = new Map(writes.map((write) => [`${write.place}:${write.id}`, write]));
  return {
    projection: batch.projection,
    from: batch.expectedPosition.toString(),
    to: batch.nextPosition.toString(),
    writes: [...last.values()],
  };
}

/** By place, so that each server collection gets its documents together. */
export function byPlace<Write extends Pick<ReadyWrite, 'place'>>(
  writes: readonly Write[],
): ReadonlyMap<string, readonly Write[]> {
  const groups = new Map<string, Write[]>();
  for (const write of writes) {
    const group = groups.get(write.place) ?? [];
    groups.set(write.place, group);
    group.push(write);
  }
  return groups;
}
