/** A position in a stream that may belong to another session (the parent of a fork). */
export interface StreamPosition {
  readonly sessionId: string;
  readonly revision: number;
}

/** Part of another session's stream that a fork reads by reference, both ends inclusive. */
export interface Segment {
  readonly sessionId: string;
  readonly from: number;
  readonly to: number;
}

/** Pointer to the event that holds a fact's current words. */
export interface FactPointer {
  readonly factId: string;
  readonly version: number;
  readonly at: StreamPosition;
  readonly retired?: boolean;
  /** Where a revert went back to older words: no version is given twice. */
  readonly newestVersion?: number;
}

/** What of its history a session shows; a fork takes it over, and a revert goes back to it. */
export interface Shown {
  readonly watermark?: Watermark;
  readonly facts: readonly FactPointer[];
  /** Ranges that reverts have taken out of the conversation. */
  readonly hidden: readonly Segment[];
}

export interface Watermark {
  readonly compactionId: string;
  /** The `Compacted` event that holds the summary. */
  readonly at: StreamPosition;
  /** First event of the kept tail. */
  readonly keptFrom: StreamPosition;
}
