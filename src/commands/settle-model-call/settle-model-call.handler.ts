import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { SessionCommand } from '../../domain/commands.js';
import { textCharacters } from '../../domain/evolve-model-call.js';
import { Rejection } from '../../domain/rejection.js';
import type { RegisteredTools } from '../../domain/tenant/tools.js';
import type { PriceCards } from '../../pricing/card-index.js';
import { type ResponseQuote, quoteResponse } from '../../pricing/quote-response.js';
import { callKeyOfNative } from '../../usage/call-key.js';
import { flagImplausible } from '../../usage/plausibility.js';
import { fenceOf } from '../dto/owned-body.js';
import { type CommandContext, CommandHandling, type HandledCommand } from '../handle-command.js';
import { recordAssistantMessage } from '../record-assistant-message/record-assistant-message.handler.js';
import { SessionRequest, identityOf } from '../session-command.js';
import { type TenantFacts, TenantFactsReader } from '../tenant-facts.js';
import { furtherCalls } from './further-calls.js';
import { readResponse } from './read-response.js';
import type { SettleModelCallBody } from './settle-model-call.dto.js';

interface OfModelCall {
  readonly modelCallId: string;
  readonly body: SettleModelCallBody;
}

export class SettleModelCall extends SessionRequest<OfModelCall> {}

/**
 * The message, if it came along, and the settlement: one append. Its price enters the event, so
 * that a later card changes no past cost.
 */
export function settleModelCall(
  request: OfModelCall,
  context: CommandContext,
  facts: TenantFacts,
): readonly SessionCommand[] {
  const message = messageOf(request, context, facts.tools);
  const quote = quoteOf(request, context, facts.cards);
  return [...message, settlement(request, context, quote, writtenBy(message, context))];
}

@CommandHandler(SettleModelCall)
export class SettleModelCallHandler implements ICommandHandler<SettleModelCall, HandledCommand> {
  constructor(
    private readonly handling: CommandHandling,
    private readonly tenants: TenantFactsReader,
  ) {}

  async execute({ scope, body }: SettleModelCall): Promise<HandledCommand> {
    const facts = await this.tenants.forRecording(scope.tenantId);
    return this.handling.handle(scope, (context) => settleModelCall(body, context, facts));
  }
}

function messageOf(
  { modelCallId, body }: OfModelCall,
  context: CommandContext,
  registered: RegisteredTools | undefined,
): readonly SessionCommand[] {
  const read = body.response === undefined ? undefined : readResponse(body.response);
  const blocks = body.message ?? read?.blocks;
  if (blocks === undefined) {
    if (body.response === undefined) return [];
    throw new Rejection(
      'invalid_request',
      'the response has a shape that is not known here; send its content as `message` blocks',
    );
  }
  const { epoch, claimToken, model } = body;
  const api = body.message === undefined ? read?.api : undefined;
  const message = { api, part: nextPart(context), final: true, blocks: [...blocks] };
  return recordAssistantMessage(
    { modelCallId, body: { epoch, claimToken, model, ...message } },
    context,
    registered,
  );
}

/** Characters of plain text that the answer has, with what was recorded of it before. */
function writtenBy(message: readonly SessionCommand[], { state }: CommandContext): number {
  const now = message.map((command) =>
    command.type === 'RecordAssistantMessage' ? textCharacters(command.blocks) : 0,
  );
  return now.reduce((sum, count) => sum + count, state.modelCall?.outputCharacters ?? 0);
}

function nextPart(context: CommandContext): number {
  return context.state.modelCall?.partsRecorded ?? 0;
}

/** Undefined: nothing was reported, and the provider cannot have billed it. */
function quoteOf(
  { body }: OfModelCall,
  { state: { modelCall: open }, now }: CommandContext,
  cards: PriceCards | undefined,
): ResponseQuote | undefined {
  const reported = body.response ?? (body.usage === undefined ? undefined : { usage: body.usage });
  const billed = body.outcome === 'completed' || body.outcome === 'stopped';
  if (reported === undefined && !billed) return undefined;
  return quoteResponse(
    {
      body: reported,
      provider: open?.provider,
      api: body.api,
      requestedModel: open?.requestedModel,
      responseModel: body.model,
      responseId: body.responseId,
      requestedTier: open?.requestedTier,
      startedAt: open?.startedAt ?? now,
      source: reported === undefined ? 'local' : 'provider',
    },
    cards,
  );
}

function settlement(
  { modelCallId, body }: OfModelCall,
  context: CommandContext,
  quote: ResponseQuote | undefined,
  characters: number,
): SessionCommand {
  const responseId = body.responseId ?? quote?.responseId;
  const callKey = callKeyOfNative({
    sessionId: context.scope.sessionId,
    responseId,
    provider: context.state.modelCall?.provider,
    modelCallId,
  });
  const [main, ...onTop] = quote?.calls ?? [];
  return {
    type: 'SettleModelCall',
    ...identityOf(context, `settle:${modelCallId}`, {
      modelCallId,
      ...body,
      claimToken: undefined,
    }),
    fence: fenceOf(body),
    modelCallId,
    outcome: body.outcome,
    providerReached: body.outcome === 'notSent' ? 'no' : 'yes',
    callKey,
    responseId,
    responseModel: body.model ?? quote?.model,
    servedTier: main?.servedTier,
    speed: main?.speed,
    region: main?.region,
    usage: main && flagImplausible(main.usage, characters),
    cost: main?.cost,
    error: body.error,
    further: furtherCalls(onTop, modelCallId, callKey),
  };
}
