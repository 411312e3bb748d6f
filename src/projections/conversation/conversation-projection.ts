import type { SessionEventRecord, SessionEventType } from '../../domain/events.js';
import type { ReadModelDocument } from '../../storage/read-model-store.js';
import {
  type Documents,
  type LinkedProjection,
  ownerOfDocument,
  ownerOfPart,
  sessionDocumentId,
} from '../projection.js';
import { type ConversationHeader, itemId, lateChangeId } from './conversation-document.js';
import { callChange, isCallEvent } from './evolve-calls.js';
import { messageChange } from './evolve-messages.js';
import { sessionChange } from './evolve-session.js';
import type { ConversationChange, ConversationView } from './conversation-change.js';

export const HEADERS = 'headers';
export const ITEMS = 'items';
/** Late results and conflicts of settled calls; most conversations have none. */
export const LATE_CHANGES = 'late-changes';

const TYPES: readonly SessionEventType[] = [
  'SessionStarted',
  'Forked',
  'FactsRecorded',
  'Reverted',
  'RevertCleared',
  'SessionErased',
  'InputAccepted',
  'InputDelivered',
  'InputWithdrawn',
  'StopRequested',
  'AssistantMessageRecorded',
  'Compacted',
  'ToolCallRequested',
  'ToolApprovalRequested',
  'ToolApprovalDecided',
  'ToolEffectLowered',
  'ToolCallStarted',
  'ToolResultRecorded',
  'ToolOutcomeUnknown',
  'ToolCallSkipped',
  'ToolRetryAuthorized',
  'ToolRetryExpired',
  'ToolEscalated',
  'ToolCompensationRequested',
  'ToolOutcomeResolved',
  'ToolLateResultReceived',
  'ToolConflictDetected',
];

/** Messages, calls, compactions, facts and reverts in order; contents stay in the events. */
export const conversationProjection: LinkedProjection = {
  name: 'conversation',
  version: 2,
  types: new Set(TYPES),
  collections: [
    {
      name: HEADERS,
      indexes: [],
      keptMax: 2_000,
      content: { names: ['pendingInputs'], ownerOf: ownerOfDocument },
    },
    {
      name: ITEMS,
      indexes: [],
      keptMax: 10_000,
      content: { names: ['preview'], ownerOf: ownerOfPart },
    },
    { name: LATE_CHANGES, indexes: [] },
  ],
  idsOf: ({ metadata, sessionId }) => [
    { collection: HEADERS, id: sessionDocumentId(metadata.tenantId, sessionId) },
  ],
  fold,
};

function fold(record: SessionEventRecord, documents: Documents): void {
  const id = sessionDocumentId(record.metadata.tenantId, record.sessionId);
  const stored = documents.get(HEADERS, id) as ConversationHeader | undefined;
  // What is content in it is missing once its key is erased.
  const header = { ...empty(record), ...stored };
  if (header.revision >= record.revision) return;
  if (record.event.type === 'SessionErased') return erase(record, header, id, documents);
  const view: ConversationView = {
    header,
    item: (item) => documents.get(ITEMS, itemId(id, item)),
    lateChange: (callId) => documents.get(LATE_CHANGES, lateChangeId(id, callId)),
  } as ConversationView;
  const change = changeOf(view, record);
  const items = change.items ?? [];
  for (const [item, document] of items) {
    documents.set(ITEMS, itemId(id, item), document as unknown as ReadModelDocument);
  }
  if (change.late !== undefined) {
    const [callId, document] = change.late;
    documents.set(LATE_CHANGES, lateChangeId(id, callId), document as unknown as ReadModelDocument);
  }
  documents.set(HEADERS, id, {
    ...header,
    ...change.header,
    items: Math.max(header.items, ...items.map(([item]) => item + 1)),
    lateChanges: header.lateChanges + (change.late === undefined ? 0 : 1),
    revision: record.revision,
    position: record.position.toString(),
  });
}

/** What is left is that there was a conversation: the items would tell how long each part was. */
function erase(
  record: SessionEventRecord,
  header: ConversationHeader,
  id: string,
  documents: Documents,
): void {
  for (let item = 0; item < header.items; item += 1) {
    documents.set(ITEMS, itemId(id, item), undefined);
  }
  documents.set(HEADERS, id, {
    ...empty(record),
    segments: header.segments,
    lateChanges: header.lateChanges,
    erased: true,
    revision: record.revision,
    position: record.position.toString(),
  });
}

function changeOf(view: ConversationView, record: SessionEventRecord): ConversationChange {
  const { event, revision } = record;
  if (isCallEvent(event)) return callChange(view, event, revision);
  switch (event.type) {
    case 'InputAccepted':
    case 'InputDelivered':
    case 'InputWithdrawn':
    case 'StopRequested':
    case 'AssistantMessageRecorded':
      return messageChange(view, event, revision);
    case 'Forked':
    case 'FactsRecorded':
    case 'Reverted':
    case 'RevertCleared':
    case 'Compacted':
      return sessionChange(view, event, revision);
    default:
      return {};
  }
}

function empty({ metadata, sessionId }: SessionEventRecord): ConversationHeader {
  return {
    tenantId: metadata.tenantId,
    sessionId,
    revision: -1,
    position: '0',
    items: 0,
    segments: [],
    hidden: [],
    facts: {},
    pendingInputs: {},
    openCalls: {},
    inheritedCalls: [],
    lateChanges: 0,
  };
}
