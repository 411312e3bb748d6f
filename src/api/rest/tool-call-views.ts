import { ApiProperty, PickType } from '@nestjs/swagger';
import type { HandledCommand } from '../../commands/handle-command.js';
import type { SessionEventRecord } from '../../domain/events.js';
import type { KeyField } from '../../domain/key-field.js';
import { TenantEventView } from './event-views.js';
import { CallView, ReceiptView, callView, receiptView } from './views.js';
import { own } from '../../domain/own.js';

export class CallReceiptView extends ReceiptView {
  @ApiProperty({ description: 'State of the call now.', required: false, type: CallView })
  call?: CallView;
}

export class PermitView extends CallReceiptView {
  @ApiProperty({ description: 'The attempt that you may make, once.' })
  attempt: number;

  @ApiProperty({ description: 'Send it along; the same for every attempt.' })
  opKey: string;

  @ApiProperty({
    description: 'Where the target expects it: {header} or {body}, a JSON pointer.',
    required: false,
    type: Object,
  })
  keyField?: KeyField;

  @ApiProperty({ format: 'date-time' })
  startedAt: string;

  @ApiProperty({ description: 'Do not send after this.', format: 'date-time' })
  dispatchBy: string;

  @ApiProperty({ description: 'No answer by then: report it as unknown.', format: 'date-time' })
  deadline: string;
}

export class CallEventView extends PickType(TenantEventView, [
  'sessionId',
  'revision',
  'type',
  'recordedAt',
  'actor',
  'data',
]) {}

export class CallHistoryView {
  @ApiProperty({ type: CallView })
  call: CallView;

  @ApiProperty({
    type: [CallEventView],
    description: 'Every event of the call, those included that a fork inherits.',
  })
  events: readonly CallEventView[];
}

export function callReceipt(handled: HandledCommand, callId: string): CallReceiptView {
  const call = own(handled.state.calls, callId);
  return { ...receiptView(handled), call: call && callView(call) };
}

export function eventOfCall({
  sessionId,
  revision,
  event,
  recordedAt,
  metadata,
}: SessionEventRecord) {
  return {
    sessionId,
    revision,
    type: event.type,
    recordedAt,
    actor: metadata.actor,
    data: event.data,
  };
}
