import type { FactKind } from './content.js';
import type { EventOf } from './events.js';
import type { Shown, StreamPosition } from './events/positions.js';
import type {
  AgentProfile,
  ErasureReason,
  ParentEdge,
  RecoveryMode,
} from './events/session-events.js';
import type { ToolManifest } from './tool-manifest.js';

/**
 * What can be asked of a session. The clock, ids, hashes and prices come in with the command; the
 * domain makes none of them.
 */
export interface Common {
  readonly commandId: string;
  /** The id is the request's Idempotency-Key, not an object's id: other content is an error. */
  readonly keyed?: boolean;
  readonly payloadHash?: string;
  /** ISO 8601, the server's clock. */
  readonly now: string;
}

/** What concerns the session as a whole, from its start on. */
export type SessionCommands =
  | (Common & {
      readonly type: 'StartSession';
      readonly sessionId: string;
      readonly title?: string;
      readonly labels: Readonly<Record<string, string>>;
      readonly profile: AgentProfile;
      readonly tools: readonly ToolManifest[];
      readonly recoveryMode: RecoveryMode;
      readonly parent?: {
        readonly sessionId: string;
        readonly edge: Exclude<ParentEdge, 'fork'>;
        readonly spawningCallId?: string;
        readonly detached?: boolean;
      };
      readonly ancestors: readonly string[];
    })
  | (Common & {
      readonly type: 'ForkSession';
      readonly forked: EventOf<'Forked'>['data'];
      /** What the origins have found out since the cut. */
      readonly outcomes?: readonly EventOf<'InheritedOutcomeRecorded'>['data'][];
    })
  | (Common & {
      readonly type: 'RecordInheritedOutcome';
      readonly callId: string;
      readonly outcome: EventOf<'InheritedOutcomeRecorded'>['data'];
    })
  | (Common & {
      readonly type: 'EraseSession';
      readonly erasureId: string;
      readonly reason: ErasureReason;
      readonly descendants: readonly string[];
      readonly keyIds: readonly string[];
      readonly acknowledgeUnknown: boolean;
    })
  | (Common & {
      readonly type: 'CompleteErasure';
      readonly artifacts: number;
      readonly keyBackupsExpireAt: string;
    })
  | (Common & {
      readonly type: 'RecordFacts';
      readonly facts: readonly {
        readonly factId: string;
        readonly kind: FactKind;
        readonly text: string;
        readonly retired?: boolean;
      }[];
    })
  | (Common & {
      readonly type: 'LabelSession';
      readonly set: Readonly<Record<string, string>>;
      readonly remove: readonly string[];
    })
  | (Common & { readonly type: 'ResumeSession'; readonly note?: string })
  | (Common & {
      readonly type: 'RevertSession';
      /** The last event that stays; it can lie in the inherited part of a fork. */
      readonly to: StreamPosition;
      /** What was shown there. */
      readonly then: Shown;
      /**
       * Inputs behind it that no model has read: `keep` lets those that wait go on waiting, `drop`
       * withdraws these and hides what was delivered already.
       */
      readonly unseenInputs: 'refuse' | 'keep' | 'drop';
    })
  | (Common & {
      readonly type: 'ClearRevert';
      /** What the session showed before the revert that is open; absent if none is. */
      readonly before?: { readonly revertedAt: number; readonly shown: Shown };
    });
