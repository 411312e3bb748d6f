import { Controller, Get, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import {
  ApiOkResponse,
  ApiOperation,
  ApiProperty,
  ApiPropertyOptional,
  ApiTags,
} from '@nestjs/swagger';
import { IsOptional, IsString, Length } from 'class-validator';
import { ReadCall } from '../../history/read-call.js';
import { type CallName, FindCalls } from '../../projections/tool-calls/find-calls.query.js';
import { Needs } from '../needs.js';
import type { Principal } from '../principal.js';
import { ProblemError } from '../problem.js';
import { Sender } from '../request-scope.js';
import { Problems } from './answers.js';
import { FreshnessQuery, PAGE_DEFAULT, PageSize } from './query-fields.js';
import { CallView, callView } from './views.js';

export class FindCallsQuery extends FreshnessQuery {
  @ApiPropertyOptional({ description: 'What was sent to the target with the call.' })
  @IsOptional()
  @IsString()
  @Length(1, 128)
  operationKey?: string;

  @ApiPropertyOptional({ description: "The target's own id, as it was reported." })
  @IsOptional()
  @IsString()
  @Length(1, 256)
  externalRef?: string;

  @PageSize('So many at most.')
  first: number = PAGE_DEFAULT;
}

export class FoundCallView extends CallView {
  @ApiProperty()
  sessionId: string;
}

export class FoundCallsView {
  @ApiProperty({ type: [FoundCallView], description: 'The newest first.' })
  calls: readonly FoundCallView[];
}

@ApiTags('tool calls')
@Controller('v1/tool-calls')
export class FoundCallsController {
  constructor(private readonly queries: QueryBus) {}

  @Needs('session:read')
  @Get()
  @ApiOperation({
    summary: 'Find a write by its operation key or by the id that its target gave it',
  })
  @ApiOkResponse({ type: FoundCallsView })
  @Problems('read_model_stale')
  async find(
    @Sender() { tenantId }: Principal,
    @Query() query: FindCallsQuery,
  ): Promise<FoundCallsView> {
    const { first, atLeast } = query;
    const search = new FindCalls(tenantId, nameIn(query), first, { atLeast });
    const calls: FoundCallView[] = [];
    for (const { sessionId, callId } of await this.queries.execute(search)) {
      const { call } = await this.queries.execute(new ReadCall({ tenantId, sessionId }, callId));
      calls.push({ sessionId, ...callView(call) });
    }
    return { calls };
  }
}

function nameIn({ operationKey, externalRef }: FindCallsQuery): CallName {
  if (operationKey !== undefined && externalRef === undefined) return { opKey: operationKey };
  if (externalRef !== undefined && operationKey === undefined) return { externalRef };
  throw new ProblemError('invalid_request', 'give one of operationKey and externalRef');
}
