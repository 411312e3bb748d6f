import { frozen } from './frozen.js';
import type { CallAttempt } from './call-attempt.js';
import type { AgentProfile, Parent, RecoveryMode } from './events/session-events.js';
import type { Delivery } from './events/input-events.js';
import type { FactPointer, Segment, StreamPosition, Watermark } from './events/positions.js';
import type { RunSetup } from './run-setup.js';
import type { EndedRun, RunState } from './run-state.js';
import type {
  ProbeVerdict,
  ResolvedVerdict,
  RetryBasis,
  SkipReason,
  UnknownReason,
} from './events/tool-events.js';
import type { OpenModelCall, UsageAnchor } from './model-call-state.js';
import type { EffectClass, ToolManifest } from './tool-manifest.js';

/** Changes with every change of what events lead to: older snapshots are then ignored. */
export const STATE_SCHEMA_VERSION = 9;

export interface PendingInput {
  readonly inputId: string;
  readonly delivery: Delivery;
  readonly resume: boolean;
  readonly author: string;
  readonly revision: number;
}

export type CallStatus =
  | 'requested'
  | 'running'
  | 'unknown'
  | 'retryAuthorized'
  | 'awaitingHuman'
  | 'inherited'
  | 'completed'
  | 'failed'
  | 'skipped'
  | 'applied'
  | 'notApplied'
  | 'abandoned'
  | 'compensating'
  | 'compensated';

/** A tool call that is open, or was settled since the last model call began. */
export interface CallState {
  readonly callId: string;
  readonly runId?: string;
  readonly modelCallId: string;
  readonly messageId: string;
  readonly ordinal: number;
  readonly providerCallId?: string;
  readonly tool: string;
  /** Of the tenant's registry, as it was when the call was requested. */
  readonly manifest?: ToolManifest;
  readonly effect: EffectClass;
  readonly maxFlightMs: number;
  readonly keyWindowMs: number;
  readonly notFoundIsFinalAfterMs: number | null;
  readonly opKey: string;
  readonly argsHash: string;
  readonly status: CallStatus;
  readonly attempts: readonly CallAttempt[];
  readonly unknownReason?: UnknownReason;
  readonly skipReason?: SkipReason;
  /** Who must allow the first attempt, by when, and what was decided. */
  readonly approval?: {
    readonly to: string;
    readonly dueAt: string;
    readonly decision?: 'allow' | 'deny';
  };
  readonly retry?: {
    readonly nextAttempt: number;
    readonly basis: RetryBasis;
    readonly notAfter: string | null;
  };
  readonly escalation?: {
    readonly escalationId: string;
    readonly to: string;
    readonly dueAt: string;
    readonly blocking: boolean;
  };
  readonly probes: number;
  readonly lastProbe?: {
    readonly kind: 'query' | 'void';
    readonly sentAt: string;
    readonly verdict: ProbeVerdict;
  };
  /** From then on the target refuses the operation key: nothing is repeated with it. */
  readonly voidedAt?: string;
  readonly externalRef?: string;
  readonly resolved?: ResolvedVerdict;
  /** The call that undoes this one, once that was ordered. */
  readonly compensationCallId?: string;
  /** What it does is undone when its run fails. */
  readonly undoWhenRunFails?: true;
  /** Its run has failed: as soon as it is known to have had an effect, that is undone. */
  readonly undoOwed?: true;
  /** Of such a call: the one that it undoes. It is no part of the conversation. */
  readonly compensates?: string;
  /** Of an inherited call: the session that made it and settles it. */
  readonly originSessionId?: string;
}

/** From then on nothing of the content is read; it is over once everything of it is gone. */
export interface Erasure {
  readonly erasureId: string;
  readonly erasedAt: string;
  readonly descendants: readonly string[];
  readonly artifacts?: number;
  readonly keyBackupsExpireAt?: string;
  readonly completedAt?: string;
}

export interface OpenCompaction {
  readonly compactionId: string;
  readonly coveredFrom: StreamPosition;
  readonly coveredTo: StreamPosition;
  readonly keptFrom: StreamPosition;
  readonly tokensBefore?: number;
}

/**
 * What decisions need to know of a session: small, without message bodies, and independent of the
 * length of its history. Ids of things at rest are looked up in the store by key (`past.ts`).
 */
export interface SessionState {
  /** Revision of the newest event folded in; -1 before the first one. */
  readonly revision: number;
  readonly sessionId: string;
  readonly title?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly profile?: AgentProfile;
  readonly tools: Readonly<Record<string, ToolManifest>>;
  readonly recoveryMode: RecoveryMode;
  readonly imported: boolean;
  readonly parent?: Parent;
  readonly ancestors: readonly string[];
  readonly segments: readonly Segment[];
  readonly watermark?: Watermark;
  readonly hidden: readonly Segment[];
  readonly facts: Readonly<Record<string, FactPointer>>;
  /** The first of the reverts since the last input: all of them can still be cleared. */
  readonly revert?: { readonly revision: number; readonly to: StreamPosition };
  readonly pendingInputs: readonly PendingInput[];
  /** Delivered, and no model has read the conversation since. */
  readonly unseenInputs: readonly { readonly inputId: string; readonly revision: number }[];
  readonly epoch: number;
  readonly run?: RunState;
  /** Of the newest event with which an owner moved its run; -1 before the first claim. */
  readonly ownerRevision: number;
  readonly lastRun?: EndedRun;
  /** Of the last worker that said what it was. */
  readonly setup?: RunSetup;
  /** The author of the input that caused the newest run which had one. */
  readonly user?: string;
  /** The last run was stopped by a user, and nobody has resumed the session since. */
  readonly stopped: boolean;
  readonly modelCall?: OpenModelCall;
  readonly calls: Readonly<Record<string, CallState>>;
  /** Calls of a fork's origin, and up to which of its revisions their outcome is recorded here. */
  readonly inheritedCalls: Readonly<
    Record<string, { readonly originSessionId: string; readonly originRevision: number }>
  >;
  readonly compaction?: OpenCompaction;
  /** A completed compaction that no model call has used yet: no second one directly after it. */
  readonly compactedSinceModelCall: boolean;
  readonly usageAnchor?: UsageAnchor;
  /** By model: how many tokens its provider has counted over what was estimated. */
  readonly underestimates: Readonly<Record<string, number>>;
  readonly erasure?: Erasure;
  readonly counters: {
    readonly inputs: number;
    readonly assistantMessages: number;
    readonly modelCalls: number;
    readonly toolCalls: number;
    readonly compactions: number;
  };
}

export const initialState: SessionState = frozen<SessionState>({
  revision: -1,
  sessionId: '',
  labels: {},
  tools: {},
  recoveryMode: 'auto',
  imported: false,
  ancestors: [],
  segments: [],
  hidden: [],
  facts: {},
  pendingInputs: [],
  unseenInputs: [],
  epoch: 0,
  ownerRevision: -1,
  stopped: false,
  calls: {},
  inheritedCalls: {},
  compactedSinceModelCall: false,
  underestimates: {},
  counters: { inputs: 0, assistantMessages: 0, modelCalls: 0, toolCalls: 0, compactions: 0 },
});

export function exists(state: SessionState): boolean {
  return state.revision >= 0;
}

const UNRESOLVED: ReadonlySet<CallStatus> = new Set<CallStatus>([
  'requested',
  'running',
  'unknown',
  'retryAuthorized',
  'awaitingHuman',
  'inherited',
  'compensating',
]);

export function isUnresolved(call: CallState): boolean {
  return UNRESOLVED.has(call.status);
}

/** It had an effect, its run has failed, and nobody has ordered yet to undo it. */
export function owesUndo({ undoOwed, status, compensationCallId }: CallState): boolean {
  const hadEffect = status === 'completed' || status === 'applied';
  return undoOwed === true && hadEffect && compensationCallId === undefined;
}

/** Something will still be done about it. */
export function isOpen(call: CallState): boolean {
  return isUnresolved(call) || owesUndo(call);
}

export function isImportedUnknown(call: CallState): boolean {
  return call.status === 'unknown' && call.unknownReason === 'imported';
}

/** Unresolved, and neither the origin of a fork nor the user of an imported log settles it. */
export function isOursToSettle(call: CallState): boolean {
  return isUnresolved(call) && call.status !== 'inherited' && !isImportedUnknown(call);
}

export function callsOf(state: SessionState): readonly CallState[] {
  return Object.values(state.calls);
}

/** Whom a call keeps its session waiting for, if anybody. */
export function waitsFor(
  call: CallState,
): { readonly who: string; readonly dueAt: string } | undefined {
  const { status, approval, escalation } = call;
  if (status === 'requested' && approval !== undefined && approval.decision === undefined) {
    return { who: approval.to, dueAt: approval.dueAt };
  }
  return isUnresolved(call) && escalation?.blocking === true
    ? { who: escalation.to, dueAt: escalation.dueAt }
    : undefined;
}

export const SESSION_STATUSES = [
  'idle',
  'owned',
  'scheduled',
  'waiting',
  'stopped',
  'erasing',
  'erased',
] as const;

export type SessionStatus = (typeof SESSION_STATUSES)[number];

/** Status as a reader sees it; always derived, never stored. */
export function statusOf(state: SessionState): SessionStatus {
  if (state.erasure) return state.erasure.completedAt === undefined ? 'erasing' : 'erased';
  if (state.run?.owned) return 'owned';
  if (state.run?.status === 'quarantined') return 'waiting';
  if (state.stopped) return 'stopped';
  const waiting = callsOf(state).some((call) => waitsFor(call) !== undefined);
  if (waiting) return 'waiting';
  if (state.run !== undefined) return state.recoveryMode === 'manual' ? 'waiting' : 'scheduled';
  if (state.pendingInputs.some((input) => input.resume)) return 'scheduled';
  const open = callsOf(state).filter((call) => isOpen(call) && !isImportedUnknown(call));
  if (open.length === 0) return 'idle';
  return open.every((call) => call.status === 'inherited') ? 'waiting' : 'scheduled';
}
