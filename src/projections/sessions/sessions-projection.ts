import type { SessionEventRecord } from '../../domain/events.js';
import { evolve } from '../../domain/evolve.js';
import {
  type SessionState,
  callsOf,
  initialState,
  isUnresolved,
  statusOf,
} from '../../domain/state.js';
import { previewOf, textOf } from '../preview.js';
import { type Documents, type LinkedProjection, sessionDocumentId } from '../projection.js';
import {
  type LabelDocument,
  type OpenState,
  type SessionDocument,
  labelText,
} from './session-document.js';

export const SESSIONS = 'all';
/** One document per session and label. */
export const SESSION_LABELS = 'labels';

const TITLE_CHARACTERS_MAX = 80;

/** The list of sessions: status as the domain derives it, tree links, counters, who holds it. */
export const sessionsProjection: LinkedProjection = {
  name: 'sessions',
  version: 1,
  collections: [
    {
      name: SESSIONS,
      keptMax: 4_000,
      indexes: [
        ['tenantId', 'updatedAt'],
        ['tenantId', 'status', 'updatedAt'],
        ['tenantId', 'parentId', 'updatedAt'],
        ['tenantId', 'profileName', 'updatedAt'],
        ['tenantId', 'imported', 'updatedAt'],
      ],
    },
    {
      name: SESSION_LABELS,
      indexes: [
        ['tenantId', 'label', 'updatedAt', 'status', 'parentId', 'profileName', 'imported'],
      ],
    },
  ],
  idsOf: ({ metadata, sessionId }) => [
    { collection: SESSIONS, id: sessionDocumentId(metadata.tenantId, sessionId) },
  ],
  fold,
};

function fold(record: SessionEventRecord, documents: Documents): void {
  const id = sessionDocumentId(record.metadata.tenantId, record.sessionId);
  const before = documents.get(SESSIONS, id) as SessionDocument | undefined;
  if (before !== undefined && before.revision >= record.revision) return;
  const after = evolveSession(before, record);
  documents.set(SESSIONS, id, after);
  for (const [key, value] of Object.entries(after.labels)) {
    const label = labelText(key, value);
    documents.set(SESSION_LABELS, `${id}:${label}`, labelDocument(after, label));
  }
}

function labelDocument(session: SessionDocument, label: string): LabelDocument {
  const { tenantId, sessionId, status, parentId, profileName, imported, updatedAt } = session;
  return { tenantId, label, sessionId, status, parentId, profileName, imported, updatedAt };
}

function evolveSession(
  before: SessionDocument | undefined,
  record: SessionEventRecord,
): SessionDocument {
  const state = evolve(stateOf(before, record), record.event);
  const calls = callsOf(state).filter(isUnresolved);
  const { run } = state;
  return {
    ...(before ?? emptyDocument(record)),
    ...firstEvent(record, state),
    ...inputTitle(before, record),
    status: statusOf(state),
    counters: state.counters,
    pendingInputs: state.pendingInputs.length,
    unresolvedCalls: calls.length,
    unknownCalls: calls.filter(({ status }) => status === 'unknown' || status === 'awaitingHuman')
      .length,
    heldBy: run?.owned ? { workerId: run.workerId, epoch: run.epoch } : undefined,
    updatedAt: record.recordedAt,
    revision: record.revision,
    position: record.position.toString(),
    open: openPart(state),
  };
}

function emptyDocument({ metadata, sessionId, recordedAt }: SessionEventRecord) {
  return {
    tenantId: metadata.tenantId,
    sessionId,
    ancestors: [],
    labels: {},
    imported: false,
    createdAt: recordedAt,
  };
}

/** `evolve` counts the event itself, so the state stands one revision before it. */
function stateOf(before: SessionDocument | undefined, record: SessionEventRecord): SessionState {
  const revision = record.revision - 1;
  if (before === undefined) return { ...initialState, revision };
  return { ...initialState, ...before.open, counters: before.counters, revision };
}

function firstEvent({ event }: SessionEventRecord, state: SessionState): Partial<SessionDocument> {
  if (event.type !== 'SessionStarted' && event.type !== 'Forked') return {};
  const { name, version, provider, model } = event.data.profile;
  return {
    title: event.data.title,
    parentId: state.parent?.sessionId,
    edge: state.parent?.edge,
    ancestors: event.data.ancestors,
    labels: event.data.labels,
    profile: { name, version, provider, model },
    profileName: name,
    imported: state.imported,
    origin: event.type === 'SessionStarted' ? event.data.origin : undefined,
  };
}

function inputTitle(
  before: SessionDocument | undefined,
  { event }: SessionEventRecord,
): Partial<SessionDocument> {
  if (event.type !== 'InputAccepted' || before?.title !== undefined) return {};
  const title = previewOf(textOf(event.data.content), TITLE_CHARACTERS_MAX);
  return title === '' ? {} : { title };
}

/** Without what is at rest, and without secrets: the claim token's hash stays in the log. */
function openPart(state: SessionState): OpenState {
  const calls = Object.entries(state.calls).filter(([, call]) => isUnresolved(call));
  return {
    recoveryMode: state.recoveryMode,
    epoch: state.epoch,
    stopped: state.stopped,
    lastRun: state.lastRun,
    run: state.run && { ...state.run, claimTokenHash: '' },
    modelCall: state.modelCall,
    compaction: state.compaction,
    pendingInputs: state.pendingInputs,
    calls: Object.fromEntries(calls),
  };
}
