import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CODEC, EVENT_STORE } from '../../tokens.js';
import type { CommandOf } from '../../domain/commands.js';
import { usageKey } from '../../domain/past.js';
import { type RecordedCall, recordedCalls } from '../../domain/recorded-calls.js';
import { Rejection } from '../../domain/rejection.js';
import { sessionStream } from '../../identity/derived-ids.js';
import type { PriceCards } from '../../pricing/card-index.js';
import { type ResponseQuote, quoteResponse } from '../../pricing/quote-response.js';
import type { EventCodec } from '../../storage/event-codec.js';
import type { EventStore } from '../../storage/event-store.js';
import { callKeyOfNative } from '../../usage/call-key.js';
import type { CommandScope } from '../command-scope.js';
import { type CommandContext, CommandHandling, type HandledCommand } from '../handle-command.js';
import { SessionRequest, canonicalText, identityOf } from '../session-command.js';
import { furtherCalls } from '../settle-model-call/further-calls.js';
import { TenantPrices } from '../tenant-prices.js';
import type { ReportModelUsageBody } from './report-model-usage.dto.js';

interface OfModelCall {
  readonly modelCallId: string;
  readonly body: ReportModelUsageBody;
}

export class ReportModelUsage extends SessionRequest<OfModelCall> {}

/** Priced like the settlement would have been: by the cards of now, for the time of the call. */
@CommandHandler(ReportModelUsage)
export class ReportModelUsageHandler implements ICommandHandler<ReportModelUsage, HandledCommand> {
  constructor(
    private readonly handling: CommandHandling,
    private readonly prices: TenantPrices,
    @Inject(EVENT_STORE) private readonly events: EventStore,
    @Inject(CODEC) private readonly codec: EventCodec,
  ) {}

  async execute({ scope, body: request }: ReportModelUsage): Promise<HandledCommand> {
    const call = await this.settledCall(scope, request.modelCallId);
    const cards = await this.prices.cardsForRecording(scope.tenantId);
    const quote = quoteOf(request.body, call, cards);
    return this.handling.handle(scope, (context) => [report(request, context, call, quote)]);
  }

  /** Undefined: the decision says why there is none. */
  private async settledCall(
    { tenantId, sessionId }: CommandScope,
    modelCallId: string,
  ): Promise<RecordedCall | undefined> {
    const stream = sessionStream(tenantId, sessionId);
    const stored = await this.events.findByKeys(stream, [usageKey(modelCallId)]);
    return recordedCalls(stored.map((event) => this.codec.eventOf(event))).get(modelCallId);
  }
}

function quoteOf(
  body: ReportModelUsageBody,
  call: RecordedCall | undefined,
  cards: PriceCards | undefined,
): ResponseQuote {
  const quote = quoteResponse(
    {
      body: body.response,
      provider: call?.provider,
      api: body.api,
      requestedModel: call?.requestedModel,
      responseModel: body.model,
      responseId: body.responseId ?? call?.responseId,
      requestedTier: call?.requestedTier,
      startedAt: call?.startedAt,
      state: body.state,
      method: body.method,
      source: body.state === 'estimated' ? 'local' : 'provider',
    },
    cards,
  );
  if (quote.calls[0].usage.state !== 'unknown') return quote;
  throw new Rejection(
    'invalid_request',
    'the response holds no usage that is known here; send the provider’s usage object as {"usage": …}',
  );
}

function report(
  { modelCallId, body }: OfModelCall,
  context: CommandContext,
  call: RecordedCall | undefined,
  { calls: [main, ...onTop], responseId, model }: ResponseQuote,
): CommandOf<'ReportModelUsage'> {
  const { sessionId, actor } = context.scope;
  const provider = call?.provider;
  const callKey =
    responseId === undefined
      ? (call?.callKey ?? '')
      : callKeyOfNative({ sessionId, responseId, provider, modelCallId });
  const ownId = `usage:${modelCallId}:${context.hash(canonicalText(body))}`;
  return {
    type: 'ReportModelUsage',
    ...identityOf(context, ownId, { modelCallId, ...body }),
    modelCallId,
    reporter: body.reporter ?? actor,
    callKey,
    responseId,
    responseModel: model,
    servedTier: main.servedTier,
    speed: main.speed,
    region: main.region,
    usage: main.usage,
    cost: main.cost,
    further: furtherCalls(onTop, modelCallId, callKey),
  };
}
