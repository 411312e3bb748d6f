import type { CommandOf } from './commands.js';
import { fold } from './evolve.js';
import type { SessionEvent } from './events.js';
import { Rejection } from './rejection.js';
import { endOfRun, leftoversOf } from './settle.js';
import { type CallState, type SessionState, callsOf, isUnresolved } from './state.js';

/** What still happens to a session whose content is gone: facts without content. */
const AFTERWARDS: ReadonlySet<string> = new Set([
  'EraseSession',
  'CompleteErasure',
  'ReportLateResult',
  'ReportModelUsage',
  'RepriceCalls',
  'RecordInheritedOutcome',
] as const);

/** @throws Rejection `session_erased` */
export function refuseErased(command: { readonly type: string }, state: SessionState): void {
  if (state.erasure !== undefined && !AFTERWARDS.has(command.type)) throw sessionErased(state);
}

export function sessionErased({ sessionId, erasure }: SessionState): Rejection {
  return new Rejection('session_erased', `the content of session ${sessionId} was erased`, {
    sessionId,
    erasedAt: erasure?.erasedAt,
  });
}

/**
 * The run is stopped and settled; calls that nobody will ever know more of are given up. After it
 * the content may be destroyed at any time.
 */
export function eraseSession(
  command: CommandOf<'EraseSession'>,
  state: SessionState,
): readonly SessionEvent[] {
  if (state.erasure !== undefined) return [];
  refuseUnknown(state, command.acknowledgeUnknown);
  const settled = settlement(state, command.now);
  const abandoned = callsOf(fold(state, settled)).filter(isOpenHere).map(givenUp);
  const { erasureId, reason, descendants, keyIds, now } = command;
  return [
    ...settled,
    ...abandoned,
    {
      type: 'SessionErased',
      data: { erasureId, reason, descendants, keyIds, erasedAt: now },
    },
  ];
}

export function completeErasure(
  command: CommandOf<'CompleteErasure'>,
  state: SessionState,
): readonly SessionEvent[] {
  if (state.erasure === undefined || state.erasure.completedAt !== undefined) return [];
  const { erasureId } = state.erasure;
  const { artifacts, keyBackupsExpireAt, now } = command;
  return [
    {
      type: 'ErasureCompleted',
      data: { erasureId, artifacts, keyBackupsExpireAt, completedAt: now },
    },
  ];
}

/** @throws Rejection `unknown_outcomes`: what is known of them cannot be read afterwards. */
export function refuseUnknown(state: SessionState, acknowledged: boolean): void {
  const open = callsOf(state).filter(isUnresolved);
  if (acknowledged || open.length === 0) return;
  throw new Rejection(
    'unknown_outcomes',
    'tool calls have no outcome yet, and the evidence would be erased: wait, or acknowledge it',
    {
      sessionId: state.sessionId,
      calls: open.map(({ callId, tool, status }) => ({ callId, tool, state: status })),
    },
  );
}

function settlement(state: SessionState, now: string): readonly SessionEvent[] {
  const { run } = state;
  if (run === undefined) return leftoversOf(state, 'stoppedInFlight', now);
  const requested: SessionEvent = {
    type: 'StopRequested',
    data: { runId: run.runId, requestedAt: now, dropPendingInputs: true },
  };
  return [
    ...(run.status === 'stopping' ? [] : [requested]),
    ...endOfRun(state, run, 'stopped', now),
    { type: 'RunStopped', data: { runId: run.runId, by: 'reconciler' } },
  ];
}

function isOpenHere(call: CallState): boolean {
  return isUnresolved(call) && call.status !== 'inherited';
}

function givenUp({ callId, status }: CallState): SessionEvent {
  return status === 'requested'
    ? { type: 'ToolCallSkipped', data: { callId, reason: 'stopped' } }
    : { type: 'ToolOutcomeResolved', data: { callId, verdict: 'abandoned', basis: 'human' } };
}
