import { toInputBlocks } from '../dto/content.js';
import { madeId } from '../made-id.js';
import {
  SessionRequest,
  type ToSessionCommands,
  handlerOf,
  identityOf,
} from '../session-command.js';
import type { AcceptInputBody } from './accept-input.dto.js';

export class AcceptInput extends SessionRequest<AcceptInputBody> {}

export const acceptInput: ToSessionCommands<AcceptInputBody> = (body, context) => {
  const inputId = body.inputId ?? madeId(context.scope, 'input');
  return [
    {
      type: 'AcceptInput',
      ...identityOf(context, inputId, body),
      inputId,
      delivery: body.delivery,
      resume: body.resume,
      ...context.keeper.input(toInputBlocks(body.content)),
      author: context.scope.actor,
    },
  ];
};

export const AcceptInputHandler = handlerOf(AcceptInput, acceptInput);
