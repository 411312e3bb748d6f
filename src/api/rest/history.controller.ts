import { Controller, Get, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import type { CommandScope } from '../../commands/command-scope.js';
import type { SessionEventRecord } from '../../domain/events.js';
import { ReadEvents } from '../../history/read-events.js';
import { ListConversationItems } from '../../projections/conversation/conversation.query.js';
import { ProblemError } from '../problem.js';
import { Scope } from '../request-scope.js';
import { Needs } from '../needs.js';
import { Problems } from './answers.js';
import { EventsQuery, MessagesQuery } from './query-fields.js';

export class EventView {
  @ApiProperty()
  revision: number;

  @ApiProperty()
  position: string;

  @ApiProperty()
  eventId: string;

  @ApiProperty()
  type: string;

  @ApiProperty({ format: 'date-time' })
  recordedAt: string;

  @ApiProperty({ description: 'Who caused it.' })
  actor: string;

  @ApiProperty({ type: Object })
  data: object;
}

export class EventPageView {
  @ApiProperty({ type: [EventView] })
  events: readonly EventView[];

  @ApiProperty({ required: false, description: 'Give it as `from` for the next page.' })
  next?: number;

  @ApiProperty({ description: 'Newest revision.' })
  revision: number;
}

@ApiTags('history')
@Controller('v1/sessions/:sessionId')
export class HistoryController {
  constructor(private readonly queries: QueryBus) {}

  @Needs('content:read')
  @Get('events')
  @ApiOperation({ summary: "The session's own log, as recorded" })
  @ApiOkResponse({ type: EventPageView })
  @Problems()
  async events(
    @Scope() scope: CommandScope,
    @Query() { from, first }: EventsQuery,
  ): Promise<EventPageView> {
    const page = await this.queries.execute(new ReadEvents(scope, from, first));
    return { events: page.events.map(eventView), next: page.next, revision: page.revision };
  }

  @Needs('content:read')
  @Get('messages')
  @ApiOperation({ summary: 'The conversation, item by item; a fork shows its inherited part too' })
  @ApiOkResponse({ type: Object })
  @Problems('read_model_stale')
  async messages(
    @Scope() scope: CommandScope,
    @Query() { first, after, atLeast, order }: MessagesQuery,
  ): Promise<object> {
    const request = {
      direction: order === 'newestFirst' ? ('backward' as const) : ('forward' as const),
      limit: first,
      cursor: after,
    };
    const { page, asOf } = await this.queries.execute(
      new ListConversationItems(scope.tenantId, scope.sessionId, request, { atLeast }),
    );
    if (page === undefined) {
      throw new ProblemError('not_found', `there is no session ${scope.sessionId}`);
    }
    return { ...page, asOf };
  }
}

export function eventView(record: SessionEventRecord): EventView {
  const { revision, position, eventId, recordedAt, metadata, event } = record;
  return {
    revision,
    position: String(position),
    eventId,
    type: event.type,
    recordedAt,
    actor: metadata.actor,
    data: event.data,
  };
}
