import type { SessionEventRecord } from '../../domain/events.js';
import type { Work } from '../../domain/work.js';
import type { ReadModelDocument } from '../../storage/read-model-store.js';
import {
  type Documents,
  type LinkedProjection,
  ownerOfDocument,
  sessionDocumentId,
} from '../projection.js';
import { labelText } from './session-document.js';
import { LabelFold, SessionFold } from './session-fold.js';

export const SESSIONS = 'all';
/** One document per session and label. */
export const SESSION_LABELS = 'labels';
/** One document per session that a worker could move. */
export const WORK = 'work';
/** One document per tool call that is not settled. */
export const RECONCILIATIONS = 'reconciliations';

/** The list of sessions: status as the domain derives it, tree links, counters, who holds it. */
export const sessionsProjection: LinkedProjection = {
  name: 'sessions',
  version: 7,
  collections: [
    {
      name: SESSIONS,
      content: { names: ['title'], ownerOf: ownerOfDocument },
      keptMax: 4_000,
      indexes: [
        ['tenantId', 'updatedAt'],
        ['tenantId', 'status', 'updatedAt'],
        ['tenantId', 'parentId', 'updatedAt'],
        ['tenantId', 'profileName', 'updatedAt'],
        ['tenantId', 'imported', 'updatedAt'],
      ],
      workingForm: {
        open: (stored) => SessionFold.open(stored),
        close: (fold) => (fold as SessionFold).close() as unknown as ReadModelDocument,
      },
    },
    {
      name: SESSION_LABELS,
      indexes: [
        ['tenantId', 'label', 'updatedAt', 'status', 'parentId', 'profileName', 'imported'],
      ],
      workingForm: {
        open: (stored) => stored,
        close: (fold) => (fold as LabelFold).close() as unknown as ReadModelDocument,
      },
    },
    {
      name: RECONCILIATIONS,
      indexes: [
        ['tenantId', 'since'],
        ['tenantId', 'question', 'since'],
        ['tenantId', 'asked', 'since'],
        ['tenantId', 'state', 'since'],
      ],
    },
    {
      name: WORK,
      indexes: [['since'], ['tenantId', 'since'], ['tenantId', 'heldBy', 'since']],
    },
  ],
  idsOf: ({ metadata, sessionId }) => [
    { collection: SESSIONS, id: sessionDocumentId(metadata.tenantId, sessionId) },
  ],
  fold,
};

function fold(record: SessionEventRecord, documents: Documents): void {
  const id = sessionDocumentId(record.metadata.tenantId, record.sessionId);
  const before = documents.get(SESSIONS, id) as SessionFold | undefined;
  if (before !== undefined && before.revision >= record.revision) return;
  const session = before ?? SessionFold.of(record);
  const labelId = (key: string, value: string): string => `${id}:${labelText(key, value)}`;
  const labels = Object.entries(session.labels);
  const workBefore = session.work;
  const openCalls = session.apply(record);
  documents.set(SESSIONS, id, session);
  for (const [callId, document] of openCalls) {
    documents.set(RECONCILIATIONS, `${id}:${callId}`, document);
  }
  const isLabelled = record.event.type === 'SessionLabelled';
  if (isLabelled || !isSameWork(workBefore, session.work)) {
    documents.set(WORK, id, session.work && session.workDocument(session.work));
  }
  if (isLabelled) {
    for (const [key, value] of labels)
      documents.set(SESSION_LABELS, labelId(key, value), undefined);
  }
  for (const [key, value] of Object.entries(session.labels)) {
    documents.set(SESSION_LABELS, labelId(key, value), new LabelFold(session, key, value));
  }
}

/** A document of work says since when it has been there: only another work changes it. */
function isSameWork(one: Work | undefined, other: Work | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  const { reason, heldBy, epoch, recoveryAttempts } = one;
  return (
    reason === other.reason &&
    heldBy === other.heldBy &&
    epoch === other.epoch &&
    recoveryAttempts === other.recoveryAttempts
  );
}
