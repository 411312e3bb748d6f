import {
  SessionRequest,
  type ToSessionCommands,
  handlerOf,
  identityOf,
} from '../session-command.js';
import type { OfCall } from '../start-tool-call/start-tool-call.handler.js';
import type { LowerToolCallBody } from './lower-tool-call.dto.js';

export class LowerToolCall extends SessionRequest<OfCall<LowerToolCallBody>> {}

const lowerToolCall: ToSessionCommands<OfCall<LowerToolCallBody>> = ({ callId, body }, context) => [
  {
    type: 'LowerToolCall',
    ...identityOf(context, `lower:${callId}`, body),
    callId,
    note: body.note,
  },
];

export const LowerToolCallHandler = handlerOf(LowerToolCall, lowerToolCall);
