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
import type { CommandScope } from '../../commands/command-scope.js';
import type { HandledCommand } from '../../commands/handle-command.js';
import { RecordAssistantMessageBody } from '../../commands/record-assistant-message/record-assistant-message.dto.js';
import { RecordAssistantMessage } from '../../commands/record-assistant-message/record-assistant-message.handler.js';
import { ReportModelUsageBody } from '../../commands/report-model-usage/report-model-usage.dto.js';
import { ReportModelUsage } from '../../commands/report-model-usage/report-model-usage.handler.js';
import { SettleModelCallBody } from '../../commands/settle-model-call/settle-model-call.dto.js';
import { SettleModelCall } from '../../commands/settle-model-call/settle-model-call.handler.js';
import { StartModelCallBody } from '../../commands/start-model-call/start-model-call.dto.js';
import { StartModelCall } from '../../commands/start-model-call/start-model-call.handler.js';
import { callsOf } from '../../domain/state.js';
import { type Cost, formatPico } from '../../domain/money.js';
import { Scope, checkedId } from '../request-scope.js';
import { Needs } from '../needs.js';
import { Write, withEtag } from './answers.js';
import { CallView, ReceiptView, callView, eventIn, receiptView } from './views.js';

export class ModelCallStartedView extends ReceiptView {
  @ApiProperty()
  modelCallId: string;

  @ApiProperty({ description: 'Id of the message that this call will produce.' })
  messageId: string;

  @ApiProperty({ description: 'Up to which revision the model sees the log.' })
  inputRevision: number;
}

export class MessageView extends ReceiptView {
  @ApiProperty({ description: 'The calls that the model asked for.', type: [CallView] })
  calls: readonly CallView[];
}

export class ReportedUsageView extends ReceiptView {
  @ApiProperty({
    description: 'False: what is recorded is as good or better, and stays.',
  })
  counted: boolean;

  @ApiProperty({
    description: 'Exact cost in units of the currency; null when not known.',
    nullable: true,
    type: String,
  })
  cost: string | null;

  @ApiProperty({ description: 'Currency of the cost.', required: false })
  currency?: string;
}

export class SettledView extends MessageView {
  @ApiProperty({
    description: 'State of the usage: final, partial, estimated, unknown.',
    required: false,
  })
  usageState?: string;

  @ApiProperty({
    description: 'Exact cost in units of the currency; null when not known.',
    nullable: true,
    type: String,
  })
  cost: string | null;

  @ApiProperty({ description: 'Currency of the cost.', required: false })
  currency?: string;
}

@ApiTags('model calls')
@Controller('v1/sessions/:sessionId/model-calls')
export class ModelCallsController {
  constructor(private readonly commands: CommandBus) {}

  @Needs('run:execute')
  @Post()
  @ApiOperation({ summary: 'Before a request goes to a model: make it durable' })
  @ApiCreatedResponse({ type: ModelCallStartedView })
  @Write(
    'stale_epoch',
    'run_stopped',
    'run_ended',
    'session_quarantined',
    'open_calls',
    'waiting_calls',
    'context_stale',
    'budget_exhausted',
    'budget_unpriced',
    'id_in_use',
    'invalid_state',
  )
  async start(
    @Scope() scope: CommandScope,
    @Body() body: StartModelCallBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ModelCallStartedView> {
    const handled = await this.commands.execute(new StartModelCall(scope, body));
    withEtag(reply, handled.receipt.revision);
    const started = eventIn(handled, 'ModelCallStarted');
    return {
      ...receiptView(handled),
      modelCallId: started?.modelCallId ?? '',
      messageId: started?.messageId ?? '',
      inputRevision: started?.inputRevision ?? handled.receipt.revision,
    };
  }

  @Needs('run:execute')
  @Post(':modelCallId/message')
  @HttpCode(200)
  @ApiOperation({ summary: 'Record finished blocks while the answer is still coming' })
  @ApiOkResponse({ type: MessageView })
  @Write('stale_epoch', 'run_ended', 'invalid_state', 'limit_exceeded')
  async message(
    @Scope() scope: CommandScope,
    @Param('modelCallId') modelCallId: string,
    @Body() body: RecordAssistantMessageBody,
  ): Promise<MessageView> {
    const request = new RecordAssistantMessage(scope, {
      modelCallId: checkedId(modelCallId),
      body,
    });
    const handled = await this.commands.execute(request);
    return { ...receiptView(handled), calls: requestedCalls(handled) };
  }

  @Needs('run:execute')
  @Post(':modelCallId/settle')
  @HttpCode(200)
  @ApiOperation({ summary: 'The answer (or its absence), usage and cost, in one append' })
  @ApiOkResponse({ type: SettledView })
  @Write('stale_epoch', 'run_ended', 'invalid_state', 'limit_exceeded')
  async settle(
    @Scope() scope: CommandScope,
    @Param('modelCallId') modelCallId: string,
    @Body() body: SettleModelCallBody,
  ): Promise<SettledView> {
    const request = new SettleModelCall(scope, { modelCallId: checkedId(modelCallId), body });
    const handled = await this.commands.execute(request);
    const settled = eventIn(handled, 'ModelCallSettled');
    return {
      ...receiptView(handled),
      calls: requestedCalls(handled),
      usageState: settled?.usage?.state,
      ...amountView(settled?.cost),
    };
  }

  @Needs('run:execute')
  @Post(':modelCallId/usage')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Usage that came after the call was settled without a final one; needs no claim',
  })
  @ApiOkResponse({ type: ReportedUsageView })
  @Write('usage_conflict', 'invalid_state')
  async usage(
    @Scope() scope: CommandScope,
    @Param('modelCallId') modelCallId: string,
    @Body() body: ReportModelUsageBody,
  ): Promise<ReportedUsageView> {
    const request = new ReportModelUsage(scope, { modelCallId: checkedId(modelCallId), body });
    const handled = await this.commands.execute(request);
    const reported = eventIn(handled, 'ModelUsageReported');
    return {
      ...receiptView(handled),
      counted: reported !== undefined,
      ...amountView(reported?.cost),
    };
  }
}

function amountView(cost: Cost | undefined): Pick<SettledView, 'cost' | 'currency'> {
  const pico = cost?.amountPico ?? null;
  return { cost: pico === null ? null : formatPico(BigInt(pico)), currency: cost?.currency };
}

function requestedCalls(handled: HandledCommand): readonly CallView[] {
  const requested = new Set(
    handled.events.flatMap((event) =>
      event.type === 'ToolCallRequested' ? [event.data.callId] : [],
    ),
  );
  return callsOf(handled.state)
    .filter((call) => requested.has(call.callId))
    .map(callView);
}
