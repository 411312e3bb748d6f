import type { ArtifactLink, FactKind, Json } from '../content.js';
import type { EffectClass, ToolManifest } from '../tool-manifest.js';
import type { Segment, Shown, StreamPosition } from './positions.js';

export interface AgentProfile {
  readonly name: string;
  readonly version: string;
  readonly provider?: string;
  readonly model?: string;
  readonly settings?: Json;
}

export interface ImportOrigin {
  readonly format: string;
  readonly formatVersion?: string;
  readonly nativeId: string;
  readonly fileHash?: string;
}

export type RecoveryMode = 'auto' | 'manual';

/** What a run may use up before somebody has to look at it (protocol, §13.2). */
export const QUARANTINE_BUDGETS = [
  'recoveryAttempts',
  'recoveryTotal',
  'noProgress',
  'modelCalls',
  'cost',
] as const;
export type QuarantineBudget = (typeof QUARANTINE_BUDGETS)[number];

export type ParentEdge = 'subagent' | 'continuation' | 'fork';

/** The session that this one hangs under. */
export interface Parent {
  readonly sessionId: string;
  readonly edge: ParentEdge;
  readonly spawningCallId?: string;
  /** It goes on when the run that started it is stopped. */
  readonly detached?: boolean;
}

export type SessionEvents =
  | {
      readonly type: 'SessionStarted';
      readonly data: {
        readonly sessionId: string;
        readonly title?: string; // *
        readonly labels: Readonly<Record<string, string>>;
        readonly profile: AgentProfile;
        readonly tools: readonly ToolManifest[];
        readonly recoveryMode: RecoveryMode;
        readonly parent?: Parent;
        readonly ancestors: readonly string[];
        readonly origin?: ImportOrigin;
        readonly startedAt: string;
      };
    }
  | {
      readonly type: 'Forked';
      readonly data: Shown & {
        readonly sessionId: string;
        readonly title?: string; // *
        readonly labels: Readonly<Record<string, string>>;
        readonly parentId: string;
        /** The parent's revision when the fork was made. */
        readonly parentVersion: number;
        /** The last inherited event; it may lie in a segment that the parent itself inherited. */
        readonly cut: StreamPosition;
        readonly segments: readonly Segment[];
        readonly ancestors: readonly string[];
        readonly profile: AgentProfile;
        readonly tools: readonly ToolManifest[];
        readonly recoveryMode: RecoveryMode;
        /** Calls without a final outcome at the cut; only their origin settles them. */
        readonly inherited: readonly {
          readonly callId: string;
          readonly originSessionId: string;
          readonly opKey: string;
          readonly tool: string;
          readonly argsHash: string;
          readonly effect: EffectClass;
          readonly stateAtCut: string;
        }[];
        readonly startedAt: string;
      };
    }
  | {
      readonly type: 'FactsRecorded';
      readonly data: {
        readonly facts: readonly {
          readonly factId: string;
          readonly version: number;
          readonly kind: FactKind;
          readonly text: string; // *
          readonly retired?: boolean;
        }[];
      };
    }
  | {
      /** Labels are declared non-personal: they say what a session is for, never who or what said. */
      readonly type: 'SessionLabelled';
      readonly data: {
        readonly set: Readonly<Record<string, string>>;
        readonly removed: readonly string[];
      };
    }
  | {
      readonly type: 'SessionResumed';
      readonly data: {
        readonly cause: 'command' | 'input';
        readonly clears: 'stop' | 'quarantine';
        readonly note?: string; // *
      };
    }
  | {
      readonly type: 'SessionQuarantined';
      readonly data: {
        readonly runId?: string;
        readonly budget: QuarantineBudget;
        readonly counters: Readonly<Record<string, number>>;
        readonly notify: string;
      };
    }
  | {
      readonly type: 'Reverted';
      /** The session shows what it showed at `to`; nothing leaves the log. */
      readonly data: Shown & { readonly to: StreamPosition };
    }
  | {
      readonly type: 'RevertCleared';
      /** The session shows again what it showed before `revertedAt`, its own revision. */
      readonly data: Shown & { readonly revertedAt: number };
    };

export type ErasureReason = 'dataSubject' | 'retention' | 'other';

export type ErasureEvents =
  /** From here on nothing of its content is read again; destroying it follows. */
  | {
      readonly type: 'SessionErased';
      readonly data: {
        readonly erasureId: string;
        readonly reason: ErasureReason;
        /** Sessions that are erased with it: its forks and children, the nearest ones first. */
        readonly descendants: readonly string[];
        /** Ids of the keys that are destroyed. */
        readonly keyIds: readonly string[];
        readonly erasedAt: string;
      };
    }
  /** Keys, artifacts and what read models held of it are gone. */
  | {
      readonly type: 'ErasureCompleted';
      readonly data: {
        readonly erasureId: string;
        /** How many artifacts were deleted. */
        readonly artifacts: number;
        /** When the last backup of its key has to be gone. */
        readonly keyBackupsExpireAt: string;
        readonly completedAt: string;
      };
    };

export type AuditEvents =
  /** A record of an imported log that is no part of the conversation (system text, reminders). */
  {
    readonly type: 'ImportedRecordKept';
    readonly data: {
      readonly kind: string;
      readonly count: number;
      readonly raw?: ArtifactLink;
      readonly excerpt?: string; // *
    };
  };
