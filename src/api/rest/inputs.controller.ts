import { Body, Controller, Delete, HttpCode, Param, Post, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import {
  ApiCreatedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiProperty,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { AcceptInputBody } from '../../commands/accept-input/accept-input.dto.js';
import { AcceptInput } from '../../commands/accept-input/accept-input.handler.js';
import type { CommandScope } from '../../commands/command-scope.js';
import { ChangeDeliveryBody } from '../../commands/change-delivery/change-delivery.dto.js';
import { ChangeDelivery } from '../../commands/change-delivery/change-delivery.handler.js';
import { WithdrawInput } from '../../commands/withdraw-input/withdraw-input.handler.js';
import { statusOf } from '../../domain/state.js';
import { Scope, checkedId } from '../request-scope.js';
import { Needs } from '../needs.js';
import { Write, withEtag } from './answers.js';
import { ReceiptView, eventIn, receiptView } from './views.js';

export class InputReceiptView extends ReceiptView {
  @ApiProperty()
  inputId: string;

  @ApiProperty({ description: 'Status of the session with this input.' })
  status: string;
}

@ApiTags('inputs')
@Controller('v1/sessions/:sessionId/inputs')
export class InputsController {
  constructor(private readonly commands: CommandBus) {}

  @Needs('session:write')
  @Post()
  @ApiOperation({ summary: 'Accept an input; it is durable when this answers' })
  @ApiCreatedResponse({ type: InputReceiptView })
  @Write('id_in_use', 'limit_exceeded')
  async accept(
    @Scope() scope: CommandScope,
    @Body() body: AcceptInputBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<InputReceiptView> {
    const handled = await this.commands.execute(new AcceptInput(scope, body));
    withEtag(reply, handled.receipt.revision);
    return {
      ...receiptView(handled),
      inputId: eventIn(handled, 'InputAccepted')?.inputId ?? '',
      status: statusOf(handled.state),
    };
  }

  @Needs('session:write')
  @Post(':inputId/delivery')
  @HttpCode(200)
  @ApiOperation({ summary: 'Bring an input forward that waits, or put it off' })
  @ApiOkResponse({ type: ReceiptView })
  @Write('invalid_state')
  async deliver(
    @Scope() scope: CommandScope,
    @Param('inputId') inputId: string,
    @Body() { delivery }: ChangeDeliveryBody,
  ): Promise<ReceiptView> {
    const body = { inputId: checkedId(inputId), delivery };
    return receiptView(await this.commands.execute(new ChangeDelivery(scope, body)));
  }

  @Needs('session:write')
  @Delete(':inputId')
  @HttpCode(200)
  @ApiOperation({ summary: 'Withdraw an input that no model has seen' })
  @ApiOkResponse({ type: ReceiptView })
  @Write('invalid_state')
  async withdraw(
    @Scope() scope: CommandScope,
    @Param('inputId') inputId: string,
  ): Promise<ReceiptView> {
    const body = { inputId: checkedId(inputId) };
    return receiptView(await this.commands.execute(new WithdrawInput(scope, body)));
  }
}
