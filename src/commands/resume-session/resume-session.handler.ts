import {
  SessionRequest,
  type ToSessionCommands,
  handlerOf,
  identityOf,
  requiredKey,
} from '../session-command.js';
import type { ResumeSessionBody } from './resume-session.dto.js';

export class ResumeSession extends SessionRequest<ResumeSessionBody> {}

const resumeSession: ToSessionCommands<ResumeSessionBody> = (body, context) => [
  {
    type: 'ResumeSession',
    ...identityOf(context, requiredKey(context, 'a resume'), body),
    note: body.note,
  },
];

export const ResumeSessionHandler = handlerOf(ResumeSession, resumeSession);
