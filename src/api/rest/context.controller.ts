import { Body, Controller, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import {
  ApiOkResponse,
  ApiOperation,
  ApiProperty,
  ApiPropertyOptional,
  ApiTags,
} from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import type { FastifyReply } from 'fastify';
import type { CommandScope } from '../../commands/command-scope.js';
import { ContextBody, TOOL_DEFINITIONS, contextRequest } from '../../commands/dto/context-body.js';
import { RestoreSessionBody } from '../../commands/restore-session/restore-session.dto.js';
import { RestoreSession } from '../../commands/restore-session/restore-session.handler.js';
import { CONTEXT_FORMATS, type ContextFormat } from '../../context/format-names.js';
import { SESSION_STATUSES, statusOf } from '../../domain/state.js';
import { type KeptContext, ReadContext, ReadPastContext } from '../../history/read-context.js';
import { Scope } from '../request-scope.js';
import { Needs } from '../needs.js';
import { Problems, Write, withEtag } from './answers.js';
import { AtQuery } from './query-fields.js';
import { ClaimView, DifferenceView, claimView } from './runs.controller.js';
import { StandingView } from './session-views.js';
import { CallView, unresolvedCalls } from './views.js';

export class ContextQuery extends AtQuery {
  @ApiPropertyOptional({ enum: CONTEXT_FORMATS, default: 'neutral' })
  @IsOptional()
  @IsIn([...CONTEXT_FORMATS])
  format: ContextFormat = 'neutral';
}

export class ContextView implements KeptContext {
  @ApiProperty({ enum: CONTEXT_FORMATS })
  format: ContextFormat;

  @ApiProperty({
    description: 'Give it to the model call that sends this input; it can be shown again by it.',
  })
  contextId: string;

  @ApiProperty({ description: 'Keyed hash of what is sent: the same bytes, the same hash.' })
  contentHash: string;

  @ApiProperty({
    required: false,
    oneOf: [{ type: 'string' }, { type: 'object' }, { type: 'array', items: { type: 'object' } }],
    description:
      'System field, where the format has one: `system` of anthropic and ai-sdk, ' +
      '`systemInstruction` of gemini, `instructions` of openai-responses. These are stateless: ' +
      'send `store: false` and `include: ["reasoning.encrypted_content"]` with them.',
  })
  system?: KeptContext['system'];

  @ApiProperty({
    required: false,
    anyOf: TOOL_DEFINITIONS,
    description: 'The tools of the request.',
  })
  tools?: KeptContext['tools'];

  @ApiProperty({ type: [Object], description: "Ready to send, in the format's shape." })
  messages: KeptContext['messages'];

  @ApiProperty({ description: 'Give it to the model call.' })
  inputRevision: number;

  @ApiProperty({
    type: [String],
    description: 'Inputs that the model call delivers: give it these.',
  })
  delivers: readonly string[];

  @ApiProperty({ type: [Object], description: 'What was repaired for the provider, and why.' })
  repairs: KeptContext['repairs'];

  @ApiProperty({ type: [Object], description: 'What of the log is not in it, and why.' })
  leftOut: KeptContext['leftOut'];

  @ApiProperty({ type: [Object], description: 'Tool outputs that were cut for the budget.' })
  trimmed: KeptContext['trimmed'];

  @ApiProperty({ required: false, type: Object, description: 'Groups that the budget left out.' })
  dropped?: KeptContext['dropped'];

  @ApiProperty()
  estimatedTokens: number;

  @ApiProperty({
    type: Object,
    description:
      'How tokens were counted. `by`: the name of the tokenizer, or `estimate`. `estimatedTexts`: ' +
      'how many texts the tokenizer did not count. `onReportedUsage`: added to what the provider ' +
      'counted for the request before.',
  })
  counting: KeptContext['counting'];

  @ApiProperty({ description: 'The conversation did not fit as it is.' })
  compactionNeeded: boolean;

  @ApiProperty({ type: [Object], description: 'Calls without an outcome.' })
  unresolved: KeptContext['unresolved'];
}

export class RestoreView {
  @ApiProperty()
  sessionId: string;

  @ApiProperty()
  revision: number;

  @ApiProperty({ enum: SESSION_STATUSES })
  status: string;

  @ApiProperty({ type: StandingView, description: 'How it stood before this request claimed it.' })
  standing: StandingView;

  @ApiProperty({ description: 'Recovery attempts that are left to this run.' })
  attemptsLeft: number;

  @ApiProperty({ type: [CallView], description: 'What is unknown, and what is done about it.' })
  unresolved: readonly CallView[];

  @ApiProperty({
    type: [String],
    description: 'Accepted inputs that no model has seen; they are delivered by a claim or a turn.',
  })
  pendingInputs: readonly string[];

  @ApiProperty({
    type: [DifferenceView],
    description: 'From the last worker that said what it was.',
  })
  differences: readonly DifferenceView[];

  @ApiProperty({ required: false, type: ClaimView })
  claim?: ClaimView;

  @ApiProperty({ type: ContextView, description: 'The next model input.' })
  context: ContextView;
}

@ApiTags('context')
@Controller('v1/sessions/:sessionId')
export class ContextController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Needs('content:read')
  @Get('context')
  @ApiOperation({ summary: 'The model input without instructions and tools' })
  @ApiOkResponse({ type: ContextView })
  @Problems('context_invalid')
  async read(
    @Scope() scope: CommandScope,
    @Query() { format, at }: ContextQuery,
  ): Promise<ContextView> {
    const { context } = await this.queries.execute(new ReadContext(scope, { format }, at));
    return context;
  }

  @Needs('content:read')
  @Post('context')
  @HttpCode(200)
  @ApiOperation({
    summary: 'The exact next model input, with instructions and tools as they are now',
  })
  @ApiOkResponse({ type: ContextView })
  @Problems('context_invalid', 'budget_too_small', 'too_large')
  async build(@Scope() scope: CommandScope, @Body() body: ContextBody): Promise<ContextView> {
    const request = new ReadContext(scope, contextRequest(body));
    return (await this.queries.execute(request)).context;
  }

  @Needs('content:read')
  @Get('contexts/:contextId')
  @ApiOperation({
    summary: 'A model input as it was handed out, byte for byte',
    description:
      '`contextId` stands in the ModelCallStarted event. Instructions, tools and date are those of ' +
      'that time. 410: what can be built today would not be the same bytes.',
  })
  @ApiOkResponse({ type: ContextView })
  @Problems('context_lost')
  async past(
    @Scope() scope: CommandScope,
    @Param('contextId') contextId: string,
  ): Promise<ContextView> {
    return (await this.queries.execute(new ReadPastContext(scope, contextId))).context;
  }

  @Needs('run:execute')
  @Post('restore')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Load, settle, assemble: how it stands, what is unknown, what comes next',
  })
  @ApiOkResponse({ type: RestoreView })
  @Write(
    'owned',
    'nothing_to_run',
    'session_stopped',
    'session_quarantined',
    'budget_exhausted',
    'incompatible_setup',
    'run_stopped',
    'context_invalid',
    'budget_too_small',
  )
  async restore(
    @Scope() scope: CommandScope,
    @Body() body: RestoreSessionBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RestoreView> {
    const restored = await this.commands.execute(new RestoreSession(scope, body));
    const { state, standing, attemptsLeft, claim, differences, context } = restored;
    withEtag(reply, state.revision);
    return {
      sessionId: state.sessionId,
      revision: state.revision,
      status: statusOf(state),
      standing: { ...standing },
      attemptsLeft,
      unresolved: unresolvedCalls(state),
      pendingInputs: state.pendingInputs.map(({ inputId }) => inputId),
      differences,
      claim: claim && claimView(claim),
      context,
    };
  }
}
