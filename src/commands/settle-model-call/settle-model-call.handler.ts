import type { CommandOf, SessionCommand } from '../../domain/commands.js';
import { Rejection } from '../../domain/rejection.js';
import { unknownUsage } from '../../domain/usage.js';
import { loadPriceCards } from '../../pricing/load-price-cards.js';
import { priceCall } from '../../pricing/price-call.js';
import { callKeyOfIteration, callKeyOfNative } from '../../usage/call-key.js';
import { type ExtractedCall, extractUsage } from '../../usage/extract-usage.js';
import { fenceOf } from '../dto/owned-body.js';
import type { CommandContext } from '../handle-command.js';
import { recordAssistantMessage } from '../record-assistant-message/record-assistant-message.handler.js';
import {
  SessionRequest,
  type ToSessionCommands,
  handlerOf,
  identityOf,
} from '../session-command.js';
import { readResponse } from './read-response.js';
import type { SettleModelCallBody } from './settle-model-call.dto.js';

interface OfModelCall {
  readonly modelCallId: string;
  readonly body: SettleModelCallBody;
}

export class SettleModelCall extends SessionRequest<OfModelCall> {}

/** The message, if it came along, and the settlement: one append. */
export const settleModelCall: ToSessionCommands<OfModelCall> = (request, context) => {
  const message = messageOf(request, context);
  return [...message, settlement(request, context)];
};

export const SettleModelCallHandler = handlerOf(SettleModelCall, settleModelCall);

function messageOf(
  { modelCallId, body }: OfModelCall,
  context: CommandContext,
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
  return recordAssistantMessage(
    {
      modelCallId,
      body: { epoch, claimToken, model, part: nextPart(context), final: true, blocks: [...blocks] },
    },
    context,
  );
}

function nextPart(context: CommandContext): number {
  return context.state.modelCall?.partsRecorded ?? 0;
}

type Settlement = CommandOf<'SettleModelCall'>;

function settlement({ modelCallId, body }: OfModelCall, context: CommandContext): SessionCommand {
  const open = context.state.modelCall;
  const reported = body.response ?? (body.usage === undefined ? undefined : { usage: body.usage });
  const extracted =
    reported === undefined
      ? undefined
      : extractUsage(reported, {
          provider: open?.provider,
          api: body.api,
          model: body.model ?? open?.requestedModel,
          responseId: body.responseId,
        });
  const responseId = body.responseId ?? extracted?.responseId;
  const callKey = callKeyOfNative({
    sessionId: context.scope.sessionId,
    responseId,
    provider: open?.provider,
    modelCallId,
  });
  const billed = body.outcome === 'completed' || body.outcome === 'stopped';
  const main = extracted?.calls[0] ?? (billed ? { usage: unknownUsage('local') } : undefined);
  const further = (extracted?.calls.slice(1) ?? []).map(
    (call, index): Settlement['further'][number] => ({
      modelCallId: `${modelCallId}/${call.iteration ?? index}`,
      callKey: callKeyOfIteration(callKey, call.iteration ?? index),
      purpose: call.purpose ?? 'other',
      responseModel: call.model,
      usage: call.usage,
      cost: costOf(call, context),
    }),
  );
  return {
    type: 'SettleModelCall',
    ...identityOf(context, `settle:${modelCallId}`, { ...body, claimToken: undefined }),
    fence: fenceOf(body),
    modelCallId,
    outcome: body.outcome,
    providerReached: body.outcome === 'notSent' ? 'no' : 'yes',
    callKey,
    responseId,
    responseModel: body.model ?? extracted?.model,
    servedTier: main?.servedTier,
    usage: main?.usage,
    cost: main && costOf({ ...main, model: body.model ?? main.model }, context),
    error: body.error,
    further,
  };
}

/** Read once; a price enters the event, so a new catalogue changes no past cost. */
const cards = loadPriceCards();

function costOf(call: ExtractedCall, context: CommandContext) {
  const open = context.state.modelCall;
  return priceCall(
    {
      usage: call.usage,
      provider: open?.provider,
      requestedModel: open?.requestedModel,
      responseModel: call.model,
      startedAt: open?.startedAt ?? context.now,
      servedTier: call.servedTier,
      speed: call.speed,
      region: call.region,
      statedCost: call.statedCost,
    },
    cards,
  );
}
