import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiAcceptedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { CommandScope } from '../../commands/command-scope.js';
import { DecideApprovalBody } from '../../commands/decide-approval/decide-approval.dto.js';
import { DecideApproval } from '../../commands/decide-approval/decide-approval.handler.js';
import { DecideEscalationBody } from '../../commands/decide-escalation/decide-escalation.dto.js';
import { DecideEscalation } from '../../commands/decide-escalation/decide-escalation.handler.js';
import { LowerToolCallBody } from '../../commands/lower-tool-call/lower-tool-call.dto.js';
import { LowerToolCall } from '../../commands/lower-tool-call/lower-tool-call.handler.js';
import { RecordProbeBody } from '../../commands/record-probe/record-probe.dto.js';
import { RecordProbe } from '../../commands/record-probe/record-probe.handler.js';
import { RecordToolResultBody } from '../../commands/record-tool-result/owned-tool-result.dto.js';
import { LateToolResultBody } from '../../commands/record-tool-result/record-tool-result.dto.js';
import {
  RecordToolResult,
  ReportLateResult,
} from '../../commands/record-tool-result/record-tool-result.handler.js';
import { ReportToolUnknown } from '../../commands/report-tool-unknown/report-tool-unknown.handler.js';
import {
  RecordToolProgressBody,
  ReportToolUnknownBody,
  SkipToolCallBody,
  StartToolCallBody,
} from '../../commands/start-tool-call/start-tool-call.dto.js';
import {
  RecordToolProgress,
  SkipToolCall,
  StartToolCall,
} from '../../commands/start-tool-call/start-tool-call.handler.js';
import { manifestOfCall } from '../../domain/call-manifest.js';
import { ReadCall } from '../../history/read-call.js';
import { Scope, checkedId } from '../request-scope.js';
import { Needs } from '../needs.js';
import { Problems, Write } from './answers.js';
import {
  CallHistoryView,
  CallReceiptView,
  PermitView,
  callReceipt,
  eventOfCall,
} from './tool-call-views.js';
import { callView, eventIn } from './views.js';
import { own } from '../../domain/own.js';

@ApiTags('tool calls')
@Controller('v1/sessions/:sessionId/tool-calls/:callId')
export class ToolCallsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Needs('content:read')
  @Get()
  @ApiOperation({ summary: 'One call with everything that is known of it' })
  @ApiOkResponse({ type: CallHistoryView })
  @Problems()
  async read(
    @Scope() scope: CommandScope,
    @Param('callId') callId: string,
  ): Promise<CallHistoryView> {
    const { call, records } = await this.queries.execute(new ReadCall(scope, checkedId(callId)));
    return { call: callView(call), events: records.map(eventOfCall) };
  }

  @Needs('run:execute')
  @Post('start')
  @HttpCode(200)
  @ApiOperation({ summary: 'The permit: durable before the tool is called' })
  @ApiOkResponse({ type: PermitView })
  @Write(
    'stale_epoch',
    'run_stopped',
    'run_ended',
    'already_running',
    'approval_pending',
    'manifest_unavailable',
    'outcome_unknown',
    'retry_expired',
    'stale_attempt',
    'inherited_call',
    'invalid_state',
  )
  async start(
    @Scope() scope: CommandScope,
    @Param('callId') callId: string,
    @Body() body: StartToolCallBody,
  ): Promise<PermitView> {
    const request = new StartToolCall(scope, { callId: checkedId(callId), body });
    const handled = await this.commands.execute(request);
    const permit = eventIn(handled, 'ToolCallStarted');
    const call = own(handled.state.calls, callId);
    return {
      ...callReceipt(handled, callId),
      attempt: permit?.attempt ?? body.attempt,
      opKey: call?.opKey ?? '',
      keyField: call && manifestOfCall(call, handled.state).keyField,
      startedAt: permit?.startedAt ?? '',
      dispatchBy: permit?.dispatchBy ?? '',
      deadline: permit?.deadline ?? '',
    };
  }

  @Needs('run:execute')
  @Post('progress')
  @HttpCode(200)
  @ApiOperation({ summary: "Report the target's id, or how far the call is" })
  @ApiOkResponse({ type: CallReceiptView })
  @Write('stale_epoch', 'run_ended', 'stale_attempt', 'not_started')
  async progress(
    @Scope() scope: CommandScope,
    @Param('callId') callId: string,
    @Body() body: RecordToolProgressBody,
  ): Promise<CallReceiptView> {
    const request = new RecordToolProgress(scope, { callId: checkedId(callId), body });
    return callReceipt(await this.commands.execute(request), callId);
  }

  @Needs('run:execute')
  @Post('result')
  @HttpCode(200)
  @ApiOperation({ summary: 'What the tool answered; durable before you use it' })
  @ApiOkResponse({ type: CallReceiptView })
  @Write(
    'stale_epoch',
    'run_ended',
    'stale_attempt',
    'not_started',
    'result_conflict',
    'too_large',
    'invalid_state',
  )
  async result(
    @Scope() scope: CommandScope,
    @Param('callId') callId: string,
    @Body() body: RecordToolResultBody,
  ): Promise<CallReceiptView> {
    const request = new RecordToolResult(scope, { callId: checkedId(callId), body });
    return callReceipt(await this.commands.execute(request), callId);
  }

  @Needs('run:execute')
  @Post('unknown')
  @HttpCode(200)
  @ApiOperation({ summary: 'A timeout or a lost connection: the outcome is not known' })
  @ApiOkResponse({ type: CallReceiptView })
  @Write('stale_epoch', 'run_ended', 'stale_attempt', 'not_started')
  async unknown(
    @Scope() scope: CommandScope,
    @Param('callId') callId: string,
    @Body() body: ReportToolUnknownBody,
  ): Promise<CallReceiptView> {
    const request = new ReportToolUnknown(scope, { callId: checkedId(callId), body });
    return callReceipt(await this.commands.execute(request), callId);
  }

  @Needs('run:execute')
  @Post('skip')
  @HttpCode(200)
  @ApiOperation({ summary: 'A call that will never be started' })
  @ApiOkResponse({ type: CallReceiptView })
  @Write('stale_epoch', 'run_ended', 'invalid_state')
  async skip(
    @Scope() scope: CommandScope,
    @Param('callId') callId: string,
    @Body() body: SkipToolCallBody,
  ): Promise<CallReceiptView> {
    const request = new SkipToolCall(scope, { callId: checkedId(callId), body });
    return callReceipt(await this.commands.execute(request), callId);
  }

  @Needs('run:execute')
  @Post('late-result')
  @HttpCode(202)
  @ApiOperation({
    summary: 'An answer that arrived after the session changed hands; never refused',
  })
  @ApiAcceptedResponse({ type: CallReceiptView })
  @Write('result_conflict', 'too_large', 'inherited_call')
  async late(
    @Scope() scope: CommandScope,
    @Param('callId') callId: string,
    @Body() body: LateToolResultBody,
  ): Promise<CallReceiptView> {
    const request = new ReportLateResult(scope, { callId: checkedId(callId), body });
    return callReceipt(await this.commands.execute(request), callId);
  }

  @Needs('run:execute')
  @Post('probes')
  @HttpCode(200)
  @ApiOperation({ summary: 'What the target says about the operation, with evidence' })
  @ApiOkResponse({ type: CallReceiptView })
  @Write('already_decided', 'inherited_call')
  async probe(
    @Scope() scope: CommandScope,
    @Param('callId') callId: string,
    @Body() body: RecordProbeBody,
  ): Promise<CallReceiptView> {
    const request = new RecordProbe(scope, { callId: checkedId(callId), body });
    return callReceipt(await this.commands.execute(request), callId);
  }

  @Needs('escalation:decide')
  @Post('approval')
  @HttpCode(200)
  @ApiOperation({ summary: 'A person allows the call, or denies it before it starts' })
  @ApiOkResponse({ type: CallReceiptView })
  @Write('already_decided', 'inherited_call', 'invalid_state', 'idempotency_key_required')
  async approve(
    @Scope() scope: CommandScope,
    @Param('callId') callId: string,
    @Body() body: DecideApprovalBody,
  ): Promise<CallReceiptView> {
    const request = new DecideApproval(scope, { callId: checkedId(callId), body });
    return callReceipt(await this.commands.execute(request), callId);
  }

  @Needs('run:execute')
  @Post('lower')
  @HttpCode(200)
  @ApiOperation({
    summary: 'A promise of its manifest proved false: treat the call as an opaqueWrite',
  })
  @ApiOkResponse({ type: CallReceiptView })
  @Write('already_decided', 'inherited_call', 'invalid_state')
  async lower(
    @Scope() scope: CommandScope,
    @Param('callId') callId: string,
    @Body() body: LowerToolCallBody,
  ): Promise<CallReceiptView> {
    const request = new LowerToolCall(scope, { callId: checkedId(callId), body });
    return callReceipt(await this.commands.execute(request), callId);
  }

  @Needs('escalation:decide')
  @Post('decision')
  @HttpCode(200)
  @ApiOperation({ summary: 'A person decides on a call of unknown outcome' })
  @ApiOkResponse({ type: CallReceiptView })
  @Write(
    'already_decided',
    'inherited_call',
    'invalid_state',
    'run_ended',
    'attempts_exhausted',
    'session_quarantined',
    'no_compensation',
    'idempotency_key_required',
  )
  async decide(
    @Scope() scope: CommandScope,
    @Param('callId') callId: string,
    @Body() body: DecideEscalationBody,
  ): Promise<CallReceiptView> {
    const request = new DecideEscalation(scope, { callId: checkedId(callId), body });
    return callReceipt(await this.commands.execute(request), callId);
  }
}
