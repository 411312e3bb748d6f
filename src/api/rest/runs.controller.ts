import { Body, Controller, HttpCode, Param, Post, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import {
  ApiCreatedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiProperty,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ClaimRunBody } from '../../commands/claim-run/claim-run.dto.js';
import { ClaimRun } from '../../commands/claim-run/claim-run.handler.js';
import type { CommandScope } from '../../commands/command-scope.js';
import {
  CompleteRunBody,
  FailRunBody,
  InterruptRunBody,
  ReleaseRunBody,
} from '../../commands/end-run/end-run.dto.js';
import {
  CompleteRun,
  FailRun,
  InterruptRun,
  ReleaseRun,
} from '../../commands/end-run/end-run.handler.js';
import type { HandledCommand } from '../../commands/handle-command.js';
import { HeartbeatBody } from '../../commands/heartbeat/heartbeat.dto.js';
import { Heartbeat, type HeartbeatAnswer } from '../../commands/heartbeat/heartbeat.handler.js';
import { OwnedBody } from '../../commands/dto/owned-body.js';
import { StopRunBody } from '../../commands/stop-run/stop-run.dto.js';
import { ConfirmStopped, StopRun } from '../../commands/stop-run/stop-run.handler.js';
import type { SetupDifference } from '../../domain/run-setup.js';
import { Scope, checkedId } from '../request-scope.js';
import { Needs } from '../needs.js';
import { Gone, Write, withEtag } from './answers.js';
import { CallView, ReceiptView, eventIn, receiptView, unresolvedCalls } from './views.js';

export class DifferenceView implements SetupDifference {
  @ApiProperty({ enum: ['profileVersion', 'toolAdded', 'toolMissing', 'toolPromises'] })
  what: SetupDifference['what'];

  @ApiProperty({ required: false })
  tool?: string;

  @ApiProperty({ required: false })
  before?: string;

  @ApiProperty({ required: false })
  now?: string;

  @ApiProperty({ description: 'An open call depends on it: a claim has to confirm it.' })
  isIncompatible: boolean;
}

export class ClaimView extends ReceiptView {
  @ApiProperty()
  runId: string;

  @ApiProperty({ description: 'Send it, with your claim token, with everything that you record.' })
  epoch: number;

  @ApiProperty({
    enum: ['agent', 'compaction', 'compensation'],
    description:
      'compensation: only make the `unresolved` calls that undo others, then complete it.',
  })
  kind: string;

  @ApiProperty({ enum: ['start', 'resume', 'takeover'] })
  reason: string;

  @ApiProperty({ description: 'Send heartbeats well within this time.' })
  leaseTtlMs: number;

  @ApiProperty({ description: 'Inputs that this claim delivered.', type: [String] })
  inputIds: readonly string[];

  @ApiProperty({
    type: [DifferenceView],
    description: 'From the last worker that said what it was.',
  })
  differences: readonly DifferenceView[];

  @ApiProperty({ description: 'Calls without a known outcome.', type: [CallView] })
  unresolved: readonly CallView[];
}

export class StopView extends ReceiptView {
  @ApiProperty({ enum: ['stopping', 'stopped'] })
  state: string;

  @ApiProperty({ description: 'Calls that may have taken effect.', type: [CallView] })
  unresolved: readonly CallView[];
}

export class HeartbeatView {
  @ApiProperty({ format: 'date-time' })
  leaseExpiresAt: string;

  @ApiProperty({ description: 'A user wants the run to stop: dispatch nothing more.' })
  stopRequested: boolean;
}

@ApiTags('runs')
@Controller('v1/sessions/:sessionId/runs')
export class RunsController {
  constructor(private readonly commands: CommandBus) {}

  @Needs('run:execute')
  @Post()
  @ApiOperation({ summary: 'Claim the session: become the one worker that moves it' })
  @ApiCreatedResponse({ type: ClaimView })
  @Write(
    'owned',
    'nothing_to_run',
    'session_stopped',
    'session_quarantined',
    'run_stopped',
    'budget_exhausted',
    'incompatible_setup',
  )
  async claim(
    @Scope() scope: CommandScope,
    @Body() body: ClaimRunBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ClaimView> {
    const handled = await this.commands.execute(new ClaimRun(scope, body));
    withEtag(reply, handled.receipt.revision);
    return claimView(handled);
  }

  @Needs('run:execute')
  @Post(':runId/heartbeat')
  @HttpCode(200)
  @ApiOperation({ summary: 'Keep the lease; learn whether to stop' })
  @ApiOkResponse({ type: HeartbeatView })
  @Write('stale_epoch')
  @Gone('run_ended')
  heartbeat(
    @Scope() scope: CommandScope,
    @Param('runId') runId: string,
    @Body() body: HeartbeatBody,
  ): Promise<HeartbeatAnswer> {
    return this.commands.execute(new Heartbeat(scope, { runId: checkedId(runId), body }));
  }

  @Needs('run:execute')
  @Post(':runId/complete')
  @HttpCode(200)
  @ApiOperation({ summary: 'The run is done' })
  @ApiOkResponse({ type: ReceiptView })
  @Write('stale_epoch', 'run_stopped', 'run_ended', 'open_calls', 'waiting_calls')
  async complete(
    @Scope() scope: CommandScope,
    @Param('runId') runId: string,
    @Body() body: CompleteRunBody,
  ): Promise<ReceiptView> {
    const request = new CompleteRun(scope, { runId: checkedId(runId), body });
    return receiptView(await this.commands.execute(request));
  }

  @Needs('run:execute')
  @Post(':runId/fail')
  @HttpCode(200)
  @ApiOperation({ summary: 'The run cannot go on' })
  @ApiOkResponse({ type: ReceiptView })
  @Write('stale_epoch', 'run_stopped', 'run_ended')
  async fail(
    @Scope() scope: CommandScope,
    @Param('runId') runId: string,
    @Body() body: FailRunBody,
  ): Promise<ReceiptView> {
    const request = new FailRun(scope, { runId: checkedId(runId), body });
    return receiptView(await this.commands.execute(request));
  }

  @Needs('run:execute')
  @Post(':runId/interrupt')
  @HttpCode(200)
  @ApiOperation({ summary: 'The worker shuts down in good order; the run goes on later' })
  @ApiOkResponse({ type: ReceiptView })
  @Write('stale_epoch', 'run_stopped', 'run_ended')
  async interrupt(
    @Scope() scope: CommandScope,
    @Param('runId') runId: string,
    @Body() body: InterruptRunBody,
  ): Promise<ReceiptView> {
    const request = new InterruptRun(scope, { runId: checkedId(runId), body });
    return receiptView(await this.commands.execute(request));
  }

  @Needs('run:execute')
  @Post(':runId/release')
  @HttpCode(200)
  @ApiOperation({ summary: 'Give the session back while it waits' })
  @ApiOkResponse({ type: ReceiptView })
  @Write('stale_epoch', 'run_stopped', 'run_ended')
  async release(
    @Scope() scope: CommandScope,
    @Param('runId') runId: string,
    @Body() body: ReleaseRunBody,
  ): Promise<ReceiptView> {
    const request = new ReleaseRun(scope, { runId: checkedId(runId), body });
    return receiptView(await this.commands.execute(request));
  }

  @Needs('session:write')
  @Post(':runId/stop')
  @HttpCode(200)
  @ApiOperation({ summary: "A user's stop: it survives restarts" })
  @ApiOkResponse({ type: StopView })
  @Write('run_ended')
  async stop(
    @Scope() scope: CommandScope,
    @Param('runId') runId: string,
    @Body() body: StopRunBody,
  ): Promise<StopView> {
    const request = new StopRun(scope, { runId: checkedId(runId), body });
    return stopView(await this.commands.execute(request));
  }

  @Needs('run:execute')
  @Post(':runId/stopped')
  @HttpCode(200)
  @ApiOperation({ summary: 'The owner has carried out the stop' })
  @ApiOkResponse({ type: StopView })
  @Write('stale_epoch', 'run_ended')
  async stopped(
    @Scope() scope: CommandScope,
    @Param('runId') runId: string,
    @Body() body: OwnedBody,
  ): Promise<StopView> {
    const request = new ConfirmStopped(scope, { runId: checkedId(runId), body });
    return stopView(await this.commands.execute(request));
  }
}

export function claimView(handled: HandledCommand): ClaimView {
  const claimed = eventIn(handled, 'RunClaimed');
  return {
    ...receiptView(handled),
    runId: claimed?.runId ?? '',
    epoch: claimed?.epoch ?? 0,
    kind: claimed?.kind ?? '',
    reason: claimed?.reason ?? '',
    leaseTtlMs: claimed?.leaseTtlMs ?? 0,
    inputIds: claimed?.inputIds ?? [],
    differences: claimed?.differences ?? [],
    unresolved: unresolvedCalls(handled.state),
  };
}

function stopView(handled: HandledCommand): StopView {
  return {
    ...receiptView(handled),
    state: handled.state.run?.status === 'stopping' ? 'stopping' : 'stopped',
    unresolved: unresolvedCalls(handled.state),
  };
}
