/** How long calls may take, in milliseconds. Tests shorten them. */
export interface ConnectionTimes {
  /** One sending of an append. The server gives up on its own after 2 seconds. */
  readonly appendTryMs: number;
  /** All sendings of one append together, waits included; the last one may end later. */
  readonly appendSettleMs: number;
  /** Silence in the middle of a read. */
  readonly readSilenceMs: number;
  /** The question whether the server answers at all. */
  readonly probeMs: number;
  /** Until a subscription is confirmed. */
  readonly confirmationMs: number;
  /** A subscription that hears nothing for so long is made anew. */
  readonly subscriptionSilenceMs: number;
  /** Longest wait between two subscriptions that fail. */
  readonly resubscribeMaxMs: number;
  /** What a call that is ended at shutdown may still take. */
  readonly closeMs: number;
}

export const CONNECTION_TIMES: ConnectionTimes = {
  appendTryMs: 3_000,
  appendSettleMs: 6_000,
  readSilenceMs: 5_000,
  probeMs: 1_500,
  confirmationMs: 5_000,
  subscriptionSilenceMs: 30_000,
  resubscribeMaxMs: 10_000,
  closeMs: 2_000,
};

/** Grows with each failure, half of it by chance, so that instances do not come back at once. */
export function backOffMs(failures: number, firstMs: number, maxMs: number): number {
  const limitMs = Math.min(maxMs, firstMs * 2 ** Math.min(failures, 16));
  return limitMs / 2 + (Math.random() * limitMs) / 2;
}
