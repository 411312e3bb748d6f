import { type SessionState, statusOf } from '../domain/state.js';

import { sameContent } from '../domain/tenant/same-content.js';

export interface ChangedField {
  readonly field: string;
  /** Absent when there was nothing. */
  readonly before?: unknown;
  readonly after?: unknown;
}

/** What people ask of a state; calls, facts and messages are compared by themselves. */
export function stateFields(state: SessionState): Readonly<Record<string, unknown>> {
  const { run, modelCall, compaction, watermark } = state;
  return {
    status: statusOf(state),
    title: state.title,
    labels: state.labels,
    profile: state.profile,
    recoveryMode: state.recoveryMode,
    epoch: state.epoch,
    run: run && {
      runId: run.runId,
      status: run.status,
      workerId: run.workerId,
      modelCalls: run.modelCalls,
      recoveryAttempts: run.recoveryAttempts,
    },
    lastRun: state.lastRun,
    stopped: state.stopped,
    pendingInputs: state.pendingInputs.map(({ inputId }) => inputId),
    openModelCall: modelCall?.modelCallId,
    openCompaction: compaction?.compactionId,
    summary: watermark?.compactionId,
    revert: state.revert,
    counters: state.counters,
  };
}

export function changedFields(before: SessionState, after: SessionState): readonly ChangedField[] {
  const earlier = stateFields(before);
  return Object.entries(stateFields(after)).flatMap(([field, value]) =>
    sameContent(earlier[field], value) ? [] : [{ field, before: earlier[field], after: value }],
  );
}
