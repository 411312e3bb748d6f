import type { FactKind, InputBlock } from '../domain/content.js';
import type { NativeSummary } from '../domain/events/compaction-events.js';
import type { Segment, StreamPosition } from '../domain/events/positions.js';
import type { UsageAnchor } from '../domain/model-call-state.js';
import type { EffectClass } from '../domain/tool-manifest.js';
import type { HistoryRecord } from './history-record.js';

/**
 * Everything a model input is made of. `assembleSource` makes it from the session's state and a
 * window of its stream, `sourceFromRecords` from a whole stream prefix; both give equal sources.
 */
export interface ContextSource {
  readonly sessionId: string;
  /** Revision of the session's newest event. */
  readonly revision: number;
  /** From the watermark's `keptFrom` on (or from the start); a fork's ancestors stand first. */
  readonly records: readonly HistoryRecord[];
  /** Ranges that a revert took out of the conversation. */
  readonly hidden: readonly Segment[];
  /** Content of the inputs that `records` deliver: accepting may lie before the window. */
  readonly acceptedInputs: readonly AcceptedInput[];
  readonly summary?: Summary;
  /** Calls of the summarised part whose outcome nobody could find out. */
  readonly openCalls: readonly OpenCall[];
  /** Calls from before the window of which its events speak: their later outcomes are told. */
  readonly earlierCalls: readonly OpenCall[];
  /** Current words; retired facts are left out. */
  readonly facts: readonly CurrentFact[];
  /** The facts as they stood when the running prefix period began; `facts` if none runs. */
  readonly prefixFacts: readonly CurrentFact[];
  /** Pending inputs that the next model call of an owned run will deliver, in order. */
  readonly deliverNext: readonly PendingDelivery[];
  readonly usageAnchor?: UsageAnchor;
  /** By model: what its provider has counted over the estimates. */
  readonly underestimates?: Readonly<Record<string, number>>;
  /** Content of artifacts that may be sent, by hash; others are named in the text. */
  readonly artifacts?: ReadonlyMap<string, ResolvedArtifact>;
  /** Artifacts of which only a preview can be shown: they are gone, or more than a context reads. */
  readonly unreadArtifacts?: readonly string[];
}

export interface AcceptedInput {
  /** An input id is unique in its session only. */
  readonly sessionId: string;
  readonly inputId: string;
  readonly content: readonly InputBlock[];
}

export interface PendingDelivery {
  readonly inputId: string;
  readonly content: readonly InputBlock[];
}

export interface Summary {
  readonly compactionId: string;
  readonly text: string;
  /** The provider's own, for the model that made it. */
  readonly native?: NativeSummary;
  /** The `Compacted` event. */
  readonly at: StreamPosition;
  readonly keptFrom: StreamPosition;
}

export interface OpenCall {
  /** The session that made it; of a fork it can be an ancestor. */
  readonly sessionId: string;
  readonly callId: string;
  readonly tool: string;
  readonly effect: EffectClass;
  readonly opKey: string;
}

export interface CurrentFact {
  readonly factId: string;
  readonly kind: FactKind;
  readonly version: number;
  readonly text: string;
}

export type ResolvedArtifact = { readonly base64: string } | { readonly url: string };

/** What of the log did not get into the conversation. */
export interface LeftOut {
  readonly kind:
    | 'unreadable_record'
    | 'hidden'
    | 'orphan_result'
    | 'input_without_content'
    | 'other_purpose'
    | 'partial_message'
    | 'incomplete_call'
    | 'unfinished_block'
    | 'late_part'
    | 'provider_block'
    | 'blank_message'
    | 'media'
    | 'artifact';
  /** One sentence for the audit view. */
  readonly reason: string;
  readonly at?: StreamPosition;
  readonly callId?: string;
  readonly messageId?: string;
  readonly inputId?: string;
}
