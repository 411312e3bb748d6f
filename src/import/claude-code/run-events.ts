import type { SessionEvent } from '../../domain/events.js';
import type { RunKind } from '../../domain/run-state.js';
import { callsOf } from '../../domain/state.js';
import { derivedId } from '../../identity/derived-ids.js';
import { IMPORTED_EPOCH } from '../imported-epoch.js';
import type { KnownSession } from '../known-session.js';

export interface OpenedRun {
  readonly runId: string;
  readonly events: readonly SessionEvent[];
}

/** The run that goes on at this record: the open one, the last one taken up again, or a new one. */
export function goOnRun(known: KnownSession, recordKey: string): OpenedRun {
  const { run, lastRun, stopped } = known.state;
  if (run?.owned) return { runId: run.runId, events: [] };
  const resumed = stopped ? [resumedByInput()] : [];
  const earlier = run?.runId ?? lastRun?.runId;
  if (earlier !== undefined) {
    return {
      runId: earlier,
      events: [...resumed, claimed(earlier, 'resume', run?.kind ?? 'agent', [])],
    };
  }
  const runId = newRunId(known, recordKey);
  return { runId, events: [...resumed, claimed(runId, 'start', 'agent', [])] };
}

export interface CompactionRun extends OpenedRun {
  /** Follows the compaction: a run of its own ends with it. */
  readonly end: readonly SessionEvent[];
}

/** A compaction is part of the run that is open; between two runs it is one of its own. */
export function runOfCompaction(known: KnownSession, recordKey: string): CompactionRun {
  const { run } = known.state;
  if (run !== undefined) {
    const taken = run.owned ? [] : [claimed(run.runId, 'resume', run.kind, [])];
    return { runId: run.runId, events: taken, end: [] };
  }
  const runId = newRunId(known, recordKey);
  return { runId, events: [claimed(runId, 'start', 'compaction', [])], end: [completed(runId)] };
}

/** In the middle of its work: what is typed now joins the run. */
export function isMidRun(known: KnownSession): boolean {
  return known.state.run !== undefined && !known.endsWithAnswer;
}

/** A typed input joins a run that is in the middle of its work; else it begins one. */
export function runOfInput(known: KnownSession, recordKey: string, inputId: string): OpenedRun {
  const { run, stopped } = known.state;
  const resumed = stopped ? [resumedByInput()] : [];
  if (run !== undefined && isMidRun(known)) {
    const taken = run.owned ? [] : [claimed(run.runId, 'resume', 'agent', [inputId])];
    return { runId: run.runId, events: [...resumed, ...taken] };
  }
  const runId = newRunId(known, recordKey);
  const ended = run === undefined ? [] : endOfAnsweredRun(known);
  return { runId, events: [...resumed, ...ended, claimed(runId, 'start', 'agent', [inputId])] };
}

/** The run came to its end: the last word was an answer without calls. */
function endOfAnsweredRun(known: KnownSession): readonly SessionEvent[] {
  const run = known.state.run!;
  const again = run.owned ? [] : [claimed(run.runId, 'resume', 'agent', [])];
  return [...again, ...unknownCalls(known), completed(run.runId)];
}

/** How a log leaves its last run, at the end of the file. */
export function runAtEnd(known: KnownSession): readonly SessionEvent[] {
  const run = known.state.run;
  if (!run?.owned) return [];
  if (known.endsWithAnswer || run.kind === 'compaction') return [completed(run.runId)];
  return [
    {
      type: 'RunInterrupted',
      data: { runId: run.runId, epoch: IMPORTED_EPOCH, reason: 'imported' },
    },
  ];
}

/**
 * The user stopped the run. A run that an earlier, shorter import had ended is taken up first. Empty
 * when there is nothing to stop.
 */
export function stoppedByUser(known: KnownSession, requestedAt: string): readonly SessionEvent[] {
  const { run, lastRun } = known.state;
  const endedEarlier = run === undefined && lastRun?.outcome === 'completed';
  const runId = run?.runId ?? (endedEarlier ? lastRun.runId : undefined);
  if (runId === undefined) return [];
  return [
    ...(endedEarlier ? [claimed(runId, 'resume', 'agent', [])] : []),
    ...unknownCalls(known),
    ...neverStarted(known),
    { type: 'StopRequested', data: { runId, requestedAt, dropPendingInputs: false } },
    { type: 'RunStopped', data: { runId, by: 'import' } },
  ];
}

/** Calls that were started and have no result: their outcome is unknown, never failed. */
export function unknownCalls(
  known: KnownSession,
  isAnsweredLater: (providerId: string) => boolean = () => false,
): readonly SessionEvent[] {
  const running = callsOf(known.state).filter((call) => call.status === 'running');
  return running
    .filter((call) => !isAnsweredLater(call.providerCallId ?? call.callId))
    .map((call) => ({
      type: 'ToolOutcomeUnknown',
      data: { callId: call.callId, attempt: call.attempts.length, reason: 'imported' },
    }));
}

function neverStarted(known: KnownSession): readonly SessionEvent[] {
  return callsOf(known.state)
    .filter((call) => call.status === 'requested')
    .map((call) => ({
      type: 'ToolCallSkipped',
      data: { callId: call.callId, reason: 'stopped' },
    }));
}

function completed(runId: string): SessionEvent {
  return { type: 'RunCompleted', data: { runId, epoch: IMPORTED_EPOCH } };
}

function claimed(
  runId: string,
  reason: 'start' | 'resume',
  kind: RunKind,
  inputIds: readonly string[],
): SessionEvent {
  return {
    type: 'RunClaimed',
    data: {
      runId,
      epoch: IMPORTED_EPOCH,
      claimTokenHash: '',
      workerId: 'import',
      kind,
      reason,
      inputIds,
      leaseTtlMs: 0,
    },
  };
}

function resumedByInput(): SessionEvent {
  return { type: 'SessionResumed', data: { cause: 'input', clears: 'stop' } };
}

function newRunId(known: KnownSession, recordKey: string): string {
  return derivedId('imported-run', known.state.sessionId, recordKey);
}
