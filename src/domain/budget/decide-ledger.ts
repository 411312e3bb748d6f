import type { Budget } from './budget.js';
import {
  type BudgetCrossing,
  type ChargeBasis,
  type HeldReservation,
  type LedgerEvent,
  type LedgerState,
  heldPico,
} from './ledger.js';
import { own } from '../own.js';

type Limits = Pick<Budget, 'amountPico' | 'warnAtPico'>;

export interface ReserveDecision {
  readonly accepted: boolean;
  readonly events: readonly LedgerEvent[];
}

/**
 * Holds an amount before its call is made: what was charged, what is held and this must not exceed
 * the budget; to reach it exactly is allowed (usage specification, §10).
 */
export function reserve(
  reservation: HeldReservation,
  state: LedgerState,
  limits: Limits,
): ReserveDecision {
  if (own(state.held, reservation.reservationId) !== undefined)
    return { accepted: true, events: [] };
  const wanted = BigInt(reservation.amountPico);
  if (BigInt(state.chargedPico) + heldPico(state) + wanted <= BigInt(limits.amountPico)) {
    return { accepted: true, events: [{ type: 'CostReserved', data: reservation }] };
  }
  const { sessionId, modelCallId, reservedAt, amountPico } = reservation;
  const refused = { sessionId, modelCallId, refusedPico: amountPico };
  const isNews = state.crossings.stop?.limitPico !== limits.amountPico;
  const events = isNews
    ? [exceeded('stop', limits.amountPico, state, { ...refused, at: reservedAt })]
    : [];
  return { accepted: false, events };
}

export interface Charge {
  readonly reservationId: string;
  readonly sessionId: string;
  readonly modelCallId: string;
  readonly amountPico: string;
  readonly basis: ChargeBasis;
  readonly now: string;
}

/**
 * What the call has cost takes the place of what was held for it, or of what it was charged with
 * before. The same again changes nothing.
 * @param beforePico what the ledger has charged for it; undefined: nothing yet.
 * @param limits undefined: the budget is gone, and nothing is compared.
 */
export function charge(
  { reservationId, sessionId, modelCallId, amountPico, basis, now }: Charge,
  state: LedgerState,
  beforePico: string | undefined,
  limits: Limits | undefined,
): readonly LedgerEvent[] {
  if (beforePico === amountPico) return [];
  const chargedPico = BigInt(state.chargedPico) + BigInt(amountPico) - BigInt(beforePico ?? 0);
  const held = heldPico(state) - BigInt(own(state.held, reservationId)?.amountPico ?? 0);
  const event: LedgerEvent = {
    type: 'CostCharged',
    data: { reservationId, sessionId, amountPico, beforePico, basis, chargedAt: now },
  };
  const sums = { chargedPico: String(chargedPico), heldPico: String(held) };
  const of = { ...sums, sessionId, modelCallId, at: now };
  return [event, ...crossings(chargedPico, state, limits, of)];
}

function crossings(
  chargedPico: bigint,
  state: LedgerState,
  limits: Limits | undefined,
  of: Omit<BudgetCrossing, 'threshold' | 'limitPico'>,
): readonly LedgerEvent[] {
  const events: LedgerEvent[] = [];
  const { amountPico, warnAtPico } = limits ?? {};
  const isWarned = warnAtPico !== undefined && chargedPico >= BigInt(warnAtPico);
  if (isWarned && state.crossings.warn?.limitPico !== warnAtPico) {
    events.push({
      type: 'BudgetExceeded',
      data: { threshold: 'warn', limitPico: warnAtPico, ...of },
    });
  }
  const isOver = amountPico !== undefined && chargedPico > BigInt(amountPico);
  if (isOver && state.crossings.stop?.limitPico !== amountPico) {
    events.push({
      type: 'BudgetExceeded',
      data: { threshold: 'stop', limitPico: amountPico, ...of },
    });
  }
  return events;
}

/** The call was never made. */
export function release(
  reservationId: string,
  state: LedgerState,
  now: string,
): readonly LedgerEvent[] {
  if (own(state.held, reservationId) === undefined) return [];
  return [{ type: 'ReservationReleased', data: { reservationId, releasedAt: now } }];
}

/** Nothing can be spent any more: a run need not begin. */
export function isExhausted(state: LedgerState, { amountPico }: Limits): boolean {
  return BigInt(state.chargedPico) >= BigInt(amountPico);
}

function exceeded(
  threshold: 'warn' | 'stop',
  limitPico: string,
  state: LedgerState,
  of: Omit<BudgetCrossing, 'threshold' | 'limitPico' | 'chargedPico' | 'heldPico'>,
): LedgerEvent {
  const { chargedPico } = state;
  const heldNow = String(heldPico(state));
  return {
    type: 'BudgetExceeded',
    data: { threshold, limitPico, chargedPico, heldPico: heldNow, ...of },
  };
}
