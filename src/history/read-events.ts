import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { CODEC, EVENT_STORE } from '../tokens.js';
import type { SessionEventRecord } from '../domain/events.js';
import { sessionStream } from '../identity/derived-ids.js';
import type { EventCodec } from '../storage/event-codec.js';
import type { EventStore } from '../storage/event-store.js';
import { HistoryReader } from './history-reader.js';

export interface ReadEventsAnswer {
  readonly events: readonly SessionEventRecord[];
  /** Where the next page begins; absent at the end of the stream as it is now. */
  readonly next?: number;
  readonly revision: number;
}

/** The session's own log, one page: what happened, who did it, as recorded. */
export class ReadEvents extends Query<ReadEventsAnswer> {
  constructor(
    readonly scope: { readonly tenantId: string; readonly sessionId: string },
    readonly from: number,
    readonly limit: number,
  ) {
    super();
  }
}

@QueryHandler(ReadEvents)
export class ReadEventsHandler implements IQueryHandler<ReadEvents, ReadEventsAnswer> {
  constructor(
    private readonly history: HistoryReader,
    @Inject(EVENT_STORE) private readonly events: EventStore,
    @Inject(CODEC) private readonly codec: EventCodec,
  ) {}

  async execute({ scope, from, limit }: ReadEvents): Promise<ReadEventsAnswer> {
    const { revision } = await this.history.stateOf(scope.tenantId, scope.sessionId);
    const stream = sessionStream(scope.tenantId, scope.sessionId);
    const stored = await this.events.read(stream, { from, to: revision, maxCount: limit });
    const events = stored.map((event) => this.codec.decode(event));
    const last = events.at(-1)?.revision;
    const next = last !== undefined && last < revision ? last + 1 : undefined;
    return { events, next, revision };
  }
}
