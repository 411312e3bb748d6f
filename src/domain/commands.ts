import type { BudgetAnswer } from './budget/reservation.js';
import type { ArtifactLink, AssistantBlock, InputBlock, Json } from './content.js';
import type {
  CompactionTrigger,
  ListedOmission,
  NativeSummary,
} from './events/compaction-events.js';
import type { Delivery } from './events/input-events.js';
import type { ModelCallOutcome, ModelCallPurpose, RepricedCall } from './events/model-events.js';
import type { StreamPosition } from './events/positions.js';
import type { ResultScope, ResultStatus, SkipReason, ToolResult } from './events/tool-events.js';
import type { Cost } from './money.js';
import type { Rejection } from './rejection.js';
import type { PromisesNow, RunSetup } from './run-setup.js';
import type { ToolManifest } from './tool-manifest.js';
import type { Common, SessionCommands } from './session-commands.js';
import type { SettlingCommands } from './settling-commands.js';
import type { Usage } from './usage.js';

/** Proof that the sender is the session's owner. */
export interface Fence {
  readonly epoch: number;
  readonly claimTokenHash: string;
}

interface Owned extends Common {
  readonly fence: Fence;
}

/** What the lease store says at the moment of the decision; a hint, never a safety argument. */
export interface LeaseView {
  readonly live: boolean;
  readonly holder?: string;
  readonly expiresAt?: string;
}

type InputCommands =
  | (Common & {
      readonly type: 'AcceptInput';
      readonly inputId: string;
      readonly delivery: Delivery;
      readonly resume: boolean;
      readonly content: readonly InputBlock[];
      readonly artifact?: ArtifactLink;
      readonly author: string;
    })
  | (Common & {
      readonly type: 'ChangeDelivery';
      readonly inputId: string;
      readonly delivery: Delivery;
    })
  | (Common & { readonly type: 'WithdrawInput'; readonly inputId: string });

type RunCommands =
  | (Common & {
      readonly type: 'ClaimRun';
      readonly runId: string;
      readonly workerId: string;
      readonly claimTokenHash: string;
      readonly leaseTtlMs: number;
      readonly lease: LeaseView;
      /** A run of kind `compaction` needs no pending input. */
      readonly kind: 'agent' | 'compaction';
      /** An operator takes the session although its lease is live. */
      readonly force: boolean;
      /** What the worker says of itself, and what the tools of open calls promise now. */
      readonly setup?: RunSetup;
      readonly promises?: PromisesNow;
      /** Incompatible differences have been seen, and the run goes on all the same. */
      readonly confirmed?: boolean;
      /** Of a budget that applies and has nothing left. */
      readonly exhausted?: Rejection;
      /** Message ids for the inputs that a new run begins with, by input id. */
      readonly messageIdOf: (inputId: string) => string;
    })
  | (Owned & { readonly type: 'CompleteRun'; readonly runId: string })
  | (Owned & {
      readonly type: 'FailRun';
      readonly runId: string;
      readonly errorClass: string;
      readonly message: string;
    })
  | (Owned & { readonly type: 'InterruptRun'; readonly runId: string })
  | (Owned & {
      readonly type: 'ReleaseRun';
      readonly runId: string;
      readonly reason: 'waiting' | 'handover';
      readonly waitingFor?: string;
    })
  | (Common & {
      readonly type: 'StopRun';
      readonly runId: string;
      readonly note?: string;
      readonly dropPendingInputs: boolean;
      readonly lease: LeaseView;
    })
  | (Common & {
      readonly type: 'ConfirmStopped';
      readonly runId: string;
      readonly by: 'owner' | 'reconciler';
    })
  /** It was its owner's turn for too long. */
  | (Common & {
      readonly type: 'QuarantineIdleRun';
      readonly runId: string;
      /** Since which nothing was recorded by the owner. */
      readonly ownerRevision: number;
      readonly idleMs: number;
    });

type ModelCommands =
  | (Owned & {
      readonly type: 'StartModelCall';
      readonly modelCallId: string;
      readonly messageId: string;
      readonly purpose: ModelCallPurpose;
      /** Default: the session's revision at the decision. */
      readonly inputRevision?: number;
      readonly contextId?: string;
      readonly provider?: string;
      readonly requestedModel?: string;
      readonly requestedTier?: string;
      /** Tokens of the prompt, as its sender has estimated them. */
      readonly estimatedTokens?: number;
      /** How long its answer may take; absent: `MODEL_CALL_TIMEOUT_MS`. */
      readonly timeoutMs?: number;
      /** Pending inputs that this call's context contains; each becomes a message. */
      readonly deliver: readonly { readonly inputId: string; readonly messageId: string }[];
      /** What the budgets that apply say; absent when none does. */
      readonly budget?: BudgetAnswer;
    })
  | (Owned & {
      readonly type: 'RecordAssistantMessage';
      readonly modelCallId: string;
      readonly part: number;
      readonly final: boolean;
      readonly provider?: string;
      readonly api?: string;
      readonly model?: string;
      readonly blocks: readonly AssistantBlock[];
      readonly artifact?: ArtifactLink;
      readonly calls: readonly RequestedCall[];
    })
  | (Owned & {
      readonly type: 'SettleModelCall';
      readonly modelCallId: string;
      readonly outcome: Exclude<ModelCallOutcome, 'interrupted'>;
      readonly providerReached: 'no' | 'maybe' | 'yes';
      readonly callKey: string;
      readonly responseId?: string;
      readonly responseModel?: string;
      readonly servedTier?: string;
      readonly speed?: string;
      readonly region?: string;
      readonly usage?: Usage;
      readonly cost?: Cost;
      readonly error?: string;
      readonly further: readonly FurtherCall[];
    })
  /** From anybody, owner or not, for a call that is settled. */
  | (Common & {
      readonly type: 'ReportModelUsage';
      readonly modelCallId: string;
      readonly reporter: string;
      readonly callKey: string;
      readonly responseId?: string;
      readonly responseModel?: string;
      readonly servedTier?: string;
      readonly speed?: string;
      readonly region?: string;
      readonly usage: Usage;
      readonly cost: Cost;
      readonly further: readonly FurtherCall[];
    })
  /** What the calls cost was looked up at the revision that the command is for. */
  | (Common & {
      readonly type: 'RepriceCalls';
      readonly repricingId: string;
      readonly reason: string;
      readonly actor: string;
      readonly calls: readonly RepricedCall[];
    });

/** A request that the provider made on top of the one it answered, and bills apart. */
export interface FurtherCall {
  readonly modelCallId: string;
  readonly callKey: string;
  readonly purpose: ModelCallPurpose;
  readonly responseModel?: string;
  readonly servedTier?: string;
  readonly speed?: string;
  readonly region?: string;
  readonly usage: Usage;
  readonly cost: Cost;
}

/** A call the model asked for; ids and hashes are derived outside of the domain. */
export interface RequestedCall {
  readonly callId: string;
  readonly ordinal: number;
  readonly providerCallId?: string;
  readonly tool: string;
  readonly manifest: ToolManifest;
  /** The manifest is one of the tenant's registry, not of the session. */
  readonly registered?: boolean;
  readonly opKey: string;
  readonly argsHash: string;
  readonly args?: Json;
  readonly argsText?: string;
  readonly argsArtifact?: ArtifactLink;
}

type ToolCommands =
  | (Owned & {
      readonly type: 'StartToolCall';
      readonly callId: string;
      /** The attempt asked for: 1, or the one that a retry was authorized for. */
      readonly attempt: number;
      readonly timeoutMs: number;
      /** By the later of wall and monotonic clock: windows are over by it (C3). */
      readonly latestNow?: string;
    })
  | (Owned & {
      readonly type: 'RecordToolProgress';
      readonly callId: string;
      readonly attempt: number;
      readonly externalRef?: string;
      readonly note?: string;
    })
  | (Owned & {
      readonly type: 'RecordToolResult';
      readonly callId: string;
      readonly attempt: number;
      readonly status: ResultStatus;
      readonly scope?: ResultScope;
      readonly resultHash: string;
      readonly result: ToolResult;
      readonly externalRef?: string;
      readonly durationMs?: number;
      /** Of a call that undoes another. */
      readonly nothingToUndo?: boolean;
    })
  | (Owned & {
      readonly type: 'ReportToolUnknown';
      readonly callId: string;
      readonly attempt: number;
      readonly reason: 'transport' | 'stoppedInFlight';
    })
  | (Owned & {
      readonly type: 'SkipToolCall';
      readonly callId: string;
      readonly reason: SkipReason;
    });

type CompactionCommands =
  | (Owned & {
      readonly type: 'StartCompaction';
      readonly compactionId: string;
      /** Absent, all three: no part of the conversation can be covered. */
      readonly coveredFrom?: StreamPosition;
      readonly coveredTo?: StreamPosition;
      readonly keptFrom?: StreamPosition;
      readonly trigger: CompactionTrigger;
      readonly tokensBefore?: number;
    })
  | (Owned & {
      readonly type: 'CommitCompaction';
      readonly compactionId: string;
      readonly summary: string;
      readonly native?: NativeSummary;
      readonly openCalls: readonly string[];
      readonly sourceHash?: string;
      readonly tokensAfter?: number;
      readonly modelCallId?: string;
      readonly omissions?: readonly ListedOmission[];
      readonly omissionsCut?: number;
      readonly trigger: CompactionTrigger;
    })
  | (Owned & {
      readonly type: 'FailCompaction';
      readonly compactionId: string;
      readonly detail?: string;
    });

export type SessionCommand =
  | SessionCommands
  | InputCommands
  | RunCommands
  | ModelCommands
  | ToolCommands
  | SettlingCommands
  | CompactionCommands;

export type SessionCommandType = SessionCommand['type'];
export type CommandOf<T extends SessionCommandType> = Extract<SessionCommand, { type: T }>;
