import type { RunSetup, SetupDifference } from '../run-setup.js';

export type RunEvents =
  | {
      readonly type: 'RunClaimed';
      readonly data: {
        readonly runId: string;
        readonly epoch: number;
        readonly claimTokenHash: string;
        readonly workerId: string;
        readonly kind: 'agent' | 'compaction' | 'compensation';
        readonly reason: 'start' | 'resume' | 'takeover';
        readonly inputIds: readonly string[];
        readonly leaseTtlMs: number;
        /** Somebody ordered it although the owner before was alive. */
        readonly forced?: true;
        readonly setup?: RunSetup;
        /** From the last claim that said what its worker was. */
        readonly differences?: readonly SetupDifference[];
      };
    }
  | {
      readonly type: 'RecoveryAttempted';
      readonly data: {
        readonly runId: string;
        readonly epoch: number;
        readonly attempt: number;
        readonly total: number;
      };
    }
  | {
      readonly type: 'RunInterrupted';
      readonly data: {
        readonly runId: string;
        readonly epoch: number;
        readonly reason: 'shutdown' | 'imported';
      };
    }
  | {
      readonly type: 'SessionReleased';
      readonly data: {
        readonly runId: string;
        readonly epoch: number;
        readonly reason: 'waiting' | 'handover';
        readonly waitingFor?: string;
      };
    }
  | {
      readonly type: 'StopRequested';
      readonly data: {
        readonly runId: string;
        readonly requestedAt: string;
        readonly note?: string; // *
        readonly dropPendingInputs: boolean;
      };
    }
  | {
      readonly type: 'RunStopped';
      readonly data: { readonly runId: string; readonly by: 'owner' | 'reconciler' | 'import' };
    }
  | {
      readonly type: 'RunCompleted';
      readonly data: { readonly runId: string; readonly epoch: number };
    }
  | {
      readonly type: 'RunFailed';
      readonly data: {
        readonly runId: string;
        readonly epoch: number;
        readonly errorClass: string;
        readonly message: string; // *
      };
    };
