import type { EventOf, SessionEventRecord, SessionEventType } from '../../domain/events.js';
import { type Labels, labelsAfter } from '../../domain/labels.js';
import { type Documents, sessionDocumentId } from '../projection.js';
import { own } from '../../domain/own.js';

/** Who and what each session's calls are counted under, as far as its log has been read. */
export const ATTRIBUTIONS = 'attributions';

export type ClaimReason = EventOf<'RunClaimed'>['data']['reason'];

/** The claim of a run that a call was made in. */
export interface Attempt {
  readonly runId: string;
  /** 1 for the run's first claim, 2 for the next one. */
  readonly attempt: number;
  readonly reason: ClaimReason;
  /** Author of the input that caused the run. */
  readonly user?: string;
}

/** What a call is counted under beside its model: fixed when its session first reports it. */
export interface Credit extends Partial<Attempt> {
  readonly labels: Labels;
  readonly modelCallId: string;
  /** When the call began, ISO 8601; absent when nobody said. */
  readonly startedAt?: string;
}

/** A user from a revision on. */
type UserSince = readonly [revision: number, user: string];

export interface AttributionDocument {
  /** Revision of the last event that was folded in. */
  readonly revision: number;
  readonly labels: Labels;
  /** Whose input the parent was about when this session began. */
  readonly inheritedUser?: string;
  /** Whose input was delivered last, each time that it became another one. */
  readonly users: readonly UserSince[];
  /** Authors of inputs that wait. */
  readonly pending: Readonly<Record<string, string>>;
  /** The last run that was claimed. */
  readonly run?: Attempt;
  /** Open model calls. */
  readonly calls: Readonly<Record<string, Attempt>>;
}

const NOTHING: AttributionDocument = {
  revision: -1,
  labels: {},
  users: [],
  pending: {},
  calls: {},
};

export const ATTRIBUTION_TYPES: ReadonlySet<SessionEventType> = new Set<SessionEventType>([
  'SessionStarted',
  'Forked',
  'SessionLabelled',
  'InputAccepted',
  'InputDelivered',
  'InputWithdrawn',
  'RunClaimed',
  'ModelCallStarted',
  'ModelCallSettled',
]);

export function attributionAt(
  documents: Documents,
  tenantId: string,
  sessionId: string,
): AttributionDocument {
  const id = sessionDocumentId(tenantId, sessionId);
  return (documents.get(ATTRIBUTIONS, id) as AttributionDocument | undefined) ?? NOTHING;
}

/** Folds the event into its session's document. An event that was folded in before is passed over. */
export function attribute(record: SessionEventRecord, documents: Documents): void {
  const { metadata, sessionId, revision } = record;
  const before = attributionAt(documents, metadata.tenantId, sessionId);
  if (before.revision >= revision) return;
  const after = evolve(before, record, documents);
  if (after === before) return;
  const id = sessionDocumentId(metadata.tenantId, sessionId);
  documents.set(ATTRIBUTIONS, id, { ...after, revision });
}

/** What the call that this event settles is counted under. */
export function creditOf(
  attribution: AttributionDocument,
  {
    modelCallId,
    runId,
    startedAt,
  }: Pick<EventOf<'ModelCallSettled'>['data'], 'modelCallId' | 'runId' | 'startedAt'>,
): Credit {
  const { run, calls, labels } = attribution;
  const open = own(calls, modelCallId);
  const attempt = open ?? (run?.runId === runId ? run : undefined);
  const told = attempt ?? (runId === undefined ? {} : { runId });
  return {
    ...told,
    ...(told === attempt ? {} : { user: latestUser(attribution) }),
    labels,
    modelCallId,
    startedAt,
  };
}

/** Whose input was delivered last, up to `revision`. */
export function latestUser(
  { users, inheritedUser }: AttributionDocument,
  revision = Number.MAX_SAFE_INTEGER,
): string | undefined {
  return users.findLast(([since]) => since <= revision)?.[1] ?? inheritedUser;
}

function evolve(
  before: AttributionDocument,
  { event, metadata, revision }: SessionEventRecord,
  documents: Documents,
): AttributionDocument {
  switch (event.type) {
    case 'SessionStarted': {
      const { labels, parent } = event.data;
      if (parent === undefined) return { ...before, labels };
      const above = attributionAt(documents, metadata.tenantId, parent.sessionId);
      return { ...before, labels, inheritedUser: above.run?.user ?? latestUser(above) };
    }
    case 'Forked': {
      const { labels, cut } = event.data;
      const origin = attributionAt(documents, metadata.tenantId, cut.sessionId);
      return { ...before, labels, inheritedUser: latestUser(origin, cut.revision) };
    }
    case 'SessionLabelled':
      return { ...before, labels: labelsAfter(before.labels, event.data) };
    case 'InputAccepted': {
      const { inputId, author } = event.data;
      return { ...before, pending: { ...before.pending, [inputId]: author } };
    }
    case 'InputDelivered':
      return delivered(before, event.data, revision);
    case 'InputWithdrawn':
      return { ...before, pending: without(before.pending, event.data.inputId) };
    case 'RunClaimed':
      return { ...before, run: attemptAfter(before, event.data) };
    case 'ModelCallStarted': {
      const { modelCallId, runId } = event.data;
      if (before.run?.runId !== runId) return before;
      return { ...before, calls: { ...before.calls, [modelCallId]: before.run } };
    }
    case 'ModelCallSettled': {
      const { modelCallId } = event.data;
      if (!Object.hasOwn(before.calls, modelCallId)) return before;
      return { ...before, calls: without(before.calls, modelCallId) };
    }
    default:
      return before;
  }
}

function delivered(
  before: AttributionDocument,
  { inputId, runId }: EventOf<'InputDelivered'>['data'],
  revision: number,
): AttributionDocument {
  const author = own(before.pending, inputId);
  if (author === undefined) return before;
  const pending = without(before.pending, inputId);
  const isSame = latestUser(before) === author && before.users.length > 0;
  const users: readonly UserSince[] = isSame ? before.users : [...before.users, [revision, author]];
  const caused = before.run?.runId === runId && before.run.user === undefined;
  return {
    ...before,
    pending,
    users,
    ...(caused ? { run: { ...before.run!, user: author } } : {}),
  };
}

/** A run that is claimed again stays its user's; one without an input goes on with the last one. */
function attemptAfter(
  before: AttributionDocument,
  { runId, reason, inputIds }: EventOf<'RunClaimed'>['data'],
): Attempt {
  const { run, pending } = before;
  if (run?.runId === runId) return { ...run, attempt: run.attempt + 1, reason };
  const [first] = inputIds;
  const author = first === undefined ? undefined : own(pending, first);
  return { runId, attempt: 1, reason, user: author ?? latestUser(before) };
}

function without<Value>(
  all: Readonly<Record<string, Value>>,
  name: string,
): Readonly<Record<string, Value>> {
  const { [name]: _gone, ...others } = all;
  return others;
}
