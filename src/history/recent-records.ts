import type { HistoryRecord } from '../context/history-record.js';
import type { Segment } from '../domain/events/positions.js';
import { sessionStream } from '../identity/derived-ids.js';
import type { EventCodec } from '../storage/event-codec.js';
import type { EventStore } from '../storage/event-store.js';
import { charactersOf } from '../storage/event-value.js';

const PAGE_EVENTS = 1_000;

/** How many events are kept decoded, in characters of their JSON. */
export interface RecentRecordsLimits {
  readonly charactersMax: number;
  /** Of one stream: a session that was never compacted must not push out all others. */
  readonly streamCharactersMax: number;
}

const LIMITS: RecentRecordsLimits = {
  charactersMax: 32 * 1024 * 1024,
  streamCharactersMax: 8 * 1024 * 1024,
};

/** Neighbouring events of a stream, decoded. */
interface Range {
  readonly from: number;
  readonly records: HistoryRecord[];
  characters: number;
}

/**
 * An agent asks for its next model input after every step, and all but the newest events are those
 * of the last time. Events never change, so what was decoded once is given again; only what came
 * since is read. The least recently used streams are forgotten first.
 */
export class RecentRecords {
  private readonly ranges = new Map<string, Range>();
  private characters = 0;

  constructor(
    private readonly events: EventStore,
    private readonly codec: EventCodec,
    private readonly limits: RecentRecordsLimits = LIMITS,
  ) {}

  /** The segment's events, both ends included, in order. */
  async read(tenantId: string, segment: Segment): Promise<readonly HistoryRecord[]> {
    const { sessionId, from, to } = segment;
    const stream = sessionStream(tenantId, sessionId);
    const known = this.ranges.get(stream);
    const isNear = known !== undefined && known.from <= from && from <= endOf(known);
    const range = isNear
      ? { ...known, records: [...known.records] }
      : { from, records: [], characters: 0 };
    await this.extend(range, stream, sessionId, to);
    this.keep(stream, range);
    return range.records.slice(from - range.from, to + 1 - range.from);
  }

  /** Drops what is in memory of the stream. */
  forget(stream: string): void {
    this.characters -= this.ranges.get(stream)?.characters ?? 0;
    this.ranges.delete(stream);
  }

  private async extend(range: Range, stream: string, sessionId: string, to: number): Promise<void> {
    while (endOf(range) <= to) {
      const page = await this.events.read(stream, {
        from: endOf(range),
        to,
        maxCount: PAGE_EVENTS,
      });
      if (page.length === 0) return;
      for (const stored of page) {
        const { revision } = stored;
        range.records.push({ sessionId, revision, event: this.codec.eventOf(stored) });
        range.characters += charactersOf(stored);
      }
    }
  }

  private keep(stream: string, range: Range): void {
    this.characters -= this.ranges.get(stream)?.characters ?? 0;
    this.ranges.delete(stream);
    if (range.characters > this.limits.streamCharactersMax) return;
    this.ranges.set(stream, range);
    this.characters += range.characters;
    for (const oldest of this.ranges.keys()) {
      if (this.characters <= this.limits.charactersMax || oldest === stream) return;
      this.characters -= this.ranges.get(oldest)?.characters ?? 0;
      this.ranges.delete(oldest);
    }
  }
}

/** The revision that comes behind the range. */
function endOf({ from, records }: Range): number {
  return from + records.length;
}
