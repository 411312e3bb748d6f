import type { SessionEventRecord, SessionEventType } from '../../domain/events.js';
import type { ToolEvents } from '../../domain/events/tool-events.js';
import type { ReadModelDocument } from '../../storage/read-model-store.js';
import type { DocumentProjection } from '../projection.js';
import {
  INHERITED,
  OUTCOMES,
  type OutcomeDocument,
  callDocumentId,
  changedOutcome,
  inheritedCall,
  inheritedIds,
} from './followed-calls.js';

/** Where a write is that a target knows by its key, or by an id of its own. */
export interface ToolCallDocument {
  readonly tenantId: string;
  readonly sessionId: string;
  readonly callId: string;
  readonly opKey: string;
  /** The target's own id, as a worker or a probe reported it last. */
  readonly externalRef?: string;
  readonly requestedAt: string;
}

export const WRITES = 'writes';

const TYPES: readonly SessionEventType[] = [
  'Forked',
  'ToolCallRequested',
  'ToolCompensationRequested',
  'ToolCallProgressed',
  'ToolResultRecorded',
  'ToolProbeRecorded',
  'ToolOutcomeResolved',
];

/** Reads are no writes: nobody asks a target for them, and they are most of all calls. */
export const toolCallsProjection: DocumentProjection = {
  name: 'tool-calls',
  version: 2,
  types: new Set(TYPES),
  collections: [
    {
      name: WRITES,
      content: { names: ['externalRef'], matched: ['externalRef'], ownerOf },
      keptMax: 4_000,
      indexes: [
        ['tenantId', 'opKey', 'requestedAt'],
        ['tenantId', 'externalRef', 'requestedAt'],
      ],
    },
    { name: OUTCOMES, indexes: [['changedAt']] },
    { name: INHERITED, indexes: [['origin'], ['forkedAt']] },
  ],
  idsOf: (record) => {
    const { metadata, sessionId, event } = record;
    if (event.type === 'Forked') return inheritedIds(record, event);
    const { callId } = callIn(event as ToolEvents);
    const collection = event.type === 'ToolOutcomeResolved' ? OUTCOMES : WRITES;
    return [{ collection, id: callDocumentId(metadata.tenantId, sessionId, callId) }];
  },
  evolve: (_collection, id, document, record) =>
    evolve(id, document, record) as ReadModelDocument | undefined,
};

function ownerOf(_id: string, document: ReadModelDocument) {
  const { tenantId, sessionId } = document as unknown as ToolCallDocument;
  return { tenantId, sessionId };
}

function evolve(id: string, document: unknown, record: SessionEventRecord): unknown {
  const { event } = record;
  switch (event.type) {
    case 'Forked':
      return document ?? inheritedCall(id, record, event);
    case 'ToolOutcomeResolved':
      return changedOutcome(document as OutcomeDocument | undefined, record);
    default:
      return write(document as ToolCallDocument | undefined, record);
  }
}

function write(
  document: ToolCallDocument | undefined,
  record: SessionEventRecord,
): ToolCallDocument | undefined {
  const event = record.event as ToolEvents;
  switch (event.type) {
    case 'ToolCallRequested':
      if (event.data.effect === 'readOnly') return undefined;
      return document ?? requested(record, event.data.callId, event.data.opKey);
    case 'ToolCompensationRequested':
      return document ?? requested(record, event.data.compensationCallId, event.data.opKey);
    default: {
      const externalRef = referenceIn(event);
      if (document === undefined || externalRef === undefined) return document;
      return document.externalRef === externalRef ? document : { ...document, externalRef };
    }
  }
}

function requested(
  { metadata, sessionId, recordedAt }: SessionEventRecord,
  callId: string,
  opKey: string,
): ToolCallDocument {
  return { tenantId: metadata.tenantId, sessionId, callId, opKey, requestedAt: recordedAt };
}

function callIn(event: ToolEvents): { readonly callId: string } {
  return event.type === 'ToolCompensationRequested'
    ? { callId: event.data.compensationCallId }
    : event.data;
}

function referenceIn(event: ToolEvents): string | undefined {
  if (event.type === 'ToolProbeRecorded') return event.data.evidence.externalRef;
  return 'externalRef' in event.data ? event.data.externalRef : undefined;
}
