import { evolveCall } from './evolve-calls.js';
import { countCall, evolveCompaction, evolveModelCall, here } from './evolve-model-call.js';
import { evolveErasure } from './evolve-erasure.js';
import { evolveRun, isByOwner, settledProgress } from './evolve-run.js';
import type { EventOf, SessionEvent } from './events.js';
import { labelsAfter } from './labels.js';
import { showing } from './shown.js';
import type { CallState, SessionState } from './state.js';
import type { ToolManifest } from './tool-manifest.js';

/** Folds one event in. An event of an unknown type moves the revision and nothing else. */
export function evolve(before: SessionState, event: SessionEvent): SessionState {
  return change(atRevision(before, before.revision + 1, event), event);
}

/**
 * A copy in which every field stands, in one order. Copies by spread alone each get a shape of their
 * own, and V8 then copies property by property: folding took twice as long.
 */
function atRevision(
  state: SessionState,
  revision: number,
  event: SessionEvent,
): EveryField<SessionState> {
  return {
    revision,
    sessionId: state.sessionId,
    title: state.title,
    labels: state.labels,
    profile: state.profile,
    tools: state.tools,
    recoveryMode: state.recoveryMode,
    imported: state.imported,
    parent: state.parent,
    ancestors: state.ancestors,
    segments: state.segments,
    watermark: state.watermark,
    hidden: state.hidden,
    facts: state.facts,
    revert: state.revert,
    pendingInputs: state.pendingInputs,
    unseenInputs: state.unseenInputs,
    epoch: state.epoch,
    run: state.run,
    ownerRevision: isByOwner(event) ? revision : state.ownerRevision,
    lastRun: state.lastRun,
    setup: state.setup,
    user: state.user,
    stopped: state.stopped,
    modelCall: state.modelCall,
    calls: state.calls,
    inheritedCalls: state.inheritedCalls,
    compaction: state.compaction,
    compactedSinceModelCall: state.compactedSinceModelCall,
    usageAnchor: state.usageAnchor,
    underestimates: state.underestimates,
    erasure: state.erasure,
    counters: state.counters,
  };
}

/** Also those that may be missing: a new field of the state is not forgotten here. */
type EveryField<T> = { readonly [Field in keyof Required<T>]: T[Field] };

export function fold(state: SessionState, events: Iterable<SessionEvent>): SessionState {
  let folded = state;
  for (const event of events) folded = evolve(folded, event);
  return folded;
}

function change(state: SessionState, event: SessionEvent): SessionState {
  switch (event.type) {
    case 'SessionStarted':
      return sessionStarted(state, event.data);
    case 'Forked':
      return forked(state, event.data);
    case 'FactsRecorded':
      return factsRecorded(state, event.data);
    case 'SessionLabelled':
      return { ...state, labels: labelsAfter(state.labels, event.data) };
    case 'SessionResumed':
      return sessionResumed(state, event.data);
    case 'SessionErased':
    case 'ErasureCompleted':
      return evolveErasure(state, event);
    case 'Reverted':
      return reverted(state, event.data);
    case 'RevertCleared':
      return { ...showing(state, event.data), revert: undefined };
    case 'InputAccepted':
      return inputAccepted(state, event.data);
    case 'InputDelivered':
      return inputDelivered(state, event.data.inputId);
    case 'InputDeliveryChanged':
      return deliveryChanged(state, event.data);
    case 'InputWithdrawn':
      return inputGone(state, event.data.inputId);
    case 'RunClaimed':
    case 'RecoveryAttempted':
    case 'RunInterrupted':
    case 'SessionReleased':
    case 'StopRequested':
    case 'RunStopped':
    case 'RunCompleted':
    case 'RunFailed':
    case 'SessionQuarantined':
      return evolveRun(state, event);
    case 'ModelCallStarted':
    case 'AssistantMessageRecorded':
    case 'ModelCallSettled':
    case 'ModelUsageReported':
    case 'CallsRepriced':
      return evolveModelCall(state, event);
    case 'ToolCallRequested':
      return countCall(evolveCall(state, event));
    case 'ToolResultRecorded':
    case 'ToolLateResultReceived':
      return settledProgress(evolveCall(state, event));
    case 'ToolCallStarted':
    case 'ToolApprovalRequested':
    case 'ToolApprovalDecided':
    case 'ToolEffectLowered':
    case 'ToolCallProgressed':
    case 'ToolOutcomeUnknown':
    case 'ToolCallSkipped':
    case 'ToolProbeRecorded':
    case 'ToolRetryAuthorized':
    case 'ToolRetryExpired':
    case 'ToolEscalated':
    case 'ToolEscalationDecided':
    case 'ToolCompensationRequested':
    case 'ToolCompensationRecorded':
    case 'ToolOutcomeResolved':
    case 'ToolConflictDetected':
      return evolveCall(state, event);
    case 'InheritedOutcomeRecorded':
      return inheritedOutcome(evolveCall(state, event), event.data);
    case 'CompactionStarted':
    case 'Compacted':
    case 'CompactionFailed':
      return evolveCompaction(state, event);
    case 'ImportedRecordKept':
      return state;
    default:
      return unknownEvent(state, event);
  }
}

/** A newer version of Holdfast wrote it; what it needs others to know stands in known events. */
function unknownEvent(state: SessionState, _event: never): SessionState {
  return state;
}

function sessionStarted(
  state: SessionState,
  data: EventOf<'SessionStarted'>['data'],
): SessionState {
  return {
    ...state,
    sessionId: data.sessionId,
    title: data.title,
    labels: data.labels,
    profile: data.profile,
    tools: byName(data.tools),
    recoveryMode: data.recoveryMode,
    imported: data.origin !== undefined,
    parent: data.parent,
    ancestors: data.ancestors,
  };
}

function forked(state: SessionState, data: EventOf<'Forked'>['data']): SessionState {
  return {
    ...showing(state, data),
    sessionId: data.sessionId,
    title: data.title,
    labels: data.labels,
    profile: data.profile,
    tools: byName(data.tools),
    recoveryMode: data.recoveryMode,
    parent: { sessionId: data.parentId, edge: 'fork' },
    ancestors: data.ancestors,
    segments: data.segments,
    calls: Object.fromEntries(data.inherited.map((call) => [call.callId, inheritedCall(call)])),
    inheritedCalls: Object.fromEntries(
      data.inherited
        .filter(({ stateAtCut }) => stateAtCut !== 'requested')
        .map(({ callId, originSessionId }) => [callId, { originSessionId, originRevision: -1 }]),
    ),
  };
}

function inheritedOutcome(
  state: SessionState,
  { callId, originSessionId, originRevision }: EventOf<'InheritedOutcomeRecorded'>['data'],
): SessionState {
  const known = { originSessionId, originRevision };
  return { ...state, inheritedCalls: { ...state.inheritedCalls, [callId]: known } };
}

/** A fork never starts what was only requested at its cut; the rest stays with its origin. */

function inheritedCall(call: EventOf<'Forked'>['data']['inherited'][number]): CallState {
  return {
    callId: call.callId,
    modelCallId: '',
    messageId: '',
    ordinal: 0,
    tool: call.tool,
    effect: call.effect,
    maxFlightMs: 0,
    keyWindowMs: 0,
    notFoundIsFinalAfterMs: null,
    opKey: call.opKey,
    argsHash: call.argsHash,
    ...(call.stateAtCut === 'requested'
      ? { status: 'skipped' as const, skipReason: 'forkCut' as const }
      : { status: 'inherited' as const }),
    attempts: [],
    probes: 0,
    originSessionId: call.originSessionId,
  };
}

function byName(tools: readonly ToolManifest[]): Readonly<Record<string, ToolManifest>> {
  return Object.fromEntries(tools.map((tool) => [tool.name, tool]));
}

function factsRecorded(state: SessionState, data: EventOf<'FactsRecorded'>['data']): SessionState {
  const changed = data.facts.map(({ factId, version, retired }) => [
    factId,
    retired ? { factId, version, at: here(state), retired } : { factId, version, at: here(state) },
  ]);
  return { ...state, facts: { ...state.facts, ...Object.fromEntries(changed) } };
}

function sessionResumed(
  state: SessionState,
  data: EventOf<'SessionResumed'>['data'],
): SessionState {
  const run =
    data.cause === 'command' && state.run?.status === 'quarantined'
      ? {
          ...state.run,
          status: 'interrupted' as const,
          quarantine: undefined,
          recoveryAttempts: 0,
          recoveryTotal: 0,
          modelCalls: 0,
        }
      : state.run;
  return { ...state, run, stopped: false };
}

/** A revert behind a compaction undoes it: what it covered is shown again, message by message. */
function reverted(state: SessionState, data: EventOf<'Reverted'>['data']): SessionState {
  const revision = state.revert?.revision ?? state.revision;
  return { ...showing(state, data), revert: { revision, to: data.to } };
}

function inputAccepted(state: SessionState, data: EventOf<'InputAccepted'>['data']): SessionState {
  const { inputId, delivery, resume, author } = data;
  return {
    ...state,
    revert: undefined,
    pendingInputs: [
      ...state.pendingInputs,
      { inputId, delivery, resume, author, revision: state.revision },
    ],
    counters: { ...state.counters, inputs: state.counters.inputs + 1 },
  };
}

function inputDelivered(state: SessionState, inputId: string): SessionState {
  const unseenInputs = [...state.unseenInputs, { inputId, revision: state.revision }];
  return { ...inputGone(state, inputId), revert: undefined, unseenInputs };
}

function deliveryChanged(
  state: SessionState,
  { inputId, delivery }: EventOf<'InputDeliveryChanged'>['data'],
): SessionState {
  return {
    ...state,
    pendingInputs: state.pendingInputs.map((input) =>
      input.inputId === inputId ? { ...input, delivery } : input,
    ),
  };
}

function inputGone(state: SessionState, inputId: string): SessionState {
  return {
    ...state,
    pendingInputs: state.pendingInputs.filter((input) => input.inputId !== inputId),
  };
}
