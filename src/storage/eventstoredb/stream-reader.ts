import esdb from '@eventstore/db-client';
import { checkMaxCount } from '../check-read.js';
import type { AllFilter, AllPage, ReadOptions, RecordedEvent } from '../event-store.js';
import type { EsdbConnection, EsdbEvent } from './esdb-connection.js';
import { type StoredEvent, fromStore, ownEvent } from './stored-event.js';
import { isOwnStream } from './own-streams.js';

const PAGE_EVENTS = 1_000;
const HEAD_PAGE_EVENTS = 32;
/** So far back the newest event of Holdfast's own is looked for; then any event is the head. */
const HEAD_EVENTS_MAX = 4_096;

/** Reads of one stream and of `$all`, always from the leader: a follower may be behind. */
export class StreamReader {
  /** The newest position of an event of Holdfast's that this process knows of. */
  private newestKnown = 0n;

  constructor(private readonly connection: EsdbConnection) {}

  async read(stream: string, options: ReadOptions): Promise<readonly RecordedEvent[]> {
    const { from, to, maxCount, direction = 'forwards', types } = options;
    checkMaxCount(maxCount);
    const step = direction === 'forwards' ? 1 : -1;
    const found: RecordedEvent[] = [];
    for (let next = from; found.length < maxCount && next >= 0;) {
      const left = to === undefined ? PAGE_EVENTS : (to - next) * step + 1;
      const wanted = types === undefined ? maxCount - found.length : PAGE_EVENTS;
      const count = Math.min(left, wanted, PAGE_EVENTS);
      if (count <= 0) break;
      const page = await this.page(stream, { from: next, count, direction });
      const inRange = page.filter(
        ({ event }) => to === undefined || event.revision * step <= to * step,
      );
      for (const { event } of inRange) {
        if (types?.includes(event.type) ?? true) found.push(event);
      }
      const last = page.at(-1)?.event.revision;
      if (last === undefined || page.length < count) break;
      next = last + step;
    }
    return found.slice(0, maxCount);
  }

  /** Up to `count` events with what the port does not show of them. */
  async page(
    stream: string,
    options: { from: number; count: number; direction?: 'forwards' | 'backwards' },
  ): Promise<readonly StoredEvent[]> {
    const events = await this.connection.read(`a read of ${stream}`, (client) =>
      client.readStream(stream, {
        fromRevision: BigInt(options.from),
        maxCount: options.count,
        direction: options.direction === 'backwards' ? esdb.BACKWARDS : esdb.FORWARDS,
        requiresLeader: true,
      }),
    );
    return events.map(ownEvent);
  }

  async head(stream: string): Promise<number | 'noStream'> {
    const [last] = await this.connection.read(`the head of ${stream}`, (client) =>
      client.readStream(stream, {
        fromRevision: esdb.END,
        maxCount: 1,
        direction: esdb.BACKWARDS,
        requiresLeader: true,
      }),
    );
    return last === undefined ? 'noStream' : Number(last.revision);
  }

  /** Events of others count for `maxCount` too, as a read of `$all` has no filter. */
  async readAll(after: bigint, maxCount: number, filter?: AllFilter): Promise<AllPage> {
    checkMaxCount(maxCount);
    const count = maxCount + 1;
    const read = await this.readLog({ from: after, count, backwards: false });
    // The position to begin at is read again.
    const behind = read.filter((event) => positionOf(event) > after).slice(0, maxCount);
    const events = behind.flatMap((stored) => {
      const own = fromStore(stored);
      return own?.event.stream.startsWith(filter?.streamPrefix ?? '') ? [own.event] : [];
    });
    const last = behind.at(-1);
    return {
      events,
      next: last === undefined ? after : positionOf(last),
      caughtUp: read.length < count && behind.length < maxCount,
    };
  }

  /** The newest event of a stream of Holdfast's: others do not make a read model late. */
  async headPosition(): Promise<bigint> {
    const known = this.newestKnown;
    let newest: bigint | undefined;
    let from: bigint | undefined;
    for (let seen = 0; seen < HEAD_EVENTS_MAX; seen += HEAD_PAGE_EVENTS) {
      const page = await this.readLog({ from, count: HEAD_PAGE_EVENTS, backwards: true });
      for (const event of page) {
        const position = positionOf(event);
        newest ??= position;
        if (isOwnStream(event.streamId)) return this.know(position);
        if (position <= known) return known;
      }
      const last = page.at(-1);
      if (last === undefined || page.length < HEAD_PAGE_EVENTS) return known;
      from = positionOf(last);
    }
    return newest ?? known;
  }

  /** Someone saw an event of Holdfast's at this position. */
  know(position: bigint): bigint {
    if (position > this.newestKnown) this.newestKnown = position;
    return position;
  }

  private readLog(options: {
    from: bigint | undefined;
    count: number;
    backwards: boolean;
  }): Promise<EsdbEvent[]> {
    const { from, count, backwards } = options;
    return this.connection.read('a read of $all', (client) =>
      client.readAll({
        fromPosition: from ? positionAt(from) : backwards ? esdb.END : esdb.START,
        maxCount: count,
        direction: backwards ? esdb.BACKWARDS : esdb.FORWARDS,
        requiresLeader: true,
      }),
    );
  }
}

export function positionOf({ position }: EsdbEvent): bigint {
  return position?.commit ?? 0n;
}

/** Events written since version 20 have one position: they commit where they stand. */
export function positionAt(commit: bigint): { commit: bigint; prepare: bigint } {
  return { commit, prepare: commit };
}
