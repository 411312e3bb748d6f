import { Controller, Get, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { CommandScope } from '../../commands/command-scope.js';
import { ListConversationItems } from '../../projections/conversation/conversation.query.js';
import { ProblemError } from '../problem.js';
import { Scope } from '../request-scope.js';
import { Needs } from '../needs.js';
import { Problems } from './answers.js';
import { ConversationView } from './list-views.js';
import { MessagesQuery } from './query-fields.js';
import { refuseStale } from './refuse-stale.js';

@ApiTags('history')
@Controller('v1/sessions/:sessionId')
export class HistoryController {
  constructor(private readonly queries: QueryBus) {}

  @Needs('content:read')
  @Get('messages')
  @ApiOperation({ summary: 'The conversation, item by item; a fork shows its inherited part too' })
  @ApiOkResponse({ type: ConversationView })
  @Problems('read_model_stale')
  async messages(
    @Scope() scope: CommandScope,
    @Query() { first, after, atLeast, order }: MessagesQuery,
  ): Promise<ConversationView> {
    const request = {
      direction: order === 'newestFirst' ? ('backward' as const) : ('forward' as const),
      limit: first,
      cursor: after,
    };
    const { page, asOf } = await this.queries.execute(
      new ListConversationItems(scope.tenantId, scope.sessionId, request, { atLeast }),
    );
    if (page === undefined) {
      refuseStale(asOf);
      throw new ProblemError('not_found', `there is no session ${scope.sessionId}`);
    }
    return { ...page, asOf };
  }
}
