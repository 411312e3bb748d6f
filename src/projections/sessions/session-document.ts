import type {
  AgentProfile,
  ImportOrigin,
  ParentEdge,
  QuarantineBudget,
} from '../../domain/events/session-events.js';
import type { SessionState, SessionStatus } from '../../domain/state.js';
import type { Work } from '../../domain/work.js';

/** What a session's first event says of it. */
export interface SessionIdentity {
  readonly tenantId: string;
  readonly sessionId: string;
  readonly parentId?: string;
  readonly edge?: ParentEdge;
  readonly ancestors: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  readonly profile?: Pick<AgentProfile, 'name' | 'version' | 'provider' | 'model'>;
  /** `profile.name`, where lists filter. */
  readonly profileName?: string;
  readonly imported: boolean;
  readonly origin?: ImportOrigin;
  readonly createdAt: string;
}

/** What lists and headers show of a session. One document each, small at any length of history. */
export interface SessionDocument extends SessionIdentity {
  /** As it was named, else the beginning of its first input. */
  readonly title?: string;
  readonly status: SessionStatus;
  readonly counters: SessionState['counters'];
  readonly pendingInputs: number;
  /** Tool calls without a final outcome, those included that were not started. */
  readonly unresolvedCalls: number;
  /** Of these: calls that may have had an effect nobody knows. */
  readonly unknownCalls: number;
  /** By rule: secrets that were masked in its events, or noted; at most 100 of one event count. */
  readonly redactions: Readonly<Record<string, number>>;
  /** Quarantined: what its run used up. */
  readonly quarantine?: QuarantineBudget;
  readonly heldBy?: { readonly workerId: string; readonly epoch: number };
  readonly updatedAt: string;
  readonly revision: number;
  readonly position: string;
  readonly erasure?: SessionState['erasure'];
  /** What the status is derived from: the part of the domain's state that is still open. */
  readonly open: OpenState;
}

export type OpenState = Partial<
  Pick<
    SessionState,
    | 'recoveryMode'
    | 'pendingInputs'
    | 'epoch'
    | 'run'
    | 'lastRun'
    | 'stopped'
    | 'modelCall'
    | 'calls'
    | 'compaction'
  >
>;

/** A session that a worker could move, for as long as that is so. */
export interface WorkDocument extends Pick<SessionDocument, 'tenantId' | 'sessionId' | 'labels'> {
  readonly reason: Work['reason'];
  /** Whoever holds it: whether its lease is live stands in the lease store only. */
  readonly heldBy?: string;
  readonly epoch: number;
  readonly recoveryAttempts: number;
  readonly profileName?: string;
  /** Since when it has been so. */
  readonly since: string;
}

/** Finds a session by one of its labels: what lists filter and sort by, copied. */
export interface LabelDocument extends Pick<
  SessionDocument,
  'tenantId' | 'sessionId' | 'status' | 'parentId' | 'profileName' | 'imported' | 'updatedAt'
> {
  /** From `labelText`. */
  readonly label: string;
}

/** Key and value as one text; any text can be either. */
export function labelText(key: string, value: string): string {
  return JSON.stringify([key, value]);
}
