import type { CallReservation } from '../../domain/budget/reservation.js';
import type { Cost } from '../../domain/money.js';
import type { SessionState } from '../../domain/state.js';
import { type Buckets, unknownUsage } from '../../domain/usage.js';
import type { PriceCards } from '../../pricing/card-index.js';
import { priceCall } from '../../pricing/price-call.js';
import type { StartModelCallBody } from '../start-model-call/start-model-call.dto.js';

/** What is assumed of a call whose sender does not say what to expect. */
export const INPUT_TOKENS_ASSUMED = 4_096;
export const OUTPUT_TOKENS_ASSUMED = 4_096;

export type CallEstimate =
  | ({ readonly priced: true; readonly currency: string } & Pick<
      CallReservation,
      'amountPico' | 'inputPico' | 'outputPico' | 'outputTokens'
    >)
  | { readonly priced: false; readonly reason: string };

/**
 * Estimated prompt at the input rate plus the most output at the output rate (usage specification,
 * §10). The prompt is what the sender says, else what the conversation had after its last answer.
 */
export function estimateCall(
  body: StartModelCallBody,
  { usageAnchor }: Pick<SessionState, 'usageAnchor'>,
  cards: PriceCards,
  now: string,
): CallEstimate {
  const inputTokens =
    body.inputTokens ??
    (usageAnchor === undefined
      ? INPUT_TOKENS_ASSUMED
      : usageAnchor.inputTokens + usageAnchor.outputTokens);
  const outputTokens = body.maxOutputTokens ?? OUTPUT_TOKENS_ASSUMED;
  const price = (buckets: Buckets): Cost =>
    priceCall(
      {
        usage: { ...unknownUsage('local'), state: 'estimated', buckets },
        provider: body.provider,
        requestedModel: body.model,
        requestedTier: body.tier,
        startedAt: now,
      },
      cards,
    );
  const whole = price({ inputFresh: inputTokens, outputText: outputTokens });
  const input = price({ inputFresh: inputTokens });
  if (whole.amountPico === null || input.amountPico === null) {
    return { priced: false, reason: whole.reason ?? 'no_card' };
  }
  return {
    priced: true,
    currency: whole.currency,
    amountPico: whole.amountPico,
    inputPico: input.amountPico,
    outputPico: String(BigInt(whole.amountPico) - BigInt(input.amountPico)),
    outputTokens,
  };
}
