import type { CallReservation } from '../budget/reservation.js';
import type { ArtifactLink, AssistantBlock } from '../content.js';
import type { Cost } from '../money.js';
import type { Usage } from '../usage.js';

export type ModelCallPurpose = 'turn' | 'compaction' | 'title' | 'eval' | 'advisor' | 'other';
export type ModelCallOutcome =
  'completed' | 'interrupted' | 'notSent' | 'providerError' | 'stopped';

/** What names a provider request, and what its price depends on beside its usage. */
export type CallCircumstances = {
  readonly modelCallId: string;
  readonly purpose: ModelCallPurpose;
  readonly runId?: string;
  /** Names the provider request tenant-wide: two sessions that hold it share one cost. */
  readonly callKey: string;
  readonly provider?: string;
  readonly responseId?: string;
  readonly requestedModel?: string;
  readonly requestedTier?: string;
  readonly responseModel?: string;
  readonly servedTier?: string;
  readonly speed?: string;
  readonly region?: string;
  readonly startedAt?: string;
  /** What it held of its budgets. */
  readonly reservation?: CallReservation;
};

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
        /** How long its answer may take, if its owner said so. */
        readonly timeoutMs?: number;
        /** Tokens of the prompt, as its sender has estimated them. */
        readonly estimatedTokens?: number;
        readonly reservation?: CallReservation;
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
        /** JSON of all blocks, where `blocks` are only their beginnings. */
        readonly artifact?: ArtifactLink;
      };
    }
  | {
      readonly type: 'ModelCallSettled';
      readonly data: CallCircumstances & {
        readonly outcome: ModelCallOutcome;
        readonly providerReached: 'no' | 'maybe' | 'yes';
        readonly endedAt: string;
        readonly usage?: Usage;
        readonly cost?: Cost;
        readonly error?: string; // *
      };
    }
  /** Usage that came after the call was settled without a final one: it takes that one's place. */
  | {
      readonly type: 'ModelUsageReported';
      readonly data: CallCircumstances & {
        /** The key before the provider's request id was known. */
        readonly formerCallKey?: string;
        readonly usage: Usage;
        readonly cost: Cost;
        readonly reporter: string;
        readonly reportedAt: string;
      };
    }
  /** Other prices for calls that are recorded; what they were recorded with stays in the log. */
  | {
      readonly type: 'CallsRepriced';
      readonly data: {
        readonly repricingId: string;
        readonly reason: string;
        readonly actor: string;
        readonly repricedAt: string;
        readonly calls: readonly RepricedCall[];
      };
    };

export interface RepricedCall {
  readonly modelCallId: string;
  readonly callKey: string;
  /** What the call cost until now: the amount, and the card that it was from. */
  readonly before: Pick<Cost, 'amountPico' | 'currency' | 'source' | 'cardId' | 'cardVersion'>;
  readonly cost: Cost;
}
