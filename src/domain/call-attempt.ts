import type { ResultScope, ResultStatus, RetryBasis } from './events/tool-events.js';

/** One permitted try of a tool call. Times are ISO 8601. */
export interface CallAttempt {
  readonly attempt: number;
  readonly epoch: number;
  readonly startedAt: string;
  readonly dispatchBy: string;
  readonly deadline: string;
  readonly basis: 'first' | RetryBasis;
  /** Made without a permit and reported late; its times are not known. */
  readonly undeclared?: true;
  readonly result?: {
    readonly status: ResultStatus;
    readonly scope?: ResultScope;
    readonly hash: string;
    readonly revision: number;
    readonly late: boolean;
  };
}
