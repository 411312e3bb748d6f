import type { FurtherCall } from '../../domain/commands.js';
import type { QuotedCall } from '../../pricing/quote-response.js';
import { callKeyOfIteration } from '../../usage/call-key.js';

/** Each with an id and a key of its own below those of the call that it is on top of. */
export function furtherCalls(
  onTop: readonly QuotedCall[],
  modelCallId: string,
  callKey: string,
): readonly FurtherCall[] {
  return onTop.map((call, index) => ({
    modelCallId: `${modelCallId}/${call.iteration ?? index}`,
    callKey: callKeyOfIteration(callKey, call.iteration ?? index),
    purpose: call.purpose ?? 'other',
    responseModel: call.model,
    servedTier: call.servedTier,
    speed: call.speed,
    region: call.region,
    usage: call.usage,
    cost: call.cost,
  }));
}
