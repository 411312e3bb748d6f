import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { QuarantineBudget } from '../../domain/events/session-events.js';
import type { SessionStatus } from '../../domain/state.js';
import type { FieldFilter } from '../../storage/read-model-store.js';
import { InvalidStreams } from '../invalid-streams.js';
import { sessionDocumentId } from '../projection.js';
import { type AsOf, type ProjectionReader, type ReadDemand, ReadModels } from '../read-models.js';
import { type LabelDocument, type SessionDocument, labelText } from './session-document.js';
import { SESSIONS, SESSION_LABELS, sessionsProjection } from './sessions-projection.js';

/** A session as readers see it. */
export interface SessionSummary extends Omit<
  SessionDocument,
  'open' | 'profileName' | 'quarantine'
> {
  /** Why nobody can go on with it: what its run used up, or that its events are damaged. */
  readonly quarantine?: QuarantineBudget | 'invalidStream';
}

export interface SessionFilter {
  readonly status?: SessionStatus;
  readonly parentId?: string;
  readonly label?: { readonly key: string; readonly value: string };
  /** The profile's name. */
  readonly profile?: string;
  readonly imported?: boolean;
}

export interface SessionList {
  /** Latest change first. */
  readonly sessions: readonly SessionSummary[];
  readonly cursor?: string;
  readonly asOf: AsOf;
}

export interface SessionListPage {
  /** 1 to 200; 50 when absent. */
  readonly limit?: number;
  readonly cursor?: string;
}

export class ListSessions extends Query<SessionList> {
  constructor(
    readonly tenantId: string,
    readonly filter: SessionFilter = {},
    readonly page: SessionListPage = {},
    readonly demand: ReadDemand = {},
  ) {
    super();
  }
}

export interface FoundSession {
  readonly session: SessionSummary | undefined;
  readonly asOf: AsOf;
}

export class GetSession extends Query<FoundSession> {
  constructor(
    readonly tenantId: string,
    readonly sessionId: string,
    readonly demand: ReadDemand = {},
  ) {
    super();
  }
}

/** Many sessions in one read, in the order of the ids; undefined where there is none. */
export class GetSessions extends Query<readonly (SessionSummary | undefined)[]> {
  constructor(
    readonly tenantId: string,
    readonly sessionIds: readonly string[],
  ) {
    super();
  }
}

@QueryHandler(ListSessions)
export class ListSessionsHandler implements IQueryHandler<ListSessions, SessionList> {
  constructor(
    private readonly readModels: ReadModels,
    private readonly invalid: InvalidStreams,
  ) {}

  /** @throws InvalidCursorError */
  async execute({ tenantId, filter, page, demand }: ListSessions): Promise<SessionList> {
    const reader = await this.readModels.of(sessionsProjection, demand);
    const byLabel = filter.label !== undefined;
    const found = await reader.find(byLabel ? SESSION_LABELS : SESSIONS, {
      filters: [{ field: 'tenantId', equals: tenantId }, ...filtersOf(filter)],
      sort: { field: 'updatedAt', direction: 'descending' },
      limit: page.limit ?? 50,
      cursor: page.cursor,
    });
    const documents = found.documents.map(({ document }) => document as unknown);
    const sessions = byLabel
      ? await labelledSessions(reader, documents as LabelDocument[])
      : (documents as SessionDocument[]);
    const summaries = await summariesOf(sessions, this.invalid);
    return { sessions: summaries, cursor: found.cursor, asOf: reader.asOf };
  }
}

async function labelledSessions(
  reader: ProjectionReader,
  labels: readonly LabelDocument[],
): Promise<SessionDocument[]> {
  const ids = labels.map(({ tenantId, sessionId }) => sessionDocumentId(tenantId, sessionId));
  const found = await reader.getMany<SessionDocument>(SESSIONS, ids);
  return ids.flatMap((id) => found.get(id) ?? []);
}

@QueryHandler(GetSession)
export class GetSessionHandler implements IQueryHandler<GetSession, FoundSession> {
  constructor(
    private readonly readModels: ReadModels,
    private readonly invalid: InvalidStreams,
  ) {}

  async execute({ tenantId, sessionId, demand }: GetSession): Promise<FoundSession> {
    const reader = await this.readModels.of(sessionsProjection, demand);
    const id = sessionDocumentId(tenantId, sessionId);
    const document = await reader.get<SessionDocument>(SESSIONS, id);
    const [session] = await summariesOf(document === undefined ? [] : [document], this.invalid);
    return { session, asOf: reader.asOf };
  }
}

@QueryHandler(GetSessions)
export class GetSessionsHandler implements IQueryHandler<
  GetSessions,
  readonly (SessionSummary | undefined)[]
> {
  constructor(
    private readonly readModels: ReadModels,
    private readonly invalid: InvalidStreams,
  ) {}

  async execute({ tenantId, sessionIds }: GetSessions) {
    const ids = sessionIds.map((sessionId) => sessionDocumentId(tenantId, sessionId));
    let reader = await this.readModels.of(sessionsProjection);
    let found = await reader.getMany<SessionDocument>(SESSIONS, ids);
    if (found.size < new Set(ids).size) {
      reader = await this.readModels.atHead(sessionsProjection);
      found = await reader.getMany<SessionDocument>(SESSIONS, ids);
    }
    const summaries = await summariesOf([...found.values()], this.invalid);
    const byId = new Map(summaries.map((one) => [sessionDocumentId(tenantId, one.sessionId), one]));
    return ids.map((id) => byId.get(id));
  }
}

function filtersOf({ status, parentId, label, profile, imported }: SessionFilter): FieldFilter[] {
  const filters: FieldFilter[] = [];
  if (status !== undefined) filters.push({ field: 'status', equals: status });
  if (parentId !== undefined) filters.push({ field: 'parentId', equals: parentId });
  if (label !== undefined) {
    filters.push({ field: 'label', equals: labelText(label.key, label.value) });
  }
  if (profile !== undefined) filters.push({ field: 'profileName', equals: profile });
  if (imported !== undefined) filters.push({ field: 'imported', equals: imported });
  return filters;
}

async function summariesOf(
  documents: readonly SessionDocument[],
  invalid: InvalidStreams,
): Promise<SessionSummary[]> {
  const damaged = await invalid.among(documents);
  return documents.map(({ open: _open, profileName: _profileName, ...summary }) => {
    const isDamaged = damaged.has(sessionDocumentId(summary.tenantId, summary.sessionId));
    return isDamaged ? { ...summary, quarantine: 'invalidStream' } : summary;
  });
}
