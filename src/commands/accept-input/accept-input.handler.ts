import { toInputBlocks } from '../dto/content.js';
import {
  SessionRequest,
  type ToSessionCommands,
  handlerOf,
  identityOf,
} from '../session-command.js';
import type { AcceptInputBody } from './accept-input.dto.js';

export class AcceptInput extends SessionRequest<AcceptInputBody> {}

export const acceptInput: ToSessionCommands<AcceptInputBody> = (body, context) => [
  {
    type: 'AcceptInput',
    ...identityOf(context, body.inputId, body),
    inputId: body.inputId,
    delivery: body.delivery,
    resume: body.resume,
    content: toInputBlocks(body.content),
    author: context.scope.actor,
  },
];

export const AcceptInputHandler = handlerOf(AcceptInput, acceptInput);
