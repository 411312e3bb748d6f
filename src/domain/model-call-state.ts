import type { CallReservation } from './budget/reservation.js';
import type { ModelCallPurpose } from './events/model-events.js';

export interface OpenModelCall {
  readonly modelCallId: string;
  readonly messageId: string;
  readonly runId: string;
  readonly purpose: ModelCallPurpose;
  readonly startedAt: string;
  readonly timeoutMs?: number;
  readonly provider?: string;
  readonly requestedModel?: string;
  readonly requestedTier?: string;
  readonly estimatedTokens?: number;
  readonly reservation?: CallReservation;
  readonly partsRecorded: number;
  readonly messageFinal: boolean;
  readonly callsRecorded: number;
  /** Of the text that was recorded so far. */
  readonly outputCharacters: number;
}

/** What the last model call that the provider counted had used: the anchor of token estimates. */
export interface UsageAnchor {
  readonly revision: number;
  readonly model?: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
}
