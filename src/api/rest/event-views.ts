import { applyDecorators } from '@nestjs/common';
import {
  ApiExtraModels,
  ApiHeader,
  ApiOkResponse,
  ApiProperty,
  getSchemaPath,
} from '@nestjs/swagger';
import type { SessionEventRecord } from '../../domain/events.js';
import { EVENT_STREAM, NDJSON } from './feed-stream.js';

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

export class TenantEventView extends EventView {
  @ApiProperty()
  sessionId: string;
}

export class TenantEventPageView {
  @ApiProperty({
    type: [TenantEventView],
    description: 'Can be fewer than `first`, or none, before the end: a filter looks far.',
  })
  events: readonly TenantEventView[];

  @ApiProperty({ description: 'Give it as `after` for the next page.' })
  next: string;

  @ApiProperty({ description: 'Nothing was left at that moment.' })
  caughtUp: boolean;
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

export function tenantEventView(record: SessionEventRecord): TenantEventView {
  return { sessionId: record.sessionId, ...eventView(record) };
}

/** One address in three forms, as the `Accept` header asks. */
export function FeedAnswer(page: typeof EventPageView | typeof TenantEventPageView) {
  return applyDecorators(
    ApiExtraModels(page),
    ApiHeader({
      name: 'Last-Event-ID',
      required: false,
      description: 'With text/event-stream: the last id that was received; what follows is sent.',
    }),
    ApiOkResponse({
      description: 'A page; all up to now, one event per line; or all, and then what comes.',
      content: {
        'application/json': { schema: { $ref: getSchemaPath(page) } },
        [NDJSON]: { schema: { type: 'string' } },
        [EVENT_STREAM]: { schema: { type: 'string' } },
      },
    }),
  );
}
