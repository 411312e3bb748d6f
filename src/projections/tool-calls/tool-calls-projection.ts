import type { SessionEventRecord, SessionEventType } from '../../domain/events.js';
import type { ToolEvents } from '../../domain/events/tool-events.js';
import type { ReadModelDocument } from '../../storage/read-model-store.js';
import { type DocumentProjection, sessionDocumentId } from '../projection.js';

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
  'ToolCallRequested',
  'ToolCompensationRequested',
  'ToolCallProgressed',
  'ToolResultRecorded',
  'ToolProbeRecorded',
];

/** Reads are left out: nobody asks a target for them, and they are most of all calls. */
export const toolCallsProjection: DocumentProjection = {
  name: 'tool-calls',
  version: 1,
  types: new Set(TYPES),
  collections: [
    {
      name: WRITES,
      keptMax: 4_000,
      indexes: [
        ['tenantId', 'opKey', 'requestedAt'],
        ['tenantId', 'externalRef', 'requestedAt'],
      ],
    },
  ],
  idsOf: ({ metadata, sessionId, event }) => {
    const { callId } = callIn(event as ToolEvents);
    const id = `${sessionDocumentId(metadata.tenantId, sessionId)}:${callId}`;
    return [{ collection: WRITES, id }];
  },
  evolve: (_collection, _id, document, record) =>
    evolve(document as ToolCallDocument | undefined, record) as ReadModelDocument | undefined,
};

function evolve(
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
