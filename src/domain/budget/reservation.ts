import type { Rejection } from '../rejection.js';

/** What a model call holds of its budgets while nobody knows what it costs. */
export interface CallReservation {
  readonly reservationId: string;
  /** The ledgers that it is in, each of one budget and period. */
  readonly ledgers: readonly string[];
  readonly currency: string;
  /** Prompt and output, as estimated before the call. */
  readonly amountPico: string;
  readonly inputPico: string;
  readonly outputPico: string;
  readonly outputTokens: number;
}

export type BudgetAnswer =
  | { readonly kind: 'reserved'; readonly reservation: CallReservation }
  | { readonly kind: 'refused'; readonly rejection: Rejection };
