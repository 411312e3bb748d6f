/**
 * What was spent and what is held of one budget in one period: a stream of its own, appended with
 * the expected revision, so that calls of many processes are decided one after the other.
 */

export interface HeldReservation {
  readonly reservationId: string;
  readonly sessionId: string;
  readonly modelCallId: string;
  readonly amountPico: string;
  readonly reservedAt: string;
}

/**
 * `settled`: the call's cost. `lowerBound`: nobody counted it; what is certain. `unpriced`: it has
 * no price. `abandoned`: its owner is gone and nobody has settled it.
 */
export type ChargeBasis = 'settled' | 'lowerBound' | 'unpriced' | 'abandoned';

export interface BudgetCrossing {
  readonly threshold: 'warn' | 'stop';
  /** The threshold as it was set. */
  readonly limitPico: string;
  readonly chargedPico: string;
  readonly heldPico: string;
  /** What a refused call would have held; absent when a cost crossed the threshold. */
  readonly refusedPico?: string;
  readonly sessionId?: string;
  readonly modelCallId?: string;
  readonly at: string;
}

export type LedgerEvent =
  | { readonly type: 'CostReserved'; readonly data: HeldReservation }
  | {
      readonly type: 'CostCharged';
      readonly data: {
        readonly reservationId: string;
        readonly sessionId: string;
        readonly amountPico: string;
        /** What the same call was charged with before; the difference counts. */
        readonly beforePico?: string;
        readonly basis: ChargeBasis;
        readonly chargedAt: string;
      };
    }
  | {
      readonly type: 'ReservationReleased';
      readonly data: { readonly reservationId: string; readonly releasedAt: string };
    }
  | { readonly type: 'BudgetExceeded'; readonly data: BudgetCrossing };

export type LedgerEventType = LedgerEvent['type'];
export type LedgerEventOf<T extends LedgerEventType> = Extract<LedgerEvent, { type: T }>;

/** Changes with every change of `LedgerState`'s shape: older snapshots are then ignored. */
export const LEDGER_SCHEMA_VERSION = 1;

/** JSON as it is: amounts are decimal text. */
export interface LedgerState {
  /** Of the last event; -1 when there is none. */
  readonly revision: number;
  readonly chargedPico: string;
  readonly calls: number;
  readonly unpricedCalls: number;
  readonly held: Readonly<Record<string, HeldReservation>>;
  readonly crossings: Readonly<Partial<Record<'warn' | 'stop', BudgetCrossing>>>;
}

export const initialLedger: LedgerState = {
  revision: -1,
  chargedPico: '0',
  calls: 0,
  unpricedCalls: 0,
  held: {},
  crossings: {},
};

export function evolveLedger(before: LedgerState, event: LedgerEvent): LedgerState {
  const state = { ...before, revision: before.revision + 1 };
  switch (event.type) {
    case 'CostReserved':
      return { ...state, held: { ...state.held, [event.data.reservationId]: event.data } };
    case 'CostCharged':
      return charged(state, event.data);
    case 'ReservationReleased':
      return { ...state, held: without(state.held, event.data.reservationId) };
    case 'BudgetExceeded':
      return { ...state, crossings: { ...state.crossings, [event.data.threshold]: event.data } };
    default:
      return state;
  }
}

function charged(state: LedgerState, data: LedgerEventOf<'CostCharged'>['data']): LedgerState {
  const isFirst = data.beforePico === undefined;
  const change = BigInt(data.amountPico) - BigInt(data.beforePico ?? 0);
  return {
    ...state,
    held: without(state.held, data.reservationId),
    chargedPico: String(BigInt(state.chargedPico) + change),
    calls: state.calls + Number(isFirst),
    unpricedCalls: state.unpricedCalls + Number(isFirst && data.basis === 'unpriced'),
  };
}

function without(held: LedgerState['held'], reservationId: string): LedgerState['held'] {
  const { [reservationId]: _gone, ...rest } = held;
  return rest;
}

export function heldPico(state: LedgerState): bigint {
  let sum = 0n;
  for (const { amountPico } of Object.values(state.held)) sum += BigInt(amountPico);
  return sum;
}
