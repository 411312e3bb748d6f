import { evolve } from './evolve.js';
import type { EventOf, SessionEvent } from './events.js';
import type { Segment } from './events/positions.js';
import { shownBy } from './shown.js';
import { type CallState, type SessionState, callsOf, initialState, isUnresolved } from './state.js';
import { own } from './own.js';

type Forked = EventOf<'Forked'>['data'];

/** What the maker of a fork says of it; the rest is its parent's. */
export interface NewFork {
  readonly forkId: string;
  readonly title?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly recoveryMode: Forked['recoveryMode'];
}

/**
 * The first event of a fork of `parent`. `atCut` is the state of the session whose stream the cut
 * lies in: the parent, or one of its ancestors.
 */
export function forkedFrom(
  parent: SessionState,
  atCut: SessionState,
  fork: NewFork,
  now: string,
): Forked {
  const { sessionId, revision } = atCut;
  const last: Segment = { sessionId, from: 0, to: revision };
  return {
    sessionId: fork.forkId,
    title: fork.title ?? parent.title,
    labels: fork.labels ?? parent.labels,
    parentId: parent.sessionId,
    parentVersion: parent.revision,
    cut: { sessionId, revision },
    segments: [...atCut.segments, last],
    ancestors: [parent.sessionId, ...parent.ancestors],
    profile: atCut.profile ?? { name: 'agent', version: '0' },
    tools: Object.values(atCut.tools),
    recoveryMode: fork.recoveryMode,
    ...shownBy(atCut),
    inherited: unresolvedIn(atCut).map((call) => inheritedCall(call, sessionId)),
    startedAt: now,
  };
}

export function unresolvedIn(atCut: SessionState): readonly CallState[] {
  return callsOf(atCut).filter((call) => isUnresolved(call) && call.compensates === undefined);
}

/** Its origin goes on to settle it; the fork only shows what is known. */
function inheritedCall(call: CallState, owner: string): Forked['inherited'][number] {
  return {
    callId: call.callId,
    originSessionId: call.originSessionId ?? owner,
    opKey: call.opKey,
    tool: call.tool,
    argsHash: call.argsHash,
    effect: call.effect,
    stateAtCut: call.status,
  };
}

/** A call that was open at the cut, as the fork shows it; `since` are the fork's own events of it. */
export function callOfFork(
  atCut: CallState,
  { stateAtCut, originSessionId }: Forked['inherited'][number],
  since: readonly SessionEvent[],
): CallState {
  const status = stateAtCut === 'requested' ? 'skipped' : 'inherited';
  const skipReason = stateAtCut === 'requested' ? 'forkCut' : undefined;
  const { escalation: _asked, retry: _retry, approval: _approval, ...made } = atCut;
  const call: CallState = { ...made, status, skipReason, originSessionId };
  const { callId } = call;
  const { calls } = since.reduce(evolve, { ...initialState, calls: { [callId]: call } });
  return own(calls, callId) ?? call;
}
