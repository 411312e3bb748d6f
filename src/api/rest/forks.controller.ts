import { Body, Controller, Delete, Get, HttpCode, Post, Query, Res } from '@nestjs/common';
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
import { ForkSessionBody } from '../../commands/fork-session/fork-session.dto.js';
import { ForkSession } from '../../commands/fork-session/fork-session.handler.js';
import { RevertSessionBody } from '../../commands/revert-session/revert-session.dto.js';
import {
  ClearRevert,
  RevertSession,
  type RevertedSession,
} from '../../commands/revert-session/revert-session.handler.js';
import { CompareSessions } from '../../history/compare-sessions.js';
import { Scope, checkedId } from '../request-scope.js';
import { Needs } from '../needs.js';
import { Problems, Write, withEtag } from './answers.js';
import { CompareQuery, ComparisonView, comparisonView } from './comparison-views.js';
import { CallView, ReceiptView, callView, eventIn, receiptView } from './views.js';

export class RevertView extends ReceiptView {
  @ApiProperty({ type: Object, description: '{sessionId, revision} of the last event that stays.' })
  to: object;

  @ApiProperty({
    type: [CallView],
    description: 'Writes of the hidden part that took effect, or may have. They are not undone.',
  })
  effects: readonly CallView[];

  @ApiProperty({ description: 'How many more of them there are than are listed.' })
  moreEffects: number;

  @ApiProperty({ description: 'One sentence for people.' })
  note: string;
}

@ApiTags('forks and reverts')
@Controller('v1/sessions/:sessionId')
export class ForksController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Needs('session:write')
  @Post('forks')
  @ApiOperation({ summary: 'Fork by reference: the parent is not written, nothing is copied' })
  @ApiCreatedResponse({ type: ReceiptView })
  @Write('id_in_use', 'limit_exceeded')
  async fork(
    @Scope() scope: CommandScope,
    @Body() body: ForkSessionBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ReceiptView> {
    const handled = await this.commands.execute(new ForkSession(scope, body));
    withEtag(reply, handled.receipt.revision);
    return receiptView(handled);
  }

  @Needs('session:write')
  @Post('revert')
  @HttpCode(200)
  @ApiOperation({ summary: 'Hide the end of the conversation; the log keeps it' })
  @ApiOkResponse({ type: RevertView })
  @Write('run_open', 'unseen_inputs', 'idempotency_key_required', 'limit_exceeded')
  async revert(
    @Scope() scope: CommandScope,
    @Body() body: RevertSessionBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RevertView> {
    const reverted = await this.commands.execute(new RevertSession(scope, body));
    withEtag(reply, reverted.receipt.revision);
    return revertView(reverted);
  }

  @Needs('session:write')
  @Delete('revert')
  @HttpCode(200)
  @ApiOperation({ summary: 'Show again what was hidden since the last input' })
  @ApiOkResponse({ type: ReceiptView })
  @Write('run_open', 'invalid_state')
  async clear(
    @Scope() scope: CommandScope,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ReceiptView> {
    const handled = await this.commands.execute(new ClearRevert(scope, {}));
    withEtag(reply, handled.receipt.revision);
    return receiptView(handled);
  }

  @Needs('content:read')
  @Get('compare')
  @ApiOperation({ summary: 'Two sessions from their common history on' })
  @ApiOkResponse({ type: ComparisonView })
  @Problems()
  async compare(
    @Scope() { tenantId, sessionId }: CommandScope,
    @Query() query: CompareQuery,
  ): Promise<ComparisonView> {
    const page = { first: query.first, from: { one: query.from, other: query.otherFrom } };
    const other = checkedId(query.with);
    const comparison = new CompareSessions(tenantId, sessionId, other, page);
    return comparisonView(await this.queries.execute(comparison));
  }
}

export function revertView(reverted: RevertedSession): RevertView {
  const { calls, more } = reverted.effects;
  return {
    ...receiptView(reverted),
    to: eventIn(reverted, 'Reverted')?.to ?? {},
    effects: calls.map(callView),
    moreEffects: more,
    note: noteOf(calls.length + more),
  };
}

function noteOf(effects: number): string {
  const kept = 'The log keeps what is hidden; until the next input it can be shown again.';
  const undone = 'A revert undoes nothing in the world:';
  return effects === 0
    ? `${kept} No tool call of the hidden part can have changed anything.`
    : `${kept} ${undone} ${effects} tool calls of the hidden part took effect, or may have.`;
}
