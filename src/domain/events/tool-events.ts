import type { ArtifactLink, Json, ToolContent } from '../content.js';
import type { EffectClass, ToolManifest } from '../tool-manifest.js';

export type UnknownReason =
  | 'ownerLost'
  | 'deadline'
  | 'transport'
  | 'shutdown'
  | 'stoppedInFlight'
  | 'retryStopped'
  | 'earlierAttemptOpen'
  | 'imported';
export type SkipReason =
  | 'stopped'
  | 'unresolvedTwin'
  | 'runEnded'
  | 'denied'
  | 'approvalExpired'
  | 'requested'
  | 'manifestUnavailable'
  | 'forkCut';
export type RetryBasis = 'readOnly' | 'keyedWithinWindow' | 'probeNotApplied' | 'human';
export type ResultStatus = 'completed' | 'noEffect';
/** Of a `noEffect`: does it speak of this attempt, or of the whole operation? */
export type ResultScope = 'attempt' | 'operation';
export type ProbeVerdict = 'applied' | 'notApplied' | 'inProgress' | 'inconclusive' | 'error';
export type ResolvedVerdict =
  'completed' | 'failed' | 'applied' | 'notApplied' | 'abandoned' | 'compensated';
export type ResolvedBasis = 'lateResult' | 'probe' | 'human' | 'policy' | 'expiry' | 'compensation';
export type EscalationReason =
  'noPolicy' | 'probesExhausted' | 'windowClosed' | 'attemptsExhausted' | 'compensationFailed';
export type EscalationDecision = 'applied' | 'notApplied' | 'retry' | 'compensate' | 'abandon';
export type ConflictKind =
  | 'resultMismatch'
  | 'probeContradicted'
  | 'notAppliedContradicted'
  | 'failedContradicted'
  | 'appliedContradicted'
  | 'duplicateEffect'
  | 'undeclaredAttempt'
  | 'effectAfterCompensation';

/** What a tool answered, as recorded; a large answer is an artifact with a preview. */
export interface ToolResult {
  readonly isError: boolean;
  readonly content: ToolContent; // *
  readonly artifact?: ArtifactLink;
  /** Richer data that the agent program kept beside the answer. */
  readonly details?: Json; // *
}

export interface ProbeEvidence {
  readonly method: string;
  readonly target: string;
  readonly statusCode?: number;
  readonly bodyHash?: string;
  readonly externalRef?: string; // *
  readonly excerpt?: string; // *
  readonly observedAt: string;
}

export type ToolEvents =
  | {
      readonly type: 'ToolCallRequested';
      readonly data: {
        readonly callId: string;
        readonly runId?: string;
        readonly modelCallId: string;
        readonly messageId: string;
        readonly ordinal: number;
        readonly providerCallId?: string;
        readonly tool: string;
        readonly manifestVersion: number;
        /** The whole manifest, when it is one of the tenant's registry: later versions change nothing. */
        readonly manifest?: ToolManifest;
        readonly effect: EffectClass;
        readonly timing: {
          readonly timeoutMs: number;
          readonly maxFlightMs: number;
          readonly keyWindowMs: number;
          readonly notFoundIsFinalAfterMs: number | null;
        };
        readonly opKey: string;
        readonly argsHash: string;
        /** What it does is undone when its run fails. */
        readonly undoWhenRunFails?: true;
        /** Parsed arguments; `argsText` instead when the model's text was not a JSON object. */
        readonly args?: Json; // *
        readonly argsText?: string; // *
        /** JSON of the whole `{args, argsText}`, where they are only its beginning. */
        readonly argsArtifact?: ArtifactLink;
      };
    }
  /** The call may not start before somebody has allowed it. */
  | {
      readonly type: 'ToolApprovalRequested';
      readonly data: { readonly callId: string; readonly to: string; readonly dueAt: string };
    }
  | {
      readonly type: 'ToolApprovalDecided';
      readonly data: {
        readonly callId: string;
        readonly decision: 'allow' | 'deny';
        readonly note?: string; // *
      };
    }
  /** A promise of its manifest proved false: from now on the call is an `opaqueWrite`. */
  | {
      readonly type: 'ToolEffectLowered';
      readonly data: {
        readonly callId: string;
        readonly from: EffectClass;
        readonly note?: string; // *
      };
    }
  | {
      readonly type: 'ToolCallStarted';
      readonly data: {
        readonly callId: string;
        readonly attempt: number;
        readonly epoch: number;
        readonly startedAt: string;
        readonly dispatchBy: string;
        readonly deadline: string;
        readonly basis: 'first' | RetryBasis;
      };
    }
  | {
      readonly type: 'ToolCallProgressed';
      readonly data: {
        readonly callId: string;
        readonly attempt: number;
        readonly externalRef?: string; // *
        readonly note?: string; // *
      };
    }
  | {
      readonly type: 'ToolResultRecorded';
      readonly data: {
        readonly callId: string;
        readonly attempt: number;
        readonly epoch: number;
        readonly status: ResultStatus;
        readonly scope?: ResultScope;
        readonly resultHash: string;
        readonly result: ToolResult;
        readonly externalRef?: string; // *
        readonly durationMs?: number;
      };
    }
  | {
      readonly type: 'ToolOutcomeUnknown';
      readonly data: {
        readonly callId: string;
        readonly attempt: number;
        readonly reason: UnknownReason;
      };
    }
  | {
      readonly type: 'ToolCallSkipped';
      readonly data: {
        readonly callId: string;
        readonly reason: SkipReason;
        /** The unresolved equal call, when that is the reason. */
        readonly twinOf?: string;
      };
    }
  | {
      readonly type: 'ToolProbeRecorded';
      readonly data: {
        readonly callId: string;
        readonly probeNo: number;
        /** A void makes the operation key unusable; it tells nothing about the outcome. */
        readonly kind: 'query' | 'void';
        /** Of a void: the target has confirmed it. */
        readonly voided?: boolean;
        readonly source: 'http' | 'graphql' | 'handler' | 'operator';
        readonly requestedAt: string;
        readonly verdict: ProbeVerdict;
        readonly evidence: ProbeEvidence;
      };
    }
  | {
      readonly type: 'ToolRetryAuthorized';
      readonly data: {
        readonly callId: string;
        readonly nextAttempt: number;
        readonly basis: RetryBasis;
        /** null = no limit. */
        readonly notAfter: string | null;
      };
    }
  | {
      readonly type: 'ToolRetryExpired';
      readonly data: { readonly callId: string; readonly nextAttempt: number };
    }
  | {
      readonly type: 'ToolEscalated';
      readonly data: {
        readonly callId: string;
        readonly escalationId: string;
        readonly to: string;
        readonly dueAt: string;
        readonly reason: EscalationReason;
        readonly blocking: boolean;
      };
    }
  | {
      readonly type: 'ToolEscalationDecided';
      readonly data: {
        readonly callId: string;
        readonly escalationId: string;
        readonly decision: EscalationDecision;
        readonly note?: string; // *
        readonly evidenceRef?: string;
      };
    }
  /** It is to be undone, by a person's order or since its run has failed: a keyed write of its own, that no model asked for. */
  | {
      readonly type: 'ToolCompensationRequested';
      readonly data: {
        readonly callId: string;
        readonly compensationCallId: string;
        /** The run that makes it: the open one, or one that only does this. */
        readonly runId: string;
        readonly tool: string;
        readonly manifest: ToolManifest;
        readonly opKey: string;
        readonly argsHash: string;
        readonly args: Json; // *
      };
    }
  | {
      readonly type: 'ToolCompensationRecorded';
      readonly data: {
        readonly callId: string;
        readonly compensationCallId: string;
        readonly verdict: 'undone' | 'nothingToUndo' | 'failed';
      };
    }
  | {
      readonly type: 'ToolOutcomeResolved';
      readonly data: {
        readonly callId: string;
        readonly verdict: ResolvedVerdict;
        readonly basis: ResolvedBasis;
        readonly evidenceRef?: string;
      };
    }
  | {
      readonly type: 'ToolLateResultReceived';
      readonly data: {
        readonly callId: string;
        readonly attempt: number;
        readonly claimedEpoch: number;
        readonly status: ResultStatus;
        readonly scope?: ResultScope;
        readonly resultHash: string;
        readonly result: ToolResult;
        readonly agrees: boolean | null;
      };
    }
  /** A fork learns what its origin has found out about a call that was open at the cut. */
  | {
      readonly type: 'InheritedOutcomeRecorded';
      readonly data: {
        readonly callId: string;
        readonly originSessionId: string;
        /** Of the origin's event that settled the call. */
        readonly originRevision: number;
        readonly state: ResolvedVerdict;
        readonly result?: ToolResult;
      };
    }
  | {
      readonly type: 'ToolConflictDetected';
      readonly data: {
        readonly callId: string;
        readonly kind: ConflictKind;
        readonly detail?: string; // *
      };
    };
