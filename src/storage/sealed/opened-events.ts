import type { RecordedEvent } from '../event-store.js';

/** In characters of what is stored; what was opened takes about as much again. */
const CHARACTERS_MAX = 4 * 1_024 * 1_024;

interface Kept {
  readonly stored: RecordedEvent;
  readonly opened: RecordedEvent;
}

/**
 * The newest events of the log, opened. Read models and all who follow a feed read each new event
 * soon after one another: the first of them opens it, the others get the same frozen value.
 */
export class OpenedEvents {
  private readonly kept = new Map<bigint, Kept>();
  private characters = 0;

  constructor(private readonly charactersMax: number = CHARACTERS_MAX) {}

  /** Undefined also when it is stored otherwise than when it was opened. */
  find(stored: RecordedEvent): RecordedEvent | undefined {
    const kept = this.kept.get(stored.position);
    return kept !== undefined && isSame(kept.stored, stored) ? kept.opened : undefined;
  }

  /** @param opened what is in it must never change: from now on others have it too. */
  keep(stored: RecordedEvent, opened: RecordedEvent): void {
    this.drop(stored.position);
    this.kept.set(stored.position, { stored, opened: Object.freeze(opened) });
    this.characters += charactersOf(stored);
    for (const oldest of this.kept.keys()) {
      if (this.characters <= this.charactersMax) return;
      this.drop(oldest);
    }
  }

  /** Drops what is in memory of the stream. */
  forget(stream: string): void {
    for (const [position, { stored }] of this.kept) {
      if (stored.stream === stream) this.drop(position);
    }
  }

  private drop(position: bigint): void {
    const kept = this.kept.get(position);
    if (kept === undefined) return;
    this.kept.delete(position);
    this.characters -= charactersOf(kept.stored);
  }
}

function charactersOf({ data, metadata }: RecordedEvent): number {
  return data.length + metadata.length;
}

function isSame(one: RecordedEvent, other: RecordedEvent): boolean {
  return (
    one.stream === other.stream &&
    one.revision === other.revision &&
    one.eventId === other.eventId &&
    one.type === other.type &&
    one.recordedAtMs === other.recordedAtMs &&
    one.metadata === other.metadata &&
    one.data === other.data
  );
}
