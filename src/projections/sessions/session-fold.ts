import type { EventOf, SessionEventRecord } from '../../domain/events.js';
import { evolve } from '../../domain/evolve.js';
import { mayOweUndo } from '../../domain/evolve-model-call.js';
import { type SessionState, callsOf, initialState, isOpen, statusOf } from '../../domain/state.js';
import { type Work, workOf } from '../../domain/work.js';
import type { ReadModelDocument } from '../../storage/read-model-store.js';
import { previewOf, textOf } from '../preview.js';
import { changedOpenCalls } from './open-call-document.js';
import {
  type LabelDocument,
  type OpenState,
  type SessionDocument,
  type SessionIdentity,
  type WorkDocument,
  labelText,
} from './session-document.js';

const TITLE_CHARACTERS_MAX = 80;

/** A session's document while events are folded into it: the domain's own state, and a frame. */
export class SessionFold {
  private title: string | undefined;
  private updatedAt = '';
  private position = '0';
  /** Of each rule, how many secrets were masked or noted. */
  private redactions: Readonly<Record<string, number>> = {};

  private constructor(
    private identity: SessionIdentity,
    private state: SessionState,
  ) {}

  /** Before the first event. */
  static of({ metadata, sessionId, recordedAt }: SessionEventRecord): SessionFold {
    const identity = {
      tenantId: metadata.tenantId,
      sessionId,
      ancestors: [],
      labels: {},
      imported: false,
      createdAt: recordedAt,
    };
    return new SessionFold(identity, initialState);
  }

  static open(stored: ReadModelDocument): SessionFold {
    const document = stored as unknown as SessionDocument;
    const { revision, counters, open, title, updatedAt, position, erasure } = document;
    const fold = new SessionFold(identityOf(document), {
      ...initialState,
      ...open,
      erasure,
      labels: document.labels,
      revision,
      counters,
    });
    fold.title = title;
    fold.updatedAt = updatedAt;
    fold.position = position;
    fold.redactions = document.redactions;
    return fold;
  }

  get revision(): number {
    return this.state.revision;
  }

  get labels(): SessionIdentity['labels'] {
    return this.identity.labels;
  }

  /** @returns the documents of calls that it changes, by call. */
  apply({
    event,
    metadata,
    recordedAt,
    position,
    revision,
  }: SessionEventRecord): ReturnType<typeof changedOpenCalls> {
    const before = this.state;
    const at = before.revision === revision - 1 ? before : { ...before, revision: revision - 1 };
    this.state = withoutSettled(evolve(at, event), event);
    this.updatedAt = recordedAt;
    this.position = position.toString();
    for (const { rule } of metadata.redactions ?? []) {
      this.redactions = { ...this.redactions, [rule]: (this.redactions[rule] ?? 0) + 1 };
    }
    if (event.type === 'SessionStarted' || event.type === 'Forked') this.begin(event);
    if (event.type === 'SessionErased') this.title = undefined;
    if (event.type === 'SessionLabelled') {
      this.identity = { ...this.identity, labels: this.state.labels };
    }
    if (event.type === 'InputAccepted' && this.title === undefined) {
      const title = previewOf(textOf(event.data.content), TITLE_CHARACTERS_MAX);
      if (title !== '') this.title = title;
    }
    const { tenantId, sessionId } = this.identity;
    return changedOpenCalls(before, this.state, { tenantId, sessionId, since: recordedAt });
  }

  close(): SessionDocument {
    const { state } = this;
    const { run } = state;
    const calls = callsOf(state).filter(isOpen);
    const unknown = calls.filter(
      ({ status }) => status === 'unknown' || status === 'awaitingHuman',
    );
    return {
      ...this.identity,
      title: this.title,
      status: statusOf(state),
      counters: state.counters,
      pendingInputs: state.pendingInputs.length,
      unresolvedCalls: calls.length,
      unknownCalls: unknown.length,
      redactions: this.redactions,
      quarantine: run?.quarantine,
      heldBy: run?.owned ? { workerId: run.workerId, epoch: run.epoch } : undefined,
      updatedAt: this.updatedAt,
      revision: state.revision,
      position: this.position,
      erasure: state.erasure,
      open: openPart(state),
    };
  }

  get work(): Work | undefined {
    return workOf(this.state);
  }

  /** What a worker could do here since the newest event. */
  workDocument(work: Work): WorkDocument {
    const { tenantId, sessionId, profileName, labels } = this.identity;
    return { ...work, tenantId, sessionId, profileName, labels, since: this.updatedAt };
  }

  private begin(event: EventOf<'SessionStarted'> | EventOf<'Forked'>): void {
    const { name, version, provider, model } = event.data.profile;
    const { parent, imported } = this.state;
    this.title = event.data.title;
    this.identity = {
      ...this.identity,
      parentId: parent?.sessionId,
      edge: parent?.edge,
      ancestors: event.data.ancestors,
      labels: event.data.labels,
      profile: { name, version, provider, model },
      profileName: name,
      imported,
      origin: event.type === 'SessionStarted' ? event.data.origin : undefined,
    };
  }
}

/** A session's entry under one of its labels. */
export class LabelFold {
  constructor(
    private readonly session: SessionFold,
    private readonly key: string,
    private readonly value: string,
  ) {}

  close(): LabelDocument {
    const { tenantId, sessionId, status, parentId, profileName, imported, updatedAt } =
      this.session.close();
    const label = labelText(this.key, this.value);
    return { tenantId, label, sessionId, status, parentId, profileName, imported, updatedAt };
  }
}

/** Settled calls are at rest; they go at once, so that the document does not depend on batches. */
function withoutSettled(state: SessionState, { data }: SessionEventRecord['event']): SessionState {
  if ('callId' in data) {
    const { [data.callId]: call, ...others } = state.calls;
    const isKept = call === undefined || isOpen(call) || mayOweUndo(call, state.run?.runId);
    return isKept ? state : { ...state, calls: others };
  }
  if (state.run !== undefined || callsOf(state).every(isOpen)) return state;
  const open = Object.entries(state.calls).filter(([, call]) => isOpen(call));
  return { ...state, calls: Object.fromEntries(open) };
}

/** Without secrets: the claim token's hash stays in the log. */
function openPart(state: SessionState): OpenState {
  const { recoveryMode, epoch, stopped, lastRun, modelCall, compaction, pendingInputs } = state;
  return {
    recoveryMode,
    epoch,
    stopped,
    lastRun,
    run: state.run && { ...state.run, claimTokenHash: '' },
    modelCall,
    compaction,
    pendingInputs,
    calls: withoutReferences(state.calls),
  };
}

/** A target's own ids are content, and stay in the log. */
function withoutReferences(calls: SessionState['calls']): SessionState['calls'] {
  if (!Object.values(calls).some(({ externalRef }) => externalRef !== undefined)) return calls;
  return Object.fromEntries(
    Object.entries(calls).map(([callId, { externalRef: _content, ...call }]) => [callId, call]),
  );
}

function identityOf(document: SessionDocument): SessionIdentity {
  const { tenantId, sessionId, parentId, edge, ancestors, labels, profile } = document;
  const { profileName, imported, origin, createdAt } = document;
  return {
    tenantId,
    sessionId,
    parentId,
    edge,
    ancestors,
    labels,
    profile,
    profileName,
    imported,
    origin,
    createdAt,
  };
}
