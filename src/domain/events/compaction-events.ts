import type { Json } from '../content.js';
import type { StreamPosition } from './positions.js';

export type CompactionTrigger = 'auto' | 'manual' | 'imported';

export type OmissionKind =
  'amount' | 'path' | 'identifier' | 'url' | 'date' | 'version' | 'negatedConstraint';

/** A summary that only the provider and model can read that made it. */
export interface NativeSummary {
  readonly provider: string;
  /** Whose shape the blocks have, where the provider has several. */
  readonly api?: string;
  readonly model: string;
  readonly blocks: readonly Json[]; // *
}

/** Something the covered range says and neither the summary nor the facts do. */
export interface ListedOmission {
  readonly kind: OmissionKind;
  readonly text: string; // *
}

export type CompactionEvents =
  | {
      readonly type: 'CompactionStarted';
      readonly data: {
        readonly compactionId: string;
        readonly runId?: string;
        readonly epoch: number;
        readonly coveredFrom: StreamPosition;
        readonly coveredTo: StreamPosition;
        readonly keptFrom: StreamPosition;
        readonly trigger: CompactionTrigger;
        readonly tokensBefore?: number;
      };
    }
  | {
      readonly type: 'Compacted';
      readonly data: {
        readonly compactionId: string;
        readonly summary: string; // *
        readonly native?: NativeSummary;
        readonly coveredFrom: StreamPosition;
        readonly coveredTo: StreamPosition;
        readonly keptFrom: StreamPosition;
        readonly sourceHash?: string;
        readonly openCalls: readonly string[];
        readonly trigger: CompactionTrigger;
        readonly tokensBefore?: number;
        readonly tokensAfter?: number;
        readonly modelCallId?: string;
        /** What the omission check listed for this summary, most useful first. */
        readonly omissions?: readonly ListedOmission[];
        /** Omissions that were found and are not in the list. */
        readonly omissionsCut?: number;
      };
    }
  | {
      readonly type: 'CompactionFailed';
      readonly data: {
        readonly compactionId: string;
        readonly reason: 'interrupted' | 'stopped' | 'workerError' | 'freedTooLittle';
        readonly detail?: string; // *
      };
    };
