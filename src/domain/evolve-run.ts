import type { EventOf, SessionEvent } from './events.js';
import type { EndedRun, RunState } from './run-state.js';
import type { CallState, SessionState } from './state.js';

type RunEvent = Extract<
  SessionEvent,
  {
    type:
      | 'RunClaimed'
      | 'RecoveryAttempted'
      | 'RunInterrupted'
      | 'SessionReleased'
      | 'StopRequested'
      | 'RunStopped'
      | 'RunCompleted'
      | 'RunFailed'
      | 'SessionQuarantined';
  }
>;

const BY_OWNER: ReadonlySet<SessionEvent['type']> = new Set<SessionEvent['type']>([
  'RunClaimed',
  'InputDelivered',
  'ModelCallStarted',
  'AssistantMessageRecorded',
  'ModelCallSettled',
  'ToolCallRequested',
  'ToolCallStarted',
  'ToolCallProgressed',
  'ToolResultRecorded',
  'ToolCallSkipped',
  'CompactionStarted',
  'Compacted',
  'CompactionFailed',
]);

/** An owner moves its run with it; what others find out meanwhile is none of these. */
export function isByOwner(event: SessionEvent): boolean {
  if (event.type !== 'ToolOutcomeUnknown') return BY_OWNER.has(event.type);
  return event.data.reason === 'transport' || event.data.reason === 'stoppedInFlight';
}

/** How a run begins, changes hands and ends. */
export function evolveRun(state: SessionState, event: RunEvent): SessionState {
  switch (event.type) {
    case 'RunClaimed':
      return {
        ...state,
        epoch: event.data.epoch,
        run: claimed(state.run, event.data),
        ...(event.data.setup === undefined ? {} : { setup: event.data.setup }),
        user: userOf(state, event.data.inputIds) ?? state.user,
      };
    case 'RecoveryAttempted':
      return changeRun(state, event.data.runId, (run) => ({
        ...run,
        recoveryAttempts: event.data.attempt,
        recoveryTotal: event.data.total,
        refundOpen: true,
      }));
    case 'RunInterrupted':
    case 'SessionReleased':
      return changeRun(state, event.data.runId, (run) => ({
        ...run,
        status: 'interrupted',
        owned: false,
        refundOpen: false,
        interruption: event.data.reason,
      }));
    case 'StopRequested':
      return stopRequested(state, event.data);
    case 'RunStopped':
      return { ...ended(state, event.data.runId, 'stopped'), stopped: true };
    case 'RunCompleted':
      return ended(state, event.data.runId, 'completed');
    case 'RunFailed':
      return ended(withUndoOwed(state, event.data.runId), event.data.runId, 'failed');
    case 'SessionQuarantined':
      return {
        ...state,
        run: state.run && {
          ...state.run,
          status: 'quarantined',
          owned: false,
          quarantine: event.data.budget,
        },
      };
  }
}

/**
 * A tool result, a finished model message or a compaction: the running recovery attempt has earned
 * its charge back, once (reconciliation protocol, §13.2).
 */
export function settledProgress(state: SessionState): SessionState {
  const run = state.run;
  if (!run?.refundOpen) return state;
  return {
    ...state,
    run: { ...run, refundOpen: false, recoveryAttempts: Math.max(0, run.recoveryAttempts - 1) },
  };
}

function userOf({ pendingInputs }: SessionState, inputIds: readonly string[]): string | undefined {
  return pendingInputs.find(({ inputId }) => inputId === inputIds[0])?.author;
}

function claimed(before: RunState | undefined, data: EventOf<'RunClaimed'>['data']): RunState {
  const sameRun = before?.runId === data.runId ? before : undefined;
  return {
    runId: data.runId,
    kind: data.kind,
    status: 'active',
    epoch: data.epoch,
    owned: true,
    workerId: data.workerId,
    claimTokenHash: data.claimTokenHash,
    ...(data.setup === undefined ? {} : { setup: data.setup }),
    modelCalls: sameRun?.modelCalls ?? 0,
    recoveryAttempts: sameRun?.recoveryAttempts ?? 0,
    recoveryTotal: sameRun?.recoveryTotal ?? 0,
    refundOpen: false,
  };
}

function stopRequested(state: SessionState, data: EventOf<'StopRequested'>['data']): SessionState {
  const stopping = changeRun(state, data.runId, (run) => ({
    ...run,
    status: 'stopping',
    stopRequestedAt: data.requestedAt,
  }));
  return data.dropPendingInputs ? { ...stopping, pendingInputs: [] } : stopping;
}

function ended(state: SessionState, runId: string, outcome: EndedRun['outcome']): SessionState {
  return { ...state, run: undefined, lastRun: { runId, outcome } };
}

/** What the failed run has done, or may turn out to have done, where the tool's author wants that. */
function withUndoOwed(state: SessionState, runId: string): SessionState {
  const owed = (call: CallState): CallState =>
    call.undoWhenRunFails === true && call.runId === runId ? { ...call, undoOwed: true } : call;
  const calls = Object.entries(state.calls).map(([callId, call]) => [callId, owed(call)]);
  return { ...state, calls: Object.fromEntries(calls) as SessionState['calls'] };
}

function changeRun(
  state: SessionState,
  runId: string,
  change: (run: RunState) => RunState,
): SessionState {
  if (state.run?.runId !== runId) return state;
  return { ...state, run: change(state.run) };
}
