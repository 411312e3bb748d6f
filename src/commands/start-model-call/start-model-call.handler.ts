import { messageIdOfInput } from '../../identity/derived-ids.js';
import { fenceOf } from '../dto/owned-body.js';
import { madeId } from '../made-id.js';
import {
  SessionRequest,
  type ToSessionCommands,
  handlerOf,
  identityOf,
} from '../session-command.js';
import type { StartModelCallBody } from './start-model-call.dto.js';

export class StartModelCall extends SessionRequest<StartModelCallBody> {}

export const startModelCall: ToSessionCommands<StartModelCallBody> = (body, context) => {
  const modelCallId = body.modelCallId ?? madeId(context.scope, 'modelCall');
  const messageId = body.messageId ?? madeId(context.scope, 'message');
  return [
    {
      type: 'StartModelCall',
      ...identityOf(context, modelCallId, { ...body, claimToken: undefined }),
      fence: fenceOf(body),
      modelCallId,
      messageId,
      purpose: body.purpose,
      inputRevision: body.inputRevision,
      contextId: body.contextId,
      provider: body.provider,
      requestedModel: body.model,
      requestedTier: body.tier,
      deliver: body.delivers.map((inputId) => ({
        inputId,
        messageId: messageIdOfInput(context.scope.sessionId, inputId),
      })),
    },
  ];
};

export const StartModelCallHandler = handlerOf(StartModelCall, startModelCall);
