/** Whose session a command is for, and who sends it. The tenant comes from the credential only. */
export interface CommandScope {
  readonly tenantId: string;
  readonly sessionId: string;
  readonly actor: string;
  /** The request's Idempotency-Key. */
  readonly idempotencyKey?: string;
  /** The request's If-Match: the revision that the sender has seen. */
  readonly ifRevision?: number;
  readonly correlationId?: string;
}

/** The answer to every command. */
export interface CommandReceipt {
  readonly sessionId: string;
  /** Revision of the command's last event. */
  readonly revision: number;
  /** Give it to a read as `atLeast` to see this write. */
  readonly position: string;
  /** The same command was done before; this is its answer. */
  readonly replayed: boolean;
  /** A repeated id came with other content; the first content stays. */
  readonly payloadDiffers: boolean;
  /** How many secrets were masked in what was stored, or noted; absent: none. */
  readonly redactions?: number;
}
