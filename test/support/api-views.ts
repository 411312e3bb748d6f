/** What tests read of the API's answers. */

export interface ReceiptBody {
  readonly sessionId: string;
  readonly revision: number;
  readonly position: string;
  readonly replayed: boolean;
  readonly payloadDiffers: boolean;
}

export interface CallBody {
  readonly callId: string;
  readonly providerCallId?: string;
  readonly tool: string;
  readonly effect: string;
  readonly state: string;
  readonly opKey: string;
  readonly attempts: number;
  readonly nextAttempt?: number;
  readonly unknownReason?: string;
  readonly asked?: string;
}

export interface ClaimBody extends ReceiptBody {
  readonly runId: string;
  readonly epoch: number;
  readonly reason: string;
  readonly inputIds: readonly string[];
  readonly unresolved: readonly CallBody[];
}

export interface StandingBody {
  readonly stoppedBy: string;
  readonly mayContinue: boolean;
  readonly why: string;
  readonly heldBy?: string;
  readonly leaseExpiresAt?: string;
}

export interface SessionBody {
  readonly sessionId: string;
  readonly title?: string;
  readonly status: string;
  readonly standing: StandingBody;
  readonly revision: number;
  readonly labels: Readonly<Record<string, string>>;
  readonly run?: { readonly runId: string; readonly status: string; readonly epoch: number };
  readonly pendingInputs: readonly { readonly inputId: string; readonly delivery: string }[];
  readonly unresolved: readonly CallBody[];
  readonly counters: Readonly<Record<string, number>>;
  readonly ancestors: readonly string[];
  readonly revert?: { readonly revision: number; readonly to: object };
}

export interface ContextBody {
  readonly format: string;
  readonly contextId: string;
  readonly contentHash: string;
  readonly system?: unknown;
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly inputRevision: number;
  readonly delivers: readonly string[];
  readonly estimatedTokens: number;
  readonly compactionNeeded: boolean;
  readonly unresolved: readonly unknown[];
  readonly repairs: readonly unknown[];
}

export interface RestoreBody {
  readonly sessionId: string;
  readonly revision: number;
  readonly status: string;
  readonly standing: StandingBody;
  readonly attemptsLeft: number;
  readonly unresolved: readonly CallBody[];
  readonly claim?: ClaimBody;
  readonly context: ContextBody;
}

export interface EventBody {
  readonly revision: number;
  readonly position: string;
  readonly eventId: string;
  readonly type: string;
  readonly recordedAt: string;
  readonly actor: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface EventPageBody {
  readonly events: readonly EventBody[];
  readonly next?: number;
  readonly revision: number;
}

export interface CompactionBody extends ReceiptBody {
  readonly compactionId: string;
  readonly text?: string;
  readonly rules: readonly string[];
  readonly tokensBefore?: number;
}

export interface OmissionsBody {
  readonly omissions: readonly {
    readonly kind: string;
    readonly text: string;
    readonly by: string;
    readonly count: number;
  }[];
  readonly omissionsCut: number;
  readonly unreadCharacters: number;
}

/** RFC 9457. */
export interface ProblemBody {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: string;
  readonly retryable: boolean;
  readonly [fact: string]: unknown;
}
