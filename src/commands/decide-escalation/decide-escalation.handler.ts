import {
  SessionRequest,
  type ToSessionCommands,
  handlerOf,
  identityOf,
  requiredKey,
} from '../session-command.js';
import type { OfCall } from '../start-tool-call/start-tool-call.handler.js';
import type { DecideEscalationBody } from './decide-escalation.dto.js';

export class DecideEscalation extends SessionRequest<OfCall<DecideEscalationBody>> {}

const decideEscalation: ToSessionCommands<OfCall<DecideEscalationBody>> = (
  { callId, body },
  context,
) => [
  {
    type: 'DecideEscalation',
    ...identityOf(context, requiredKey(context, 'a decision'), { callId, ...body }),
    callId,
    decision: body.decision,
    escalationId: body.escalationId,
    note: body.note,
    evidenceRef: body.evidenceRef,
  },
];

export const DecideEscalationHandler = handlerOf(DecideEscalation, decideEscalation);
