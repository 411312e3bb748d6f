import type { SessionEvent } from '../events.js';
import { type RecordedCall, recordedCalls } from '../recorded-calls.js';
import type { ChargeBasis } from './ledger.js';
import type { CallReservation } from './reservation.js';

export interface CallCharge {
  readonly amountPico: string;
  readonly basis: ChargeBasis;
}

/**
 * What the calls of one reservation cost, from its session's events: the request itself and what
 * the provider bills on top. Undefined while it is not settled. Currencies are never added: what is
 * not in the ledger's has no price there.
 */
export function chargeOf(
  events: readonly SessionEvent[],
  reservation: CallReservation,
  currency: string = reservation.currency,
): CallCharge | undefined {
  const calls = [...recordedCalls(events).values()];
  if (calls.length === 0) return undefined;
  let sum = 0n;
  let basis: ChargeBasis = 'settled';
  for (const call of calls) {
    const part = partOf(call, reservation, currency);
    sum += part.pico;
    if (part.basis !== 'settled') basis = part.basis;
  }
  return { amountPico: String(sum), basis };
}

/** Of a call that nobody will settle any more: its prompt was sent. */
export function lowerBoundOf(
  reservation: CallReservation,
  currency: string = reservation.currency,
  receivedTokens = 0,
): bigint {
  if (currency !== reservation.currency) return 0n;
  const { inputPico, outputPico, outputTokens } = reservation;
  const received = BigInt(Math.min(receivedTokens, outputTokens));
  const output = outputTokens === 0 ? 0n : (BigInt(outputPico) * received) / BigInt(outputTokens);
  return BigInt(inputPico) + output;
}

function partOf(
  { usage, cost }: RecordedCall,
  reservation: CallReservation,
  currency: string,
): { readonly pico: bigint; readonly basis: ChargeBasis } {
  if (usage === undefined) return { pico: 0n, basis: 'settled' };
  if (usage.state === 'unknown') {
    return {
      pico: lowerBoundOf(reservation, currency, usage.estimatedOutput),
      basis: 'lowerBound',
    };
  }
  if (cost === undefined || cost.currency !== currency) {
    return { pico: 0n, basis: 'unpriced' };
  }
  if (cost.amountPico === null)
    return { pico: BigInt(cost.pricedPartPico ?? 0), basis: 'unpriced' };
  return { pico: BigInt(cost.amountPico), basis: 'settled' };
}
