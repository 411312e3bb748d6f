import {
  SessionRequest,
  type ToSessionCommands,
  handlerOf,
  identityOf,
  requiredKey,
} from '../session-command.js';
import type { OfCall } from '../start-tool-call/start-tool-call.handler.js';
import type { DecideApprovalBody } from './decide-approval.dto.js';

export class DecideApproval extends SessionRequest<OfCall<DecideApprovalBody>> {}

const decideApproval: ToSessionCommands<OfCall<DecideApprovalBody>> = (
  { callId, body },
  context,
) => [
  {
    type: 'DecideApproval',
    ...identityOf(context, requiredKey(context, 'an approval'), { callId, ...body }),
    callId,
    decision: body.decision,
    note: body.note,
  },
];

export const DecideApprovalHandler = handlerOf(DecideApproval, decideApproval);
