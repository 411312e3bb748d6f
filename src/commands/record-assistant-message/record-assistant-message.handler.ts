import type { CommandOf, RequestedCall } from '../../domain/commands.js';
import type { AssistantBlock } from '../../domain/content.js';
import { manifestOf } from '../../domain/tool-manifest.js';
import { operationKey, toolCallId } from '../../identity/derived-ids.js';
import { fenceOf } from '../dto/owned-body.js';
import type { CommandContext } from '../handle-command.js';
import {
  SessionRequest,
  type ToSessionCommands,
  canonicalText,
  handlerOf,
  identityOf,
} from '../session-command.js';
import type { GivenToolCall } from './assistant-blocks.js';
import type { RecordAssistantMessageBody } from './record-assistant-message.dto.js';

interface OfModelCall {
  readonly modelCallId: string;
  readonly body: RecordAssistantMessageBody;
}

export class RecordAssistantMessage extends SessionRequest<OfModelCall> {}

export const recordAssistantMessage: ToSessionCommands<OfModelCall> = (
  { modelCallId, body },
  context,
) => [
  {
    type: 'RecordAssistantMessage',
    ...identityOf(context, `message:${modelCallId}:${body.part}`, {
      ...body,
      claimToken: undefined,
    }),
    fence: fenceOf(body),
    modelCallId,
    part: body.part,
    final: body.final,
    provider: body.provider,
    api: body.api,
    model: body.model,
    ...numbered(body, context),
  },
];

export const RecordAssistantMessageHandler = handlerOf(
  RecordAssistantMessage,
  recordAssistantMessage,
);

/** Gives each call its ordinal in the message, and with it its ids. */
function numbered(
  body: RecordAssistantMessageBody,
  context: CommandContext,
): Pick<CommandOf<'RecordAssistantMessage'>, 'blocks' | 'artifact' | 'calls'> {
  const open = context.state.modelCall;
  const messageId = open?.messageId ?? '';
  const blocks: AssistantBlock[] = [];
  const calls: RequestedCall[] = [];
  for (const block of body.blocks) {
    if (block.type !== 'toolCall') {
      blocks.push(block);
      continue;
    }
    const ordinal = (open?.callsRecorded ?? 0) + calls.length;
    blocks.push({ type: 'toolCall', ordinal, block: block.block });
    calls.push(requestedCall(block, ordinal, messageId, context));
  }
  return { ...context.keeper.message(blocks), calls };
}

function requestedCall(
  given: GivenToolCall,
  ordinal: number,
  messageId: string,
  { scope, state, hash, keeper }: CommandContext,
): RequestedCall {
  const callId = toolCallId(scope.sessionId, messageId, ordinal);
  const args = given.argsText === undefined ? (given.args ?? {}) : undefined;
  return {
    callId,
    ordinal,
    providerCallId: given.providerCallId,
    tool: given.tool,
    manifest: manifestOf(given.tool, state.tools),
    opKey: operationKey(scope.tenantId, scope.sessionId, callId),
    argsHash: hash(canonicalText(args ?? given.argsText)),
    ...keeper.arguments({ args, argsText: given.argsText }),
  };
}
