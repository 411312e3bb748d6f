import type { AssistantBlock } from '../content.js';
import type { Cost } from '../money.js';
import type { Usage } from '../usage.js';

export type ModelCallPurpose = 'turn' | 'compaction' | 'title' | 'eval' | 'advisor' | 'other';
export type ModelCallOutcome =
  'completed' | 'interrupted' | 'notSent' | 'providerError' | 'stopped';

export type ModelEvents =
  | {
      readonly type: 'ModelCallStarted';
      readonly data: {
        readonly modelCallId: string;
        readonly messageId: string;
        readonly runId: string;
        readonly epoch: number;
        readonly purpose: ModelCallPurpose;
        /** Up to which revision of this session the model has seen the log. */
        readonly inputRevision: number;
        readonly contextId?: string;
        readonly provider?: string;
        readonly requestedModel?: string;
        readonly requestedTier?: string;
        readonly startedAt: string;
      };
    }
  | {
      readonly type: 'AssistantMessageRecorded';
      readonly data: {
        readonly modelCallId: string;
        readonly messageId: string;
        readonly part: number;
        /** False while more parts of this message may follow. */
        readonly final: boolean;
        readonly provider?: string;
        readonly api?: string;
        readonly model?: string;
        readonly blocks: readonly AssistantBlock[]; // *
      };
    }
  | {
      readonly type: 'ModelCallSettled';
      readonly data: {
        readonly modelCallId: string;
        readonly outcome: ModelCallOutcome;
        readonly providerReached: 'no' | 'maybe' | 'yes';
        readonly purpose: ModelCallPurpose;
        readonly runId?: string;
        /** Names the provider request tenant-wide: two sessions that hold it share one cost. */
        readonly callKey: string;
        readonly provider?: string;
        readonly responseId?: string;
        readonly requestedModel?: string;
        readonly responseModel?: string;
        readonly servedTier?: string;
        readonly startedAt?: string;
        readonly endedAt: string;
        readonly usage?: Usage;
        readonly cost?: Cost;
        readonly error?: string; // *
      };
    };
