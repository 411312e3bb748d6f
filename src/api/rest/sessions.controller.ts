import { Body, Controller, Get, HttpCode, Post, Query, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import {
  ApiCreatedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiProperty,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { CommandScope } from '../../commands/command-scope.js';
import { newSessionId } from '../../commands/made-id.js';
import { LabelSessionBody } from '../../commands/label-session/label-session.dto.js';
import { LabelSession } from '../../commands/label-session/label-session.handler.js';
import { RecordStepBody } from '../../commands/record-step/record-step.dto.js';
import { RecordStep } from '../../commands/record-step/record-step.handler.js';
import { ResumeSessionBody } from '../../commands/resume-session/resume-session.dto.js';
import { ResumeSession } from '../../commands/resume-session/resume-session.handler.js';
import { StartSessionBody } from '../../commands/start-session/start-session.dto.js';
import { StartSession } from '../../commands/start-session/start-session.handler.js';
import type { SessionStatus } from '../../domain/state.js';
import { ReadSession } from '../../history/read-session.js';
import { ListSessions } from '../../projections/sessions/sessions.query.js';

import type { Principal } from '../principal.js';
import { Scope, Sender } from '../request-scope.js';
import { Needs } from '../needs.js';
import { Problems, Write, withEtag } from './answers.js';
import { AtQuery, SessionListQuery } from './query-fields.js';
import { SessionListView } from './list-views.js';
import { SessionView, sessionView, shownTo } from './session-views.js';
import { CallView, ReceiptView, receiptView, unresolvedCalls } from './views.js';

export class StepView extends ReceiptView {
  @ApiProperty({ description: 'Types of the events that were appended, in order.', type: [String] })
  events: readonly string[];

  @ApiProperty({ description: 'Calls without a known outcome.', type: [CallView] })
  unresolved: readonly CallView[];
}

@ApiTags('sessions')
@Controller('v1/sessions')
export class SessionsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Needs('session:write')
  @Post()
  @ApiOperation({ summary: 'Start a session' })
  @ApiCreatedResponse({ type: ReceiptView })
  @Write(
    'id_in_use',
    'invalid_manifest',
    'stale_epoch',
    'run_stopped',
    'run_ended',
    'session_quarantined',
    'not_started',
    'invalid_state',
  )
  async start(
    @Scope() scope: CommandScope,
    @Body() body: StartSessionBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ReceiptView> {
    const own = { ...scope, sessionId: body.sessionId ?? newSessionId(scope, body) };
    const handled = await this.commands.execute(new StartSession(own, body));
    withEtag(reply, handled.receipt.revision);
    return receiptView(handled);
  }

  @Needs('session:read')
  @Get()
  @ApiOperation({ summary: 'List sessions' })
  @ApiOkResponse({ type: SessionListView })
  @Problems('read_model_stale')
  async list(
    @Sender() sender: Principal,
    @Query() query: SessionListQuery,
  ): Promise<SessionListView> {
    const [key, ...value] = query.label?.split('=') ?? [];
    const filter = {
      status: query.status as SessionStatus | undefined,
      parentId: query.parentId,
      label: key === undefined ? undefined : { key, value: value.join('=') },
      profile: query.profile,
      imported: query.imported === undefined ? undefined : query.imported === 'true',
    };
    const page = { limit: query.first, cursor: query.after };
    const demand = { atLeast: query.atLeast };
    const request = new ListSessions(sender.tenantId, filter, page, demand);
    const { sessions, ...rest } = await this.queries.execute(request);
    return { sessions: sessions.map((each) => shownTo(sender, each)), ...rest };
  }

  @Needs('session:read')
  @Get(':sessionId')
  @ApiOperation({ summary: 'One session, always current' })
  @ApiOkResponse({ type: SessionView })
  @Problems()
  async read(
    @Sender() sender: Principal,
    @Scope() scope: CommandScope,
    @Query() { at }: AtQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SessionView> {
    const { state, standing } = await this.queries.execute(new ReadSession(scope, at));
    withEtag(reply, state.revision);
    return shownTo(sender, sessionView(state, standing));
  }

  @Needs('session:resume', 'session:resume:own')
  @Post(':sessionId/resume')
  @HttpCode(200)
  @ApiOperation({ summary: "Lift a user's stop or a quarantine" })
  @ApiOkResponse({ type: ReceiptView })
  @Write('invalid_state', 'idempotency_key_required')
  async resume(
    @Sender() { scopes }: Principal,
    @Scope() scope: CommandScope,
    @Body() body: ResumeSessionBody,
  ): Promise<ReceiptView> {
    const ownOnly = !scopes.has('session:resume');
    return receiptView(await this.commands.execute(new ResumeSession(scope, body, ownOnly)));
  }

  @Needs('session:write')
  @Post(':sessionId/labels')
  @HttpCode(200)
  @ApiOperation({ summary: 'Set and remove labels: what lists filter by and costs are summed by' })
  @ApiOkResponse({ type: ReceiptView })
  @Write('limit_exceeded', 'idempotency_key_required')
  async label(@Scope() scope: CommandScope, @Body() body: LabelSessionBody): Promise<ReceiptView> {
    return receiptView(await this.commands.execute(new LabelSession(scope, body)));
  }

  @Needs('run:execute')
  @Post(':sessionId/record')
  @HttpCode(200)
  @ApiOperation({ summary: 'Several steps of a run, all or nothing' })
  @ApiOkResponse({ type: StepView })
  @Write(
    'stale_epoch',
    'run_stopped',
    'run_ended',
    'session_quarantined',
    'open_calls',
    'invalid_state',
    'budget_exhausted',
    'budget_unpriced',
    'limit_exceeded',
  )
  async record(
    @Scope() scope: CommandScope,
    @Body() body: RecordStepBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StepView> {
    const handled = await this.commands.execute(new RecordStep(scope, body));
    withEtag(reply, handled.receipt.revision);
    return {
      ...receiptView(handled),
      events: handled.events.map((event) => event.type),
      unresolved: unresolvedCalls(handled.state),
    };
  }
}
