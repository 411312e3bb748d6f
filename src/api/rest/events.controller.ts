import type { Readable } from 'node:stream';
import { Controller, Get, Headers, Query, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CommandScope } from '../../commands/command-scope.js';
import { TenantRedaction } from '../../commands/redaction/tenant-redaction.js';
import type { SessionEventRecord } from '../../domain/events.js';
import type { Feed, FeedFilter } from '../../history/event-feed.js';
import { OpenSessionFeed, OpenTenantFeed, ReadTenantEvents } from '../../history/open-feed.js';
import { ReadEvents } from '../../history/read-events.js';
import { redactEvent } from '../../redaction/redact-event.js';
import { CredentialWatch } from '../credential-watch.js';
import { Needs } from '../needs.js';
import type { Principal } from '../principal.js';
import { Scope, Sender } from '../request-scope.js';
import { Problems } from './answers.js';
import {
  EventPageView,
  type EventView,
  FeedAnswer,
  TenantEventPageView,
  type TenantEventView,
  eventView,
  tenantEventView,
} from './event-views.js';
import { type FeedViews, asEventStream, asLines, formOf, lastEventIdOf } from './feed-stream.js';
import { EventsQuery, TenantEventsQuery } from './query-fields.js';

const OF_SESSION: FeedViews<EventView> = {
  view: eventView,
  placeOf: ({ revision }) => String(revision),
};
const OF_TENANT: FeedViews<TenantEventView> = {
  view: tenantEventView,
  placeOf: ({ position }) => String(position),
};

@ApiTags('history')
@Controller('v1')
export class EventsController {
  constructor(
    private readonly queries: QueryBus,
    private readonly redaction: TenantRedaction,
    private readonly credentials: CredentialWatch,
  ) {}

  @Needs('content:read')
  @Get('sessions/:sessionId/events')
  @ApiOperation({
    summary: "The session's own log, as recorded: a page, an export or a live feed",
    description:
      'Accept: application/json is a page, application/x-ndjson all events up to now, ' +
      'text/event-stream those and all that come. The id of an event in a stream is its revision.',
  })
  @FeedAnswer(EventPageView)
  @Problems('limit_exceeded', 'store_unavailable')
  async ofSession(
    @Scope() scope: CommandScope,
    @Query() { from, first, redact }: EventsQuery,
    @Headers('accept') accept: string | undefined,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<EventPageView | Readable> {
    void reply.header('Vary', 'Accept');
    const form = formOf(accept);
    const views = await this.views(OF_SESSION, scope.tenantId, redact);
    if (form === 'page') {
      const page = await this.queries.execute(new ReadEvents(scope, from, first));
      return { events: page.events.map(views.view), next: page.next, revision: page.revision };
    }
    if (form === 'lines') {
      const feed = await this.queries.execute(new OpenSessionFeed(scope, from - 1, 'end'));
      return asLines(this.watched(feed, request), views, reply);
    }
    const after = Number(lastEventIdOf(lastEventId) ?? from - 1);
    const feed = await this.queries.execute(new OpenSessionFeed(scope, after, 'ever'));
    return asEventStream(this.watched(feed, request), views, reply);
  }

  @Needs('content:read')
  @Get('events')
  @ApiOperation({
    summary: 'What happens in all sessions: a page, an export or a live feed',
    description:
      'In the order of the log. Accept as for one session; the id of an event in a stream is its ' +
      'position. All filters must let an event through.',
  })
  @FeedAnswer(TenantEventPageView)
  @Problems('limit_exceeded', 'store_unavailable')
  async ofTenant(
    @Sender() { tenantId }: Principal,
    @Query() query: TenantEventsQuery,
    @Headers('accept') accept: string | undefined,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<TenantEventPageView | Readable> {
    void reply.header('Vary', 'Accept');
    const form = formOf(accept);
    const filter = filterOf(query);
    const views = await this.views(OF_TENANT, tenantId, query.redact);
    const after = BigInt(query.after);
    if (form === 'page') {
      const request = new ReadTenantEvents(tenantId, after, filter, query.first);
      const { events, next, caughtUp } = await this.queries.execute(request);
      return { events: events.map(views.view), next: String(next), caughtUp };
    }
    if (form === 'lines') {
      const feed = await this.queries.execute(new OpenTenantFeed(tenantId, after, filter, 'end'));
      return asLines(this.watched(feed, request), views, reply);
    }
    const last = lastEventIdOf(lastEventId) ?? after;
    const feed = await this.queries.execute(new OpenTenantFeed(tenantId, last, filter, 'ever'));
    return asEventStream(this.watched(feed, request), views, reply);
  }

  /** Ends also when the credential of its reader is revoked or over. */
  private watched(feed: Feed, request: FastifyRequest): Feed {
    const unwatch = this.credentials.start(request.headers.authorization, feed.end);
    feed.signal.addEventListener('abort', unwatch, { once: true });
    return feed;
  }

  private async views<View extends object>(
    views: FeedViews<View>,
    tenantId: string,
    redact: string | undefined,
  ): Promise<FeedViews<View>> {
    if (redact !== 'true') return views;
    const redactor = await this.redaction.forReading(tenantId);
    const { view, placeOf } = views;
    const masked = (record: SessionEventRecord): View =>
      view({ ...record, event: redactEvent(record.event, redactor).event });
    return { view: masked, placeOf };
  }
}

function filterOf({ types, sessions, actor }: TenantEventsQuery): FeedFilter {
  return { types: types?.split(','), sessions: sessions?.split(','), actor };
}
