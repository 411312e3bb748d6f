import { Body, Controller, Get, HttpCode, Post, Query, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import {
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiProperty,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ClaimWorkBody } from '../../work/claim-work.dto.js';
import { ClaimWork } from '../../work/claim-work.handler.js';
import { type ListedWork, ListWork } from '../../work/list-work.query.js';
import type { Principal } from '../principal.js';
import { Sender } from '../request-scope.js';
import { Needs } from '../needs.js';
import { Problems } from './answers.js';
import { FirstQuery } from './query-fields.js';
import { ClaimView, claimView } from './runs.controller.js';

export class WorkView {
  @ApiProperty()
  sessionId: string;

  @ApiProperty({
    description: 'What a claim would be. takeover: somebody holds it as long as its lease lives.',
    enum: ['start', 'resume', 'takeover'],
  })
  reason: string;

  @ApiProperty({ required: false, description: "The profile's name." })
  profile?: string;

  @ApiProperty({ type: Object, additionalProperties: { type: 'string' } })
  labels: Readonly<Record<string, string>>;

  @ApiProperty({ description: 'Since when.', format: 'date-time' })
  since: string;

  @ApiProperty({ description: 'Recovery attempts without settled progress so far.' })
  recoveryAttempts: number;

  @ApiProperty({ description: 'Not handed out before.', format: 'date-time' })
  notBefore: string;

  @ApiProperty({ description: 'The worker of the last claim.', required: false })
  heldBy?: string;

  @ApiProperty({
    description: 'Until when it has it, unless it renews that. Absent: nobody has it.',
    format: 'date-time',
    required: false,
  })
  leaseExpiresAt?: string;
}

export class WorkListView {
  @ApiProperty({ type: [WorkView], description: 'The oldest first.' })
  sessions: readonly WorkView[];
}

@ApiTags('work')
@Controller('v1/work')
export class WorkController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Needs('run:execute')
  @Post('claim')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Wait for a session that has work, and claim it',
    description:
      'The oldest work first. 204: none came within `waitMs`; ask again. A repetition with the ' +
      'same `claimToken` is answered with the same session while it is held.',
  })
  @ApiOkResponse({ type: ClaimView })
  @ApiNoContentResponse({ description: 'No session has work.' })
  @Problems('store_unavailable', 'append_unknown')
  async claim(
    @Sender() sender: Principal,
    @Body() body: ClaimWorkBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ClaimView | undefined> {
    const hungUp = new AbortController();
    reply.raw.once('close', () => hungUp.abort());
    const claimed = await this.commands.execute(new ClaimWork(sender, body, hungUp.signal));
    if (claimed === undefined) void reply.status(204);
    return claimed && claimView(claimed);
  }

  @Needs('session:read')
  @Get()
  @ApiOperation({ summary: 'Sessions that workers have or could have, with lease and attempts' })
  @ApiOkResponse({ type: WorkListView })
  @Problems('store_unavailable')
  async list(
    @Sender() { tenantId }: Principal,
    @Query() { first }: FirstQuery,
  ): Promise<WorkListView> {
    const sessions = await this.queries.execute(new ListWork(tenantId, first));
    return { sessions: sessions.map(workView) };
  }
}

function workView(work: ListedWork): WorkView {
  const { sessionId, reason, profileName, labels, since, recoveryAttempts } = work;
  const { notBefore, heldBy, leaseExpiresAt } = work;
  return {
    sessionId,
    reason,
    profile: profileName,
    labels,
    since,
    recoveryAttempts,
    notBefore,
    heldBy,
    leaseExpiresAt,
  };
}
