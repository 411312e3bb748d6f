import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { EventFeed, type Feed, type FeedFilter, type FeedPage } from './event-feed.js';

/** `end`: what there is now. `ever`: and all that comes. */
export type FeedExtent = 'end' | 'ever';

/** A session's own log behind a revision; -1 for all of it. */
export class OpenSessionFeed extends Query<Feed> {
  constructor(
    readonly scope: { readonly tenantId: string; readonly sessionId: string },
    readonly after: number,
    readonly extent: FeedExtent,
  ) {
    super();
  }
}

/** The logs of all sessions of a tenant behind a position, in the order of the store. */
export class OpenTenantFeed extends Query<Feed> {
  constructor(
    readonly tenantId: string,
    readonly after: bigint,
    readonly filter: FeedFilter,
    readonly extent: FeedExtent,
  ) {
    super();
  }
}

export class ReadTenantEvents extends Query<FeedPage> {
  constructor(
    readonly tenantId: string,
    readonly after: bigint,
    readonly filter: FeedFilter,
    readonly limit: number,
  ) {
    super();
  }
}

@QueryHandler(OpenSessionFeed)
export class OpenSessionFeedHandler implements IQueryHandler<OpenSessionFeed, Feed> {
  constructor(private readonly feed: EventFeed) {}

  async execute({ scope, after, extent }: OpenSessionFeed): Promise<Feed> {
    const source = await this.feed.ofSession(scope.tenantId, scope.sessionId, after);
    return extent === 'ever' ? this.feed.follow(source) : this.feed.toTheEnd(source);
  }
}

@QueryHandler(OpenTenantFeed)
export class OpenTenantFeedHandler implements IQueryHandler<OpenTenantFeed, Feed> {
  constructor(private readonly feed: EventFeed) {}

  async execute({ tenantId, after, filter, extent }: OpenTenantFeed): Promise<Feed> {
    const source = await this.feed.ofTenant(tenantId, after, filter);
    return extent === 'ever' ? this.feed.follow(source) : this.feed.toTheEnd(source);
  }
}

@QueryHandler(ReadTenantEvents)
export class ReadTenantEventsHandler implements IQueryHandler<ReadTenantEvents, FeedPage> {
  constructor(private readonly feed: EventFeed) {}

  execute({ tenantId, after, filter, limit }: ReadTenantEvents): Promise<FeedPage> {
    return this.feed.page(tenantId, after, filter, limit);
  }
}
