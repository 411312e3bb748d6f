import type { CompactionEvents } from './events/compaction-events.js';
import type { InputEvents } from './events/input-events.js';
import type { ModelEvents } from './events/model-events.js';
import type { RunEvents } from './events/run-events.js';
import type { AuditEvents, ErasureEvents, SessionEvents } from './events/session-events.js';
import type { ToolEvents } from './events/tool-events.js';
import type { Redaction } from './redaction/redaction-policy.js';

/**
 * Every fact of a session, by its stored name. Fields that hold content (what people, models and
 * tools said) are marked `*`. Times are ISO 8601 in UTC; order is the revision, never a time.
 */
export type SessionEvent =
  | SessionEvents
  | InputEvents
  | RunEvents
  | ModelEvents
  | ToolEvents
  | CompactionEvents
  | ErasureEvents
  | AuditEvents;

export type SessionEventType = SessionEvent['type'];
export type EventOf<T extends SessionEventType> = Extract<SessionEvent, { type: T }>;

/** An event at its place in the log, as readers get it. */
export interface SessionEventRecord {
  readonly sessionId: string;
  readonly revision: number;
  readonly position: bigint;
  readonly eventId: string;
  readonly recordedAt: string;
  readonly metadata: EventMetadata;
  readonly event: SessionEvent;
}

export interface EventMetadata {
  readonly tenantId: string;
  readonly actor: string;
  readonly commandType: string;
  readonly commandId: string;
  /** Keyed hash of the command's payload, on the first event of a command only. */
  readonly payloadHash?: string;
  /** How many events the command made, on its first one only: the receipt's length. */
  readonly commandEvents?: number;
  /**
   * A version that does not know the event's type must not go on without it: the session is then in
   * quarantine (reconciliation protocol, §13.3). Other unknown events are passed over.
   */
  readonly required?: true;
  readonly correlationId?: string;
  readonly causationId?: string;
  /** Secrets that were masked in the event, or noted, before it was appended. */
  readonly redactions?: readonly Redaction[];
  /** How many more there were. */
  readonly redactionsCut?: number;
  /** Of imported events: which record of which file this came from. */
  readonly source?: {
    readonly record: string;
    readonly inherited?: boolean;
    /** It was an event of another session of Holdfast: who did there what, and when. */
    readonly recorded?: {
      readonly actor: string;
      readonly commandType: string;
      readonly commandId: string;
      /** ISO 8601. */
      readonly at: string;
    };
  };
}
