import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandOf, RequestedCall, SessionCommand } from '../../domain/commands.js';
import type { AssistantBlock } from '../../domain/content.js';
import { type RegisteredTools, newestManifest } from '../../domain/tenant/tools.js';
import { completeManifest, manifestOf } from '../../domain/tool-manifest.js';
import { operationKey, toolCallId } from '../../identity/derived-ids.js';
import { fenceOf } from '../dto/owned-body.js';
import { type CommandContext, CommandHandling, type HandledCommand } from '../handle-command.js';
import { SessionRequest, canonicalText, identityOf } from '../session-command.js';
import { TenantRepository } from '../tenant-repository.js';
import type { GivenToolCall } from './assistant-blocks.js';
import type { RecordAssistantMessageBody } from './record-assistant-message.dto.js';

interface OfModelCall {
  readonly modelCallId: string;
  readonly body: RecordAssistantMessageBody;
}

export class RecordAssistantMessage extends SessionRequest<OfModelCall> {}

/**
 * @param registered what the tenant's registry says; it goes before the session's own words.
 *   Undefined when it cannot be read: each call is then an opaque write, which nothing repeats.
 */
export const recordAssistantMessage = (
  { modelCallId, body }: OfModelCall,
  context: CommandContext,
  registered: RegisteredTools | undefined,
): readonly SessionCommand[] => [
  {
    type: 'RecordAssistantMessage',
    ...identityOf(context, `message:${modelCallId}:${body.part}`, {
      modelCallId,
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
    ...numbered(body, context, registered),
  },
];

@CommandHandler(RecordAssistantMessage)
export class RecordAssistantMessageHandler implements ICommandHandler<
  RecordAssistantMessage,
  HandledCommand
> {
  constructor(
    private readonly handling: CommandHandling,
    private readonly tenants: TenantRepository,
  ) {}

  async execute({ scope, body }: RecordAssistantMessage): Promise<HandledCommand> {
    const registered = (await this.tenants.currentIfReadable(scope.tenantId))?.tools;
    return this.handling.handle(scope, (context) =>
      recordAssistantMessage(body, context, registered),
    );
  }
}

/** Gives each call its ordinal in the message, and with it its ids. */
function numbered(
  body: RecordAssistantMessageBody,
  context: CommandContext,
  registered: RegisteredTools | undefined,
): Pick<CommandOf<'RecordAssistantMessage'>, 'blocks' | 'artifact' | 'calls'> {
  const open = context.state.modelCall;
  const blocks: AssistantBlock[] = [];
  const calls: RequestedCall[] = [];
  for (const block of body.blocks) {
    if (block.type !== 'toolCall') {
      blocks.push(block);
      continue;
    }
    const ordinal = (open?.callsRecorded ?? 0) + calls.length;
    blocks.push({ type: 'toolCall', ordinal, block: block.block });
    calls.push(requestedCall(block, ordinal, context, registered));
  }
  return { ...context.keeper.message(blocks), calls };
}

function requestedCall(
  given: GivenToolCall,
  ordinal: number,
  { scope, state, hash, keeper }: CommandContext,
  registered: RegisteredTools | undefined,
): RequestedCall {
  const callId = toolCallId(scope.sessionId, state.modelCall?.messageId ?? '', ordinal);
  const manifest = manifestFor(given.tool, state.tools, registered);
  const args = given.argsText === undefined ? (given.args ?? {}) : undefined;
  return {
    callId,
    ordinal,
    providerCallId: given.providerCallId,
    tool: given.tool,
    ...manifest,
    opKey: operationKey(scope.tenantId, scope.sessionId, callId),
    argsHash: hash(canonicalText(args ?? given.argsText)),
    ...keeper.arguments({ args, argsText: given.argsText }, callId),
  };
}

function manifestFor(
  name: string,
  declared: CommandContext['state']['tools'],
  registered: RegisteredTools | undefined,
): Pick<RequestedCall, 'manifest' | 'registered'> {
  if (registered === undefined) return { manifest: completeManifest({ name }), registered: false };
  const manifest = newestManifest(registered, name);
  return {
    manifest: manifest ?? manifestOf(name, declared),
    registered: manifest !== undefined,
  };
}
