import { type BeforeApplicationShutdown, Inject, Injectable, Optional } from '@nestjs/common';
import type { SessionEventRecord } from '../domain/events.js';
import { frozen } from '../domain/frozen.js';
import { Rejection } from '../domain/rejection.js';
import { sessionStream } from '../identity/derived-ids.js';
import type { EventCodec } from '../storage/event-codec.js';
import type { AllPage, EventStore, RecordedEvent } from '../storage/event-store.js';
import { charactersOf } from '../storage/event-value.js';
import { followAll } from '../storage/follow-all.js';
import { CODEC, EVENT_STORE } from '../tokens.js';
import { HistoryReader } from './history-reader.js';
import { NewEvents, type Topic } from './new-events.js';
import { FEED_OPEN_MS_MAX, type FeedSlot, FeedSlots } from './feed-slots.js';

/** About so many bytes of events are read ahead of a reader, and one event at least. */
export const AHEAD_BYTES = 256 * 1_024;
const FIRST_PAGE_EVENTS = 8;
const PAGE_EVENTS_MAX = 128;
const SCANNED_TOGETHER_EVENTS = 200;
/** One page looks at so many events at most, whatever its filter lets through. */
const SCANNED_EVENTS_MAX = 5_000;

/** Which of a tenant's events are wanted; what is absent lets everything through. */
export interface FeedFilter {
  readonly types?: readonly string[];
  readonly sessions?: readonly string[];
  readonly actor?: string;
}

export interface FeedPage {
  readonly events: readonly SessionEventRecord[];
  /** Everything up to here has been seen: of a session a revision, of a tenant a position. */
  readonly next: bigint;
  /** Nothing was left to read at that moment. */
  readonly caughtUp: boolean;
}

export interface Feed {
  readonly pages: AsyncIterable<FeedPage>;
  /** Aborted when it is over; no further page comes then. */
  readonly signal: AbortSignal;
  /** To be called when nobody reads any more. */
  readonly end: () => void;
}

/** Not all was read that was asked for: the server stops, or nobody took any more of it. */
export class FeedBrokenOffError extends Error {
  constructor() {
    super('the server ended this before it was whole; ask for the rest, or for all of it again');
    this.name = 'FeedBrokenOffError';
  }
}

interface Source {
  readonly tenantId: string;
  readonly topic: Topic;
  readonly after: bigint;
  readonly readPage: (after: bigint) => Promise<AllPage>;
  /** The same page, where it is at hand because others follow the log as well. */
  readonly sharedPage: (after: bigint) => AllPage | undefined;
  readonly isWanted: (record: SessionEventRecord) => boolean;
}

/**
 * The log for readers from outside: to its end, or for ever. Each page is read when the reader asks
 * for it, from where the page before ended: nothing is missed, repeated or kept for a slow reader.
 * Readers who are equally far share what was read and decoded for one of them.
 */
@Injectable()
export class EventFeed implements BeforeApplicationShutdown {
  private readonly slots: FeedSlots;
  /** By what the store gave: events that are read again and again are the same objects. */
  private readonly decoded = new WeakMap<RecordedEvent, SessionEventRecord>();

  constructor(
    @Inject(EVENT_STORE) private readonly events: EventStore,
    @Inject(CODEC) private readonly codec: EventCodec,
    private readonly history: HistoryReader,
    private readonly news: NewEvents,
    @Optional() openMsMax: number = FEED_OPEN_MS_MAX,
  ) {
    this.slots = new FeedSlots(openMsMax);
  }

  /** Followers are told that it is over before requests are waited for. */
  beforeApplicationShutdown(): void {
    this.slots.endAll();
  }

  /**
   * @param after revision; -1 for all.
   * @throws Rejection `not_found`; `invalid_request` for a revision that is not there.
   */
  async ofSession(tenantId: string, sessionId: string, after: number): Promise<Source & Until> {
    const { revision } = await this.history.stateOf(tenantId, sessionId);
    if (after > revision) {
      throw new Rejection('invalid_request', `the session's newest revision is ${revision}`, {
        revision,
      });
    }
    const stream = sessionStream(tenantId, sessionId);
    const readPage = sized(async (last, maxCount) => {
      // One more than is wanted tells whether anything is left.
      const range = { from: Number(last) + 1, maxCount: maxCount + 1 };
      const found = await this.events.read(stream, range);
      const events = found.slice(0, maxCount);
      const next = BigInt(events.at(-1)?.revision ?? last);
      return { events, next, caughtUp: found.length <= maxCount };
    });
    const until = BigInt(revision);
    return {
      tenantId,
      topic: { stream },
      after: BigInt(after),
      readPage,
      sharedPage: () => undefined,
      isWanted: () => true,
      until,
    };
  }

  /** @throws Rejection `invalid_request` for a position that is not there. */
  async ofTenant(tenantId: string, after: bigint, filter: FeedFilter): Promise<Source & Until> {
    const until = await this.events.headPosition();
    if (after > until) {
      throw new Rejection('invalid_request', `the log's newest position is ${until}`, {
        position: String(until),
      });
    }
    const streamPrefix = sessionStream(tenantId, '');
    const readPage = sized((last, maxCount) =>
      this.events.readAll(last, maxCount, { streamPrefix }),
    );
    const sharedPage = (last: bigint): AllPage | undefined => {
      const page = this.news.pageAfter(last, streamPrefix);
      return page && (page.events.length <= 1 || charactersIn(page) <= AHEAD_BYTES)
        ? page
        : undefined;
    };
    const isWanted = (record: SessionEventRecord): boolean => passes(record, filter);
    return { tenantId, topic: { tenantId }, after, readPage, sharedPage, isWanted, until };
  }

  /** One page of a tenant's events. Fewer than `limit` do not mean that it is the last one. */
  async page(
    tenantId: string,
    after: bigint,
    filter: FeedFilter,
    limit: number,
  ): Promise<FeedPage> {
    const streamPrefix = sessionStream(tenantId, '');
    const events: SessionEventRecord[] = [];
    let next = after;
    for (let scanned = 0; scanned < SCANNED_EVENTS_MAX;) {
      const page = await this.events.readAll(next, SCANNED_TOGETHER_EVENTS, { streamPrefix });
      for (const stored of page.events) {
        const record = this.codec.decode(stored);
        if (!passes(record, filter)) continue;
        events.push(record);
        if (events.length === limit) return { events, next: stored.position, caughtUp: false };
      }
      next = page.next;
      if (page.caughtUp) return { events, next, caughtUp: true };
      scanned += SCANNED_TOGETHER_EVENTS;
    }
    return { events, next, caughtUp: false };
  }

  /**
   * Up to where the log ended when it was asked for.
   * @throws Rejection `limit_exceeded`; in between FeedBrokenOffError, so that a part is not taken for the whole.
   */
  toTheEnd(source: Source & Until): Feed {
    const slot = this.slots.take(source.tenantId);
    return { pages: untilOver(this.untilEnd(source, slot), slot), ...slot };
  }

  /**
   * For ever, or until its time is over; the first page comes at once, even if it is empty.
   * @throws Rejection `limit_exceeded`
   */
  follow(source: Source): Feed {
    const slot = this.slots.take(source.tenantId);
    return { pages: untilOver(this.forEver(source, slot.signal), slot), ...slot };
  }

  private async *untilEnd(
    source: Source & Until,
    { signal, goOn }: FeedSlot,
  ): AsyncGenerator<FeedPage> {
    const { until, readPage } = source;
    for (let after = source.after; after < until;) {
      if (signal.aborted) throw new FeedBrokenOffError();
      const page = await readPage(after);
      const caughtUp = page.caughtUp || page.next >= until;
      const events = this.wanted(page, source).filter((one) => placeOf(one, source) <= until);
      yield { events, next: page.next, caughtUp };
      if (caughtUp) return;
      after = page.next;
      goOn();
    }
  }

  private async *forEver(source: Source, signal: AbortSignal): AsyncGenerator<FeedPage> {
    const { after } = source;
    const watch = await this.news.watch(source.topic);
    // The first page is the store's: whoever has just written something finds it there.
    let isFirst = true;
    const readPage = async (last: bigint): Promise<AllPage> => {
      const shared = isFirst ? undefined : source.sharedPage(last);
      isFirst = false;
      return shared ?? source.readPage(last);
    };
    try {
      for await (const page of followAll({ after, signal, changes: watch.changes, readPage })) {
        yield { events: this.wanted(page, source), next: page.next, caughtUp: page.caughtUp };
      }
    } finally {
      watch.close();
    }
  }

  private wanted({ events }: AllPage, { isWanted }: Source): readonly SessionEventRecord[] {
    return events.map((stored) => this.recordOf(stored)).filter(isWanted);
  }

  private recordOf(stored: RecordedEvent): SessionEventRecord {
    const known = this.decoded.get(stored);
    if (known !== undefined) return known;
    const record = frozen(this.codec.decode(stored));
    this.decoded.set(stored, record);
    return record;
  }
}

/** Its slot is free when the last page was read, or when there is no next one for whatever reason. */
async function* untilOver(
  pages: AsyncIterable<FeedPage>,
  { end }: FeedSlot,
): AsyncGenerator<FeedPage> {
  try {
    yield* pages;
  } finally {
    end();
  }
}

interface Until {
  /** Revision or position of the newest event when it was asked for. */
  readonly until: bigint;
}

/** Pages of fewer events where these are large: what a slow reader holds is bounded in bytes. */
function sized(
  read: (after: bigint, maxCount: number) => Promise<AllPage>,
): (after: bigint) => Promise<AllPage> {
  let maxCount = FIRST_PAGE_EVENTS;
  return async (after) => {
    const page = await read(after, maxCount);
    if (page.events.length === 0) return page;
    const fitting = Math.floor((AHEAD_BYTES * page.events.length) / (1 + charactersIn(page)));
    // Of large events behind small ones at most twice as many are read as fitted before.
    maxCount = Math.min(Math.max(1, fitting), 2 * maxCount, PAGE_EVENTS_MAX);
    return page;
  };
}

function charactersIn({ events }: AllPage): number {
  return events.reduce((sum, event) => sum + charactersOf(event), 0);
}

function placeOf({ revision, position }: SessionEventRecord, { topic }: Source): bigint {
  return 'stream' in topic ? BigInt(revision) : position;
}

function passes(
  { event, sessionId, metadata }: SessionEventRecord,
  { types, sessions, actor }: FeedFilter,
): boolean {
  return (
    (types === undefined || types.includes(event.type)) &&
    (sessions === undefined || sessions.includes(sessionId)) &&
    (actor === undefined || actor === metadata.actor)
  );
}
