import type { EventOf, SessionEvent } from '../../domain/events.js';
import type { ToolEvents } from '../../domain/events/tool-events.js';
import { evolve } from '../../domain/evolve.js';
import { type CallState, initialState, isUnresolved } from '../../domain/state.js';
import { contentBytes, previewOf } from '../preview.js';
import type { ConversationChange, ConversationView } from './conversation-change.js';
import {
  CONFLICTS_KEPT_MAX,
  type LateChange,
  type OpenCallEntry,
  type ToolCallItem,
} from './conversation-document.js';
import { own } from '../../domain/own.js';

export function isCallEvent(event: SessionEvent): event is ToolEvents {
  return 'callId' in event.data;
}

/** A call's item is written when it is asked for and when it is settled; see also `openCalls`. */
export function callChange(
  view: ConversationView,
  event: ToolEvents,
  revision: number,
): ConversationChange {
  if (event.type === 'ToolCallRequested') return requested(view, event, revision);
  const { callId } = event.data;
  if (event.type === 'ToolConflictDetected')
    return { late: [callId, conflict(view, event, revision)] };
  const open = view.header.openCalls[callId];
  if (open === undefined) return afterwards(view, event, revision);
  const entry = evolveEntry(open, event, revision);
  const { [callId]: _open, ...others } = view.header.openCalls;
  if (isUnresolved(entry.call)) {
    return { header: { openCalls: { ...others, [callId]: entry } } };
  }
  const item = view.item(open.item);
  if (item?.kind !== 'toolCall') return { header: { openCalls: others } };
  return { header: { openCalls: others }, items: [[open.item, withOutcome(item, entry)]] };
}

function requested(
  { header }: ConversationView,
  event: EventOf<'ToolCallRequested'>,
  revision: number,
): ConversationChange {
  const { callId, messageId, tool, args, argsText } = event.data;
  const text = argsText ?? (args === undefined ? '' : JSON.stringify(args));
  const item: ToolCallItem = {
    kind: 'toolCall',
    revision,
    callId,
    messageId,
    tool,
    status: 'requested',
    statusRevision: revision,
    bytes: Buffer.byteLength(text),
    preview: previewOf(text),
  };
  const call = evolveOne({}, event, callId, revision);
  const openCalls = call && {
    ...header.openCalls,
    [callId]: { item: header.items, call, statusRevision: revision },
  };
  return { header: openCalls && { openCalls }, items: [[header.items, item]] };
}

/** The domain says what an event makes of a call. */
function evolveOne(
  calls: Readonly<Record<string, CallState>>,
  event: ToolEvents,
  callId: string,
  revision: number,
): CallState | undefined {
  return own(evolve({ ...initialState, calls, revision: revision - 1 }, event).calls, callId);
}

function evolveEntry(open: OpenCallEntry, event: ToolEvents, revision: number): OpenCallEntry {
  const { callId } = event.data;
  const evolved = evolveOne({ [callId]: open.call }, event, callId, revision) ?? open.call;
  // A target's own id is content, and stays in the log.
  const { externalRef: _content, ...call } = evolved;
  const statusRevision = call.status === open.call.status ? open.statusRevision : revision;
  const entry = { ...open, call, statusRevision };
  if (event.type === 'ToolCallStarted') {
    return { ...entry, startedRevision: open.startedRevision ?? revision };
  }
  if (event.type !== 'ToolResultRecorded' && event.type !== 'ToolLateResultReceived') return entry;
  const { content, artifact } = event.data.result;
  const resultBytes = artifact?.sizeBytes ?? contentBytes(content);
  return { ...entry, resultRevision: revision, resultBytes };
}

/** An item with what the header knows of its open call. */
export function withOutcome(item: ToolCallItem, entry: OpenCallEntry): ToolCallItem {
  const { call, statusRevision, startedRevision, resultRevision, resultBytes } = entry;
  return {
    ...item,
    status: call.status,
    statusRevision,
    startedRevision,
    resultRevision,
    resultBytes,
  };
}

function afterwards(
  view: ConversationView,
  event: ToolEvents,
  revision: number,
): ConversationChange {
  const { callId } = event.data;
  const before = view.lateChange(callId) ?? { conflicts: [] };
  if (event.type === 'ToolLateResultReceived') {
    return { late: [callId, { ...before, lateRevision: revision }] };
  }
  if (event.type !== 'ToolOutcomeResolved') return {};
  const { verdict, basis } = event.data;
  const resultRevision = basis === 'lateResult' ? before.lateRevision : before.resultRevision;
  return {
    late: [callId, { ...before, status: verdict, statusRevision: revision, resultRevision }],
  };
}

function conflict(
  view: ConversationView,
  { data }: EventOf<'ToolConflictDetected'>,
  revision: number,
): LateChange {
  const before = view.lateChange(data.callId) ?? { conflicts: [] };
  const conflicts = [...before.conflicts, { kind: data.kind, revision }];
  return { ...before, conflicts: conflicts.slice(-CONFLICTS_KEPT_MAX) };
}
