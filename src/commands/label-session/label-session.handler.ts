import {
  SessionRequest,
  type ToSessionCommands,
  handlerOf,
  identityOf,
  requiredKey,
} from '../session-command.js';
import type { LabelSessionBody } from './label-session.dto.js';

export class LabelSession extends SessionRequest<LabelSessionBody> {}

export const labelSession: ToSessionCommands<LabelSessionBody> = (body, context) => [
  {
    type: 'LabelSession',
    ...identityOf(context, requiredKey(context, 'labelling a session'), body),
    set: body.set ?? {},
    remove: body.remove ?? [],
  },
];

export const LabelSessionHandler = handlerOf(LabelSession, labelSession);
