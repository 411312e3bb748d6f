import type { QuarantineBudget } from './events/session-events.js';
import type { RunSetup } from './run-setup.js';

export type RunStatus = 'active' | 'interrupted' | 'stopping' | 'quarantined';

/** `compensation`: makes the calls that a person ordered to undo others, and asks no model. */
export type RunKind = 'agent' | 'compaction' | 'compensation';

export interface RunState {
  readonly runId: string;
  readonly kind: RunKind;
  readonly status: RunStatus;
  readonly epoch: number;
  /** An epoch is open: somebody owns the session, alive or not. */
  readonly owned: boolean;
  readonly workerId: string;
  readonly claimTokenHash: string;
  readonly setup?: RunSetup;
  readonly modelCalls: number;
  /** Charged recovery claims; an attempt that reaches settled progress gets its charge back. */
  readonly recoveryAttempts: number;
  readonly recoveryTotal: number;
  readonly refundOpen: boolean;
  readonly stopRequestedAt?: string;
  /** Of a quarantined run: what it used up. */
  readonly quarantine?: QuarantineBudget;
  readonly interruption?: 'shutdown' | 'imported' | 'waiting' | 'handover';
}

export interface EndedRun {
  readonly runId: string;
  readonly outcome: 'completed' | 'failed' | 'stopped';
}
