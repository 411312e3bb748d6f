import type { Json } from '../domain/content.js';
import { evolveCall } from '../domain/evolve-calls.js';
import type { EventOf } from '../domain/events.js';
import type { ToolEvents, ToolResult } from '../domain/events/tool-events.js';
import { type CallState, type CallStatus, initialState } from '../domain/state.js';
import { isObject } from './history-record.js';
import { own } from '../domain/own.js';

/** A call as the domain sees it, and what is needed to show it. */
export interface CallView {
  readonly sessionId: string;
  readonly state: CallState;
  readonly args?: Json;
  readonly argsText?: string;
  /** Something happened after the request: the call counts as started. */
  readonly started: boolean;
  readonly answer?: ToolResult;
  readonly refusal?: ToolResult;
  readonly twinOf?: string;
  readonly evidence: Evidence;
  readonly conflicts: number;
  /** The request lies before the window, and what came before it is not known here. */
  readonly isSummarised?: boolean;
}

/** What a probe or a person found; no times and no addresses, which would not be stable. */
export interface Evidence {
  readonly statusCode?: number;
  readonly excerpt?: string;
  readonly reference?: string;
  readonly person?: boolean;
  readonly note?: string;
}

export function requestedView(sessionId: string, event: EventOf<'ToolCallRequested'>): CallView {
  const { callId, args, argsText } = event.data;
  const { calls } = evolveCall({ ...initialState, sessionId }, event);
  const state = own(calls, callId)!;
  return { sessionId, state, args, argsText, started: false, evidence: {}, conflicts: 0 };
}

/** A call whose request lies in the summarised part of the session. */
export function summarisedView(
  {
    sessionId,
    ...known
  }: Pick<CallState, 'callId' | 'tool' | 'effect' | 'opKey'> & {
    readonly sessionId: string;
  },
  status: CallStatus,
): CallView {
  const state: CallState = {
    ...known,
    modelCallId: '',
    messageId: '',
    ordinal: 0,
    maxFlightMs: 0,
    keyWindowMs: 0,
    notFoundIsFinalAfterMs: null,
    argsHash: '',
    status,
    attempts: [],
    probes: 0,
  };
  return { sessionId, state, started: true, evidence: {}, conflicts: 0, isSummarised: true };
}

export function evolveCallView(
  view: CallView,
  event: Exclude<ToolEvents, { type: 'ToolCallRequested' }>,
): CallView {
  if (event.type === 'ToolConflictDetected') return contradicted(view);
  // One result has one source: what is recorded about an answered call later does not replace it.
  if (view.state.status === 'completed') return undone(view, event);
  const { callId } = view.state;
  const state = evolveCall({ ...initialState, calls: { [callId]: view.state } }, event).calls[
    callId
  ]!;
  return { ...view, state, ...shownBy(view, event) };
}

/** Its result stands, and its effect does not any more. */
function undone(view: CallView, { type, data }: ToolEvents): CallView {
  if (type === 'ToolCompensationRequested') {
    return { ...view, state: { ...view.state, compensationCallId: data.compensationCallId } };
  }
  const isUndone = type === 'ToolOutcomeResolved' && data.verdict === 'compensated';
  return isUndone ? { ...view, state: { ...view.state, status: 'compensated' } } : view;
}

/** Of a summarised call only a conflict can come up without an outcome: it had one before. */
function contradicted(view: CallView): CallView {
  const { state, isSummarised } = view;
  const hadOutcome = isSummarised === true && isOpenStatus(state.status);
  return {
    ...view,
    state: hadOutcome ? { ...state, status: 'completed' } : state,
    conflicts: view.conflicts + 1,
  };
}

function shownBy(view: CallView, event: ToolEvents): Partial<CallView> {
  switch (event.type) {
    case 'ToolCallSkipped':
      return { twinOf: event.data.twinOf };
    case 'ToolCallProgressed':
      return { started: true, evidence: withReference(view.evidence, event.data.externalRef) };
    case 'ToolResultRecorded':
    case 'ToolLateResultReceived':
      return resultIn(view, event);
    case 'InheritedOutcomeRecorded':
      return inheritedResult(event.data);
    case 'ToolProbeRecorded': {
      const { statusCode, excerpt, externalRef } = event.data.evidence;
      return {
        started: true,
        evidence: withReference({ ...view.evidence, statusCode, excerpt }, externalRef),
      };
    }
    case 'ToolEscalationDecided': {
      const { note, evidenceRef } = event.data;
      return {
        started: true,
        evidence: withReference({ ...view.evidence, person: true, note }, evidenceRef),
      };
    }
    case 'ToolOutcomeResolved':
      return {
        started: true,
        evidence: withReference(view.evidence, event.data.evidenceRef),
      };
    default:
      return { started: true };
  }
}

function resultIn(
  view: CallView,
  { data }: EventOf<'ToolResultRecorded'> | EventOf<'ToolLateResultReceived'>,
): Partial<CallView> {
  const reference = 'externalRef' in data ? data.externalRef : undefined;
  const evidence = withReference(view.evidence, reference);
  if (data.status === 'noEffect') return { started: true, evidence, refusal: data.result };
  return { started: true, evidence, answer: view.answer ?? data.result };
}

function inheritedResult({
  state,
  result,
}: EventOf<'InheritedOutcomeRecorded'>['data']): Partial<CallView> {
  const known = isObject(result) ? (result as ToolResult) : undefined;
  return { started: true, ...(state === 'failed' ? { refusal: known } : { answer: known }) };
}

function withReference(evidence: Evidence, reference: string | undefined): Evidence {
  return reference === undefined ? evidence : { ...evidence, reference };
}

/** Kinds of what a model can have been told about a call; a note follows when the kind changes. */
export type OutcomeKind =
  | 'notStarted'
  | 'open'
  | Extract<
      CallStatus,
      'completed' | 'failed' | 'applied' | 'notApplied' | 'abandoned' | 'compensated'
    >;

export function outcomeKind(status: CallStatus): OutcomeKind {
  switch (status) {
    case 'requested':
    case 'skipped':
      return 'notStarted';
    case 'running':
    case 'unknown':
    case 'retryAuthorized':
    case 'awaitingHuman':
    case 'compensating':
    case 'inherited':
      return 'open';
    default:
      return status;
  }
}

export function isOpenStatus(status: CallStatus): boolean {
  return status === 'requested' || outcomeKind(status) === 'open';
}
